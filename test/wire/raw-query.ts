import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import type { TextParameter } from '../../src/wire/parameter-table.js'
import { queryTable, readQuery } from '../../src/wire/raw-query.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'

const NAMES = ['alpha', 'beta', 'gamma', 'omega', 'ä b']
type Taken = Record<string, string>

const table = queryTable<Taken>(
  NAMES.map((name) => {
    const parameter: TextParameter = {
      kind: 'text',
      name,
      description: '',
      example: 'x',
      codePointsMax: 256,
    }
    return {
      parameter,
      take: (query, text, start, end) => {
        query[name] = text.slice(start, end)
      },
    }
  }),
)

function faultOf(raw: string): ApiError | undefined {
  try {
    readQuery(table, {}, raw)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  return undefined
}

/** Encodes each character in one of the ways a client may. */
const encoders = fc.constantFrom<(text: string) => string>(
  encodeURIComponent,
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => new URLSearchParams({ x: text }).toString().slice(2),
  (text) => [...Buffer.from(text)].map((b) => `%${b.toString(16).padStart(2, '0')}`).join(''),
)

test('a well-formed query is parsed like by URLSearchParams', async (t) => {
  const pair = fc.record({
    name: fc.constantFrom(...NAMES),
    value: fc.string({ unit: ANY_CHARACTER, minLength: 1 }),
    encodeName: encoders,
    encodeValue: encoders,
    before: fc.constantFrom('', '&', '&&'),
  })
  assertProperty(
    fc.property(fc.uniqueArray(pair, { selector: ({ name }) => name }), (pairs) => {
      const raw = pairs
        .map((p) => `${p.before}${p.encodeName(p.name)}=${p.encodeValue(p.value)}`)
        .join('&')
      const taken = readQuery<Taken>(table, {}, raw)
      assert.deepEqual(taken, Object.fromEntries(new URLSearchParams(raw)))
      assert.deepEqual(taken, Object.fromEntries(pairs.map((p) => [p.name, p.value])))
    }),
    { numRuns: 1_000 },
  )
  t.pass('1,000 queries')
})

test('the first equals sign ends the name, the rest is the value', async (t) => {
  t.same(readQuery(table, {}, 'alpha==a=b&beta=?/'), { alpha: '=a=b', beta: '?/' })
  t.same(readQuery(table, {}, ''), {})
  t.same(readQuery(table, {}, '&&'), {})
})

test('an error is named, with a right example or the existing names', async (t) => {
  const cases: [raw: string, code: string, message: string][] = [
    ['alpa=1', 'unknown_parameter', 'Unknown parameter "alpa": did you mean alpha, as in alpha=x?'],
    ['%61lpa=1', 'unknown_parameter', 'Unknown parameter "alpa": did you mean alpha'],
    ['x=1', 'unknown_parameter', 'Unknown parameter "x": the parameters are alpha, beta, gamma'],
    ['=1', 'unknown_parameter', 'Unknown parameter ""'],
    ['Alpha=1', 'unknown_parameter', 'did you mean alpha'],
    ['toString=1', 'unknown_parameter', 'Unknown parameter "toString"'],
    ['unknown=%', 'unknown_parameter', 'Unknown parameter "unknown"'],
    ['alpha=1&alpha=1', 'repeated_parameter', 'alpha is sent more than once; for example alpha=x'],
    ['alpha=1&%61lpha=2', 'repeated_parameter', 'alpha is sent more than once'],
    ['alpha', 'invalid_parameter', 'alpha has no value; for example alpha=x'],
    ['alpha=', 'invalid_parameter', 'alpha has no value'],
    ['alpha&beta=1', 'invalid_parameter', 'alpha has no value'],
    ['%61lpha', 'invalid_parameter', 'alpha has no value'],
    ['alpha=%', 'invalid_parameter', 'alpha is not percent-encoded UTF-8'],
    ['alpha=%C3%28', 'invalid_parameter', 'alpha is not percent-encoded UTF-8'],
    ['alpha=%ED%A0%80', 'invalid_parameter', 'alpha is not percent-encoded UTF-8'],
    ['alpha=ä', 'invalid_parameter', 'alpha is not percent-encoded UTF-8, in which ä is %C3%A4'],
    ['al%ha=1', 'invalid_parameter', 'The parameter name "al%ha" is not percent-encoded'],
  ]
  for (const [raw, code, message] of cases) {
    const fault = faultOf(raw)
    t.equal(fault?.code, code, raw)
    t.match(fault?.message, message, raw)
  }
})

test('an operation without parameters says so', async (t) => {
  t.throws(() => readQuery(queryTable<object>([]), {}, 'limit=1'), {
    code: 'unknown_parameter',
    message: 'Unknown parameter "limit": this operation has no parameters',
  })
})
