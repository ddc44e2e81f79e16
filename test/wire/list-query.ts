import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { formatInstant } from '../../src/instant.js'
import {
  parseAccountQuery,
  parseAccountsQuery,
  parseCategoriesQuery,
  parseListQuery,
  parseNoQuery,
  parseSearchQuery,
  parseTransactionQuery,
  SEARCH_TABLE,
} from '../../src/wire/list-query.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'

/** The members that are set. */
function set(query: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

test("without parameters, the contract's defaults apply", async (t) => {
  t.same(set(parseListQuery('')), { offset: 0, limit: 100, order: 'desc', sortBy: '_id' })
  t.same(set(parseSearchQuery('')), { offset: 0, limit: 100, order: 'desc', sortBy: '_id' })
  t.same(set(parseAccountsQuery('')), { offset: 0, limit: 100 })
  t.same(set(parseCategoriesQuery('')), { offset: 0, limit: 100 })
  t.same(set(parseAccountQuery('')), {})
  t.same(set(parseTransactionQuery('')), {})
  t.same(set(parseNoQuery('')), {})
})

const instants = fc.integer({ min: 0, max: 4_102_444_800_000 })
const texts = fc.string({ minLength: 1, maxLength: 128 }).map((text) => `x${text}`)
const asked = fc.record(
  {
    offset: fc.maxSafeNat(),
    limit: fc.integer({ min: 0, max: 250 }),
    order: fc.constantFrom('asc', 'desc', '1', '-1'),
    sortBy: fc.constantFrom('bookingDate', 'valueDate', 'importDate', 'amount', '_id'),
    category: texts,
    parentCategory: texts,
    bookedAfter: instants,
    bookedBefore: instants,
    valuedAfter: instants,
    valuedBefore: instants,
    importedAfter: instants,
    importedBefore: instants,
  },
  { requiredKeys: [] },
)

function wanted(name: string, value: string | number): [name: string, value: unknown] {
  if (/(After|Before)$/.test(name)) return [`${name}Ms`, value]
  if (/category/i.test(name)) return [name, { text: value, id: undefined }]
  if (name === 'order') return [name, value === 'asc' || value === '1' ? 'asc' : 'desc']
  return [name, value]
}

test('a valid query parses to its values, in any order', async (t) => {
  const orders = fc.array(fc.nat(), { minLength: 12, maxLength: 12 })
  assertProperty(
    fc.property(asked, orders, (values, keys) => {
      const pairs = Object.entries(values)
        .map((pair, i) => ({ pair, key: keys[i] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ pair }) => pair)
      const sent = pairs.map(([name, value]): [string, string] => {
        const date = /(After|Before)$/.test(name) && typeof value === 'number'
        return [name, date ? formatInstant(value) : String(value)]
      })
      const query = parseListQuery(new URLSearchParams(sent).toString())
      const defaults = { offset: 0, limit: 100, order: 'desc', sortBy: '_id' }
      const want = Object.fromEntries(pairs.map(([name, value]) => wanted(name, value)))
      assert.deepEqual(set(query), { ...defaults, ...want })
    }),
    { numRuns: 500 },
  )
  t.pass('500 queries')
})

test('any input is a query or a 400', async (t) => {
  const names = SEARCH_TABLE.rows.map(({ parameter }) => parameter.name)
  const piece = fc.oneof(
    fc.constantFrom(...names, '&', '=', '%', '+', '%C3', '%ED%A0%80', '%00', '1', '250', 'asc'),
    fc.constantFrom('{"a":', '"b"}', '%7B%22amount%22:%22x%22%7D', '2024-01-01T00:00:00.000Z', ' '),
    fc.string({ unit: ANY_CHARACTER, maxLength: 4 }),
  )
  let refused = 0
  assertProperty(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        parseSearchQuery(pieces.join(''))
        parseListQuery(pieces.join(''))
        parseAccountsQuery(pieces.join(''))
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
        assert.equal(error.status, 400)
        assert.ok(error.message.length < 2_000)
        refused += 1
      }
    }),
    { numRuns: 2_000 },
  )
  t.ok(refused > 500)
})

test('a search is a list with the terms of its text', async (t) => {
  const list = 'limit=3&sortBy=amount&category=12&customSchema={}'
  for (const blank of ['', '&query=', '&query', '&query=+', '&query=%20%E3%80%80']) {
    t.same(parseSearchQuery(list + blank), parseListQuery(list), blank)
  }
  const { terms, ...rest } = parseSearchQuery(`query=M%C3%BCller++RE-1%25&${list}`)
  t.same(terms, [
    { first: 'muller', second: 'mueller' },
    { first: 're-1%', second: 're-1%' },
  ])
  t.same({ ...rest, terms: undefined }, parseListQuery(list))
  t.throws(() => parseListQuery('query=x'), { code: 'unknown_parameter' })
  t.throws(() => parseSearchQuery('query=x&query=x'), { code: 'repeated_parameter' })
  t.throws(() => parseSearchQuery('query=&query='), { code: 'repeated_parameter' })
  t.throws(() => parseSearchQuery('q=x'), { code: 'unknown_parameter' })
  t.throws(() => parseSearchQuery('qurey=x'), {
    message: /did you mean query, as in query=telekom%20RE-2026/,
  })
  t.throws(() => parseSearchQuery('query=%ED%A0%80'), { message: /^query is not percent-encoded/ })
})

test('a category of digits only is an id and a name', async (t) => {
  t.same(parseListQuery('category=12').category, { text: '12', id: 12 })
  t.same(parseListQuery('parentCategory=007').parentCategory, { text: '007', id: 7 })
  for (const text of ['0', '12a', '1.2', '9007199254740992', '-1']) {
    t.same(parseListQuery(`category=${text}`).category, { text, id: undefined }, text)
  }
  t.equal(parseListQuery('category=+a%2Bb+').category?.text, ' a+b ')
})

test('the account filters', async (t) => {
  t.match(parseAccountsQuery('blz=50010517&bic=ingd+deff+xxx'), {
    blz: '50010517',
    bic: 'INGDDEFFXXX',
  })
  t.throws(() => parseAccountsQuery('bic=+'), { message: /^bic has no value/ })
  t.throws(() => parseListQuery('blz=1'), { code: 'unknown_parameter' })
})

test('customSchema is accepted where accounts and transactions are returned', async (t) => {
  const schema = `customSchema=${encodeURIComponent('{"id":"number"}')}`
  for (const parse of [
    parseListQuery,
    parseSearchQuery,
    parseAccountsQuery,
    parseAccountQuery,
    parseTransactionQuery,
  ]) {
    t.equal(parse(schema).customSchema?.entryCount, 1)
    t.equal(parse('customSchema={}').customSchema, undefined, 'nothing to rewrite')
    t.throws(() => parse('customSchema={'), { code: 'invalid_custom_schema' })
  }
  t.throws(() => parseCategoriesQuery(schema), { code: 'unknown_parameter' })
  t.throws(() => parseNoQuery(schema), { code: 'unknown_parameter' })
  const inPurpose = `customSchema=${encodeURIComponent('{"id":"purpose.id"}')}`
  t.equal(parseAccountQuery(inPurpose).customSchema?.entryCount, 1, 'accounts have no purpose')
  t.throws(() => parseTransactionQuery(inPurpose), { message: /single value/ })
})
