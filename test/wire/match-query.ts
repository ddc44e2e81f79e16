import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { parseReference } from '../../src/match/reference.js'
import { MATCH_TABLE, parseMatchQuery } from '../../src/wire/match-query.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'

function outcomeOf(query: string): string {
  try {
    parseMatchQuery(query)
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.code
    throw error
  }
  return 'accepted'
}

const encoded = (text: string): string => `query=${encodeURIComponent(text)}`
const schema = (value: unknown): string => encodeURIComponent(JSON.stringify(value))
const Q = 'query=RE-1'
const BAD = 'invalid_parameter'

/** Both sides of every limit. */
const OUTCOMES: readonly (readonly [query: string, outcome: string])[] = [
  // The reference.
  [Q, 'accepted'],
  ['', BAD],
  ['limit=10', BAD],
  ['query=', BAD],
  ['query', BAD],
  ['query=a', BAD],
  ['query=ab', 'accepted'],
  ['query=7', BAD],
  ['query=47', 'accepted'],
  [encoded('😀'), BAD],
  [encoded('😀😀'), BAD],
  [encoded('4😀7'), 'accepted'],
  [encoded('𝟒'), BAD],
  [encoded('𝟒𝟕'), 'accepted'],
  [encoded('é'), BAD],
  [encoded('e\u0301'), BAD],
  [encoded('e\u0301e'), 'accepted'],
  [encoded(`7${'.'.repeat(100)}`), BAD],
  [encoded(`7${'.'.repeat(100)}8`), 'accepted'],
  [encoded('-'.repeat(256)), BAD],
  [encoded('\u202e\u202d'), BAD],
  [encoded('a'.repeat(256)), 'accepted'],
  [encoded('a'.repeat(257)), BAD],
  [encoded('9'.repeat(256)), 'accepted'],
  [encoded('𝟗'.repeat(256)), 'accepted'],
  [encoded('𝟗'.repeat(257)), BAD],
  [encoded(`47${'😀'.repeat(254)}`), 'accepted'],
  [encoded(`47${'😀'.repeat(255)}`), BAD],
  [encoded(`47${'\u0301'.repeat(254)}`), 'accepted'],
  [encoded(`47${'\u0301'.repeat(255)}`), BAD],
  [encoded(`47${'\u202e'.repeat(254)}`), 'accepted'],
  [encoded('4\u00007'), 'accepted'],
  [encoded(Array.from({ length: 24 }, (_, i) => `${i + 10}`).join(' ')), 'accepted'],
  [encoded(Array.from({ length: 25 }, (_, i) => `${i + 10}`).join(' ')), BAD],
  [encoded('a1'.repeat(128)), 'accepted'],
  [encoded('a1-'.repeat(24)), 'accepted'],
  [encoded('a1-'.repeat(25)), BAD],
  ['query=%ff%fe', BAD],
  ['query=%ed%a0%80%ed%a0%80', BAD],
  [`${Q}&${Q}`, 'repeated_parameter'],
  // The threshold; its notation has a test of its own.
  [`${Q}&threshold=0`, 'accepted'],
  [`${Q}&threshold=1`, 'accepted'],
  [`${Q}&threshold=1.0000001`, BAD],
  [`${Q}&threshold=1e-1`, 'accepted'],
  [`${Q}&threshold=.5`, 'accepted'],
  [`${Q}&threshold=+0.5`, BAD],
  [`${Q}&threshold=%2B0.5`, BAD],
  [`${Q}&threshold=-0.1`, BAD],
  [`${Q}&threshold=NaN`, BAD],
  [`${Q}&threshold=0x1`, BAD],
  [`${Q}&threshold=`, BAD],
  [`${Q}&threshold`, BAD],
  [`${Q}&threshold=0.5&threshold=0.5`, 'repeated_parameter'],
  // The page.
  [`${Q}&limit=0`, BAD],
  [`${Q}&limit=1`, 'accepted'],
  [`${Q}&limit=50`, 'accepted'],
  [`${Q}&limit=51`, BAD],
  [`${Q}&limit=1e1`, BAD],
  [`${Q}&limit=`, BAD],
  [`${Q}&offset=0`, 'accepted'],
  [`${Q}&offset=-1`, BAD],
  [`${Q}&offset=9007199254740991`, 'accepted'],
  [`${Q}&offset=9007199254740992`, BAD],
  // Explanations.
  [`${Q}&explain=true`, 'accepted'],
  [`${Q}&explain=false`, 'accepted'],
  [`${Q}&explain=1`, BAD],
  [`${Q}&explain=TRUE`, BAD],
  [`${Q}&explain`, BAD],
  // Filters.
  [`${Q}&category=12&parentCategory=Living`, 'accepted'],
  [`${Q}&category=`, BAD],
  [`${Q}&bookedAfter=2026-01-01T00:00:00.000Z`, 'accepted'],
  [`${Q}&bookedAfter=2026-02-30T00:00:00.000Z`, BAD],
  // Parameters of a list that a match lacks, and unknown ones.
  ...['q=x', 'search=x', 'treshold=0.5', 'order=asc', 'sortBy=amount', 'Query=RE-1', 'iban=x'].map(
    (pair) => [`${Q}&${pair}`, 'unknown_parameter'] as const,
  ),
  // customSchema.
  [`${Q}&customSchema={}`, 'accepted'],
  [`${Q}&customSchema=`, BAD],
  [`${Q}&customSchema=${schema({ purpose: 'text', 'counterpart.name': null })}`, 'accepted'],
  ...[
    { score: 'relevance' },
    { score: null },
    { 'score.x': null },
    { 'score.x': 'y' },
    { purpose: 'score' },
    { purpose: 'score.purpose' },
    { score: 'score' },
    { id: null },
    { accountId: null },
    { amount: null },
    { currency: null },
    { bookingDate: null },
  ].map((value) => [`${Q}&customSchema=${schema(value)}`, 'invalid_custom_schema'] as const),
  ...[
    { id: 'number', accountId: 'a.b', amount: 'value', currency: 'unit', bookingDate: 'day' },
    { valueDate: null, createdAt: null, account: null, counterpart: null },
    { 'account.name': 'account.score' },
    { purpose: 'Score' },
    { purpose: 'explanation' },
  ].map((value) => [`${Q}&customSchema=${schema(value)}`, 'accepted'] as const),
  [`${Q}&explain=true&customSchema=${schema({ purpose: 'explanation' })}`, 'invalid_custom_schema'],
  [
    `${Q}&customSchema=${schema({ purpose: 'explanation.x' })}&explain=true`,
    'invalid_custom_schema',
  ],
  [`${Q}&customSchema=${schema({ explanation: null })}&explain=true`, 'invalid_custom_schema'],
  [`${Q}&customSchema=${schema({ purpose: 'explanation' })}&explain=false`, 'accepted'],
]

