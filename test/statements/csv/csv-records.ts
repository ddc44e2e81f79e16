import { strict as assert } from 'node:assert'
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { test } from 'tap'
import { readRecords, recordsIn } from '../../../src/statements/csv/csv-records.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { cutAt } from '../../fixtures/statement-texts.js'

/** The cells of the records without broken quoting, and the faults. */
function read(text: string): { cells: (readonly string[])[]; faults: string[] } {
  const records = recordsIn(text, ';')
  return {
    cells: records.flatMap((record) => ('cells' in record ? [record.cells] : [])),
    faults: records.flatMap((record) =>
      'fault' in record ? [`${record.fault.position}: ${record.fault.message}`] : [],
    ),
  }
}

/** The same by the package, which stops at the first fault; undefined = it found one. */
function readNaively(text: string): string[][] | undefined {
  try {
    const records: string[][] = parse(text, {
      delimiter: ';',
      record_delimiter: '\n',
      relax_column_count: true,
      trim: true,
    })
    const trimmed = records.map((cells) => cells.map((cell) => cell.trim()))
    return trimmed.filter((cells) => cells.some((cell) => cell !== ''))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return undefined
  }
}

const CHARACTER = fc.constantFrom('a', 'b', ' ', ';', ';', '"', '"', '\n')

test('records equal those of csv-parse, and are broken where it fails', async (t) => {
  let whole = 0
  let broken = 0
  assertProperty(
    fc.property(fc.array(CHARACTER, { maxLength: 30 }), (characters) => {
      const text = characters.join('')
      // The package reads `"" ""` as a cell that ends with a quote.
      fc.pre(!/" +"/u.test(text))
      const naive = readNaively(text)
      const { cells, faults } = read(text)
      if (naive === undefined) {
        broken += 1
        assert.ok(faults.length > 0, 'a fault is found')
      } else {
        whole += 1
        assert.deepEqual({ cells, faults }, { cells: naive, faults: [] })
      }
    }),
    { numRuns: 2_000 },
  )
  t.ok(whole > 100 && broken > 100, `${whole} texts without a fault, ${broken} with one`)
})

test('a text in pieces has the records of the whole', async (t) => {
  await assertProperty(
    fc.asyncProperty(
      fc.array(CHARACTER, { maxLength: 40 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (characters, places) => {
        const text = characters.join('')
        const pieces = async function* (): AsyncGenerator<string> {
          yield* cutAt(text, places)
        }
        const found: unknown[] = []
        for await (const records of readRecords(pieces(), ';', 1)) found.push(...records)
        assert.deepEqual(found, recordsIn(text, ';'))
      },
    ),
    { numRuns: 500 },
  )
  t.pass('cut anywhere')
})

/** The cells of a line's pieces, each of which is enclosed in the quote, or plain. */
function cellsOneByOne(pieces: readonly string[], quote: string): string[] {
  const [first, ...others] = pieces
  if (first === undefined) return []
  const isOpen = first.trimStart().startsWith(quote)
  for (let count = 0; isOpen && count <= others.length; count += 1) {
    const cell = [first, ...others.slice(0, count)].join(',').trim()
    if (cell.length > 1 && cell.endsWith(quote)) {
      return [cell, ...cellsOneByOne(others.slice(count), quote)]
    }
  }
  return [first.trim(), ...cellsOneByOne(others, quote)]
}

test('a cell in quotes of the bank may contain the delimiter', async (t) => {
  const piece = async function* (text: string): AsyncGenerator<string> {
    yield text
  }
  const cellsOf = async (text: string, widthMax: number): Promise<(readonly string[])[]> => {
    const found: (readonly string[])[] = []
    for await (const records of readRecords(piece(text), ',', 1, { quote: "'", widthMax })) {
      found.push(...records.flatMap((record) => ('cells' in record ? [record.cells] : [])))
    }
    return found
  }
  t.strictSame(await cellsOf("1,'a, b',2,'c','T HART\n", 5), [
    ['1', "'a, b'", '2', "'c'", "'T HART"],
  ])
  t.strictSame(await cellsOf("'T HART,1,'c'\n", 3), [["'T HART", '1', "'c'"]])
  const TEXT = fc.array(fc.constantFrom('a', ' ', ',', ',', "'"), { minLength: 1, maxLength: 30 })
  await assertProperty(
    fc.asyncProperty(TEXT, async (characters) => {
      const text = characters.join('')
      const expected = cellsOneByOne(text.split(','), "'")
      const isBlank = expected.every((cell) => cell === '')
      assert.deepEqual(await cellsOf(text, 0), isBlank ? [] : [expected], text)
    }),
    { numRuns: 500 },
  )
})

test('a stray quote breaks one record, and reading continues with the next line', async (t) => {
  const { cells, faults } = read('"a";b\n"c";d"e;f\n"g\nh";i\nj;"k\nl;m\n')
  t.strictSame(cells, [
    ['a', 'b'],
    ['g\nh', 'i'],
    ['l', 'm'],
  ])
  t.strictSame(faults, [
    'line 2: a quote inside a field; within a quoted field it must be doubled ("")',
    'line 5: a quoted field in this record has no closing quote',
  ])
  const lines = recordsIn('"a\nb";c\n\nd;e\n', ';').map((record) => 'line' in record && record.line)
  t.strictSame(lines, [1, 4], 'positions are physical lines')
})

test('a record without an end is broken at its limit', async (t) => {
  const open = `a;"${'x\n'.repeat(500_100)}`
  const { cells, faults } = read(`${open}"y;z\n`)
  t.match(faults[0], /^line 1: a record longer than 1000000 characters/u)
  t.equal(cells.length, 500_099, 'the lines after its first are read')
})
