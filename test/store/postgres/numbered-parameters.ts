import fc from 'fast-check'
import { test } from 'tap'
import { numberParameters } from '../../../src/store/postgres/numbered-parameters.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('parameters are numbered, once for each name', async (t) => {
  const { text, names } = numberParameters(
    `SELECT id AS "the @id", 'a ''@b''' FROM clients
      WHERE CAST(@only AS TEXT) IS NULL OR id = @id AND x = @only ORDER BY created_at, rowid`,
  )
  t.equal(
    text,
    `SELECT id AS "the @id", 'a ''@b''' FROM clients
      WHERE CAST($1 AS TEXT) IS NULL OR id = $2 AND x = $1 ORDER BY created_at, number`,
  )
  t.same(names, ['only', 'id'])
  t.same(numberParameters('SELECT 1'), { text: 'SELECT 1', names: [] })
})

const REFUSED: readonly string[] = [
  'SELECT 1 -- @a',
  'SELECT 1 /* @a */',
  "SELECT E'\\'@a'",
  "SELECT 'a\\'",
  "SELECT X'00'",
  "SELECT U&'a'",
  'SELECT U&"a"',
  "SELECT 'a",
  'SELECT "a',
  'SELECT $1',
  'SELECT $$@a$$',
  'SELECT ?',
  'SELECT :a',
  'SELECT a::TEXT',
  'SELECT 1; SELECT 2',
  'SELECT @@a',
  'SELECT a @> b',
]

test('a text that may hide a parameter is refused', async (t) => {
  for (const sql of REFUSED) t.throws(() => numberParameters(sql), /^a statement has no/, sql)
})

/** A statement by its parts: the result of each, and the text. */
const PART = fc.oneof(
  fc.constantFrom('SELECT', 'id', '=', '(', ')', ',', '<', '||', 'rowids', '"a ""@q"" rowid"'),
  fc
    .array(fc.constantFrom("''", '@b', 'rowid', '--', ';', '?', ' '), { maxLength: 4 })
    .map((inner) => `'${inner.join('')}'`),
  fc.constantFrom('@a', '@b', '@aB', '@a_1', 'rowid'),
)

/** The same, part by part. */
function naiveNumbers(parts: readonly string[]): { text: string; names: string[] } {
  const names = [...new Set(parts.filter((part) => part.startsWith('@')))]
  const text = parts.map((part) => {
    if (part === 'rowid') return 'number'
    return names.includes(part) ? `$${names.indexOf(part) + 1}` : part
  })
  return { text: text.join(' '), names: names.map((name) => name.slice(1)) }
}

test('any statement is numbered like its parts', async (t) => {
  assertProperty(
    fc.property(fc.array(PART), (parts) => {
      const [found, expected] = [numberParameters(parts.join(' ')), naiveNumbers(parts)]
      if (found.text !== expected.text) throw new Error(found.text)
      if (found.names.join() !== expected.names.join()) throw new Error(found.names.join())
    }),
  )
  t.pass('numbered')
})