test('values at each limit are accepted, beyond it refused', async (t) => {
  for (const [query, outcome] of OUTCOMES) t.equal(outcomeOf(query), outcome, query)
})

test("without further parameters, the contract's defaults apply", async (t) => {
  const { reference, filters, ...rest } = parseMatchQuery('query=RE-2026-0815')
  t.same(rest, { scoreMin: 6_000, offset: 0, limit: 10, explain: false, customSchema: undefined })
  t.same(filters, {})
  t.same(reference, parseReference('RE-2026-0815'))
})

test('sent parameters are those of the query', async (t) => {
  const sent = 'limit=7&threshold=8.5e-1&offset=3&explain=true&category=12&parentCategory=Living'
  const dates = 'bookedAfter=1970-01-01T00:00:00.001Z&importedBefore=1970-01-01T00:00:00.009Z'
  const query = parseMatchQuery(`${sent}&${dates}&query=RE+815&customSchema=${schema({ id: 'n' })}`)
  t.match(query, { limit: 7, scoreMin: 8_500, offset: 3, explain: true })
  t.same(query.filters, {
    category: { text: '12', id: 12 },
    parentCategory: { text: 'Living', id: undefined },
    bookedAfterMs: 1,
    importedBeforeMs: 9,
  })
  t.same(query.reference, parseReference('RE 815'))
  t.equal(query.customSchema?.entryCount, 1)
})

const ADVICE: Readonly<Record<string, RegExp>> = {
  'treshold=0.5': /Unknown parameter "treshold": did you mean threshold, as in threshold=0\.6\?/,
  'qurey=RE-1': /did you mean query, as in query=RE-2026-00042\?/,
  'q=RE-1': /Unknown parameter "q": the parameters are query, category, /,
  'search=RE-1': /Unknown parameter "search": the parameters are query, category, /,
  'limit=10': /^query is missing; for example query=RE-2026-00042$/,
  'query=7': /^query must be at least 2 characters long/,
  'query=7.': /^query must have at least 2 letters or digits, not 1/,
}

test('a refusal names the intended value', async (t) => {
  for (const [query, message] of Object.entries(ADVICE)) {
    t.throws(() => parseMatchQuery(query), { message }, query)
  }
})

test('any input is a query or a 400', async (t) => {
  const names = MATCH_TABLE.rows.map(({ parameter }) => parameter.name)
  const piece = fc.oneof(
    fc.constantFrom(...names, '&', '=', '%', '+', '%C3', '%ED%A0%80', '%00', '1', '0.6', 'true'),
    fc.constantFrom('query=RE-1&', 'threshold=', '%7B%22amount%22:%22score%22%7D', ' '),
    fc.string({ unit: ANY_CHARACTER, maxLength: 4 }),
  )
  const outcomes = new Map<string, number>()
  assertProperty(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const outcome = outcomeOf(pieces.join(''))
      assert.notEqual(outcome, 'internal')
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }),
    { numRuns: 2_000 },
  )
  t.ok(outcomes.size > 3, JSON.stringify(Object.fromEntries(outcomes)))
})
