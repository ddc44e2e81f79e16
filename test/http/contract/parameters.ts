// Every parameter's default, limit and error (docs/contract.md, "Parameters"), as tables.
import { test } from 'tap'
import type { TransactionRow } from '../../../src/store/columns.js'
import { FIRST_DAY_MS, OTHER_IBAN, OWN_IBAN, SAMPLE } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines, type RunningService } from '../../fixtures/service.js'

async function sampled(service: RunningService): Promise<(path: string) => Promise<string>> {
  await service.write('w', SAMPLE)
  const { key } = await service.newKey('w')
  return async (path) => outcomeOf(await service.ask(`/v1/w/${path}`, { key }))
}

const long = (count: number): string => encodeURIComponent('ä'.repeat(count))
const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value))
const FEBRUARY_30 = '2026-02-30T00:00:00.000Z'
const BAD = 'invalid_parameter'
const SECOND_DAY_MS = FIRST_DAY_MS + 86_400_000

/** Query of the transactions lists -> outcome. */
const LIST_QUERIES: readonly (readonly [query: string, outcome: string])[] = [
  ['', '200'],
  ['&&', '200'],
  ['limit=250', '200'],
  ['limit=251', `400 ${BAD}`],
  ['limit=0', '200'],
  ['limit=-1', `400 ${BAD}`],
  ['limit=+1', `400 ${BAD}`],
  ['limit=1.0', `400 ${BAD}`],
  ['limit=1e2', `400 ${BAD}`],
  ['limit=0x10', `400 ${BAD}`],
  ['limit=%31%30', '200'],
  ['limit=', `400 ${BAD}`],
  ['limit', `400 ${BAD}`],
  ['limit=10&limit=10', '400 repeated_parameter'],
  ['limit=10&%6cimit=10', '400 repeated_parameter'],
  ['offset=9007199254740991', '200'],
  ['offset=9007199254740992', `400 ${BAD}`],
  ['offset=99999999999999999999999999', `400 ${BAD}`],
  ['offset=-1', `400 ${BAD}`],
  ['offset=', `400 ${BAD}`],
  ['order=asc', '200'],
  ['order=desc', '200'],
  ['order=1', '200'],
  ['order=-1', '200'],
  ['order=0', `400 ${BAD}`],
  ['order=ASC', `400 ${BAD}`],
  ['order=toString', `400 ${BAD}`],
  ...['bookingDate', 'valueDate', 'importDate', 'amount', '_id'].map(
    (name) => [`sortBy=${name}`, '200'] as const,
  ),
  ['sortBy=id', `400 ${BAD}`],
  ['sortBy=', `400 ${BAD}`],
  ['category=', `400 ${BAD}`],
  [`category=${long(256)}`, '200'],
  [`category=${long(257)}`, `400 ${BAD}`],
  [`category=${encodeURIComponent('😀'.repeat(256))}`, '200'],
  ['category=a%00b', '200'],
  ['parentCategory=a%09b', '200'],
  ['category=nobody%20has%20it', '200'],
  ['category=99999999999999999999', '200'],
  ['parentCategory=', `400 ${BAD}`],
  [`parentCategory=${long(257)}`, `400 ${BAD}`],
  ['category=%zz', `400 ${BAD}`],
  ['category=%', `400 ${BAD}`],
  ['category=%ff', `400 ${BAD}`],
  ['category=%c3', `400 ${BAD}`],
  ['category=%ed%a0%80', `400 ${BAD}`],
  ['category=%c0%af', `400 ${BAD}`],
  ['%zz=1', `400 ${BAD}`],
  ['%ff', `400 ${BAD}`],
  ...['valued', 'booked', 'imported', 'updated'].flatMap((name) =>
    ['Before', 'After'].flatMap((side) => [
      [`${name}${side}=2026-01-31T00:00:00.000Z`, '200'] as const,
      [`${name}${side}=2026-01-31T00:00:00Z`, '200'] as const,
      [`${name}${side}=2026-01-31`, '200'] as const,
      [`${name}${side}=${FEBRUARY_30}`, `400 ${BAD}`] as const,
      [`${name}${side}=2026-02-30`, `400 ${BAD}`] as const,
      [`${name}${side}=2026-01-31T00:00Z`, `400 ${BAD}`] as const,
      [`${name}${side}=2026-01-31T00:00:00.00Z`, `400 ${BAD}`] as const,
      [`${name}${side}=2026-01-31T00:00:00`, `400 ${BAD}`] as const,
      [`${name}${side}=2026-01-31T24:00:00.000Z`, `400 ${BAD}`] as const,
      [`${name}${side}=2026-01-31T00:00:00.000%2B01:00`, `400 ${BAD}`] as const,
      [`${name}${side}=`, `400 ${BAD}`] as const,
    ]),
  ),
  ['bookedAfter=2024-02-29T00:00:00.000Z', '200'],
  ['bookedAfter=2026-02-29T00:00:00.000Z', `400 ${BAD}`],
  ['bookedAfter=2016-12-31T23:59:60.000Z', `400 ${BAD}`],
  ['limt=1', '400 unknown_parameter'],
  ['query=x', '400 unknown_parameter'],
  ['access_token=sk-x', '400 unknown_parameter'],
  ['__proto__=1', '400 unknown_parameter'],
  ['=1', '400 unknown_parameter'],
  ['Limit=1', '400 unknown_parameter'],
]

/** Searches that are refused or accepted in addition, as a query of its text. */
const SEARCHES: readonly (readonly [query: string, outcome: string])[] = [
  ['query=', '200'],
  ['query', '200'],
  ['query=+', '200'],
  ['query=%20%E3%80%80%C2%A0', '200'],
  ['query=a', '200'],
  ['query=M%C3%BCller+RE-1', '200'],
  [`query=${encodeURIComponent(`.*%_'"\\()[]{}^$|?;--`)}`, '200'],
  [`query=${long(256)}`, '200'],
  [`query=${long(257)}`, `400 ${BAD}`],
  [`query=${encodeURIComponent('😀'.repeat(256))}`, '200'],
  [`query=${encodeURIComponent('😀'.repeat(257))}`, `400 ${BAD}`],
  [`query=${'+'.repeat(257)}`, `400 ${BAD}`],
  [`query=${'a+'.repeat(32)}`, '200'],
  [`query=${'a+'.repeat(33)}`, `400 ${BAD}`],
  ['query=a%00', `400 ${BAD}`],
  ['query=a%09b', `400 ${BAD}`],
  ['query=%0A', `400 ${BAD}`],
  ['query=%0D%0AX:+y', `400 ${BAD}`],
  ['query=%1B[31m', `400 ${BAD}`],
  ['query=%7F', `400 ${BAD}`],
  ['query=%C2%85', `400 ${BAD}`],
  ['query=%ED%A0%80', `400 ${BAD}`],
  ['query=%ED%B0%80', `400 ${BAD}`],
  ['query=%FF', `400 ${BAD}`],
  ['query=%', `400 ${BAD}`],
  ['query=a&query=a', '400 repeated_parameter'],
  ['query=&query', '400 repeated_parameter'],
  ['q=a', '400 unknown_parameter'],
  ['search=a', '400 unknown_parameter'],
  ['Query=a', '400 unknown_parameter'],
  ['query=a&limit=251', `400 ${BAD}`],
  ['query=a&limit=0&sortBy=amount&order=1', '200'],
]

const levels = (count: number): string => Array.from({ length: count }, () => 'a').join('.')
const entries = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, `b${i}`]))

const SCHEMAS: readonly (readonly [schema: string, outcome: string])[] = [
  ['%7B%7D', '200'],
  [json({ amount: 'value', purpose: null }), '200'],
  [json({ id: 'accountId', accountId: 'id' }), '200'],
  [json({ nobody: 'x' }), '200'],
  [json([]), '400 invalid_custom_schema'],
  [json(null), '400 invalid_custom_schema'],
  ['%7B', '400 invalid_custom_schema'],
  ['x', '400 invalid_custom_schema'],
  [json({ amount: 1 }), '400 invalid_custom_schema'],
  [json({ amount: {} }), '400 invalid_custom_schema'],
  [json({ '': 'x' }), '400 invalid_custom_schema'],
  [json({ amount: '' }), '400 invalid_custom_schema'],
  [json({ amount: 'a..b' }), '400 invalid_custom_schema'],
  ['%7B%22__proto__%22:%22x%22%7D', '400 invalid_custom_schema'],
  [json({ amount: 'a.prototype' }), '400 invalid_custom_schema'],
  [json({ 'constructor.x': null }), '400 invalid_custom_schema'],
  [json({ id: 'x', amount: 'x' }), '400 invalid_custom_schema'],
  [json({ id: 'amount.x' }), '400 invalid_custom_schema'],
  ['%7B%22id%22:%22a%22,%22id%22:%22b%22%7D', '400 invalid_custom_schema'],
  [json(entries(64)), '200'],
  [json(entries(65)), '400 invalid_custom_schema'],
  [json({ x: levels(8) }), '200'],
  [json({ x: levels(9) }), '400 invalid_custom_schema'],
  [json({ x: 'y'.repeat(4_096 - 8) }), '200'],
  [json({ x: 'y'.repeat(4_096 - 7) }), '400 invalid_custom_schema'],
  ['', `400 ${BAD}`],
]

test(
  'parameters of the transaction lists',
  overEngines(async (t, service) => {
    const outcome = await sampled(service)
    const paths = [
      'transactions',
      'accounts/1/transactions',
      `counterpart/${OTHER_IBAN}/transactions`,
    ]
    for (const [query, expected] of LIST_QUERIES) {
      for (const path of paths)
        t.equal(await outcome(`${path}?${query}`), expected, `${path}?${query}`)
    }
  }),
)

test(
  'parameters of the searches: those of the lists, and a text',
  overEngines(async (t, service) => {
    const outcome = await sampled(service)
    const paths = [
      'transactions/search',
      'accounts/1/transactions/search',
      `counterpart/${OTHER_IBAN}/transactions/search`,
    ]
    const ofLists = LIST_QUERIES.filter(([query]) => query !== 'query=x')
    for (const [query, expected] of [...ofLists, ...SEARCHES]) {
      for (const path of paths)
        t.equal(await outcome(`${path}?${query}`), expected, `${path}?${query}`)
    }
  }),
)

test(
  'customSchema, on every operation that takes it',
  overEngines(async (t, service) => {
    const outcome = await sampled(service)
    const rewritten = ['transactions', 'transactions/1', 'accounts/1/transactions']
    for (const path of [...rewritten, 'transactions/search', 'accounts/1/transactions/search']) {
      for (const [schema, expected] of SCHEMAS) {
        t.equal(await outcome(`${path}?customSchema=${schema}`), expected, `${path}: ${schema}`)
      }
    }
    const counterpart = `counterpart/${OTHER_IBAN}/transactions`
    for (const path of ['accounts', 'accounts/1', counterpart, `${counterpart}/search`]) {
      t.equal(await outcome(`${path}?customSchema=${json({ id: 'number' })}`), '200', path)
      t.equal(await outcome(`${path}?customSchema=${json([])}`), '400 invalid_custom_schema', path)
    }
    for (const path of ['categories', 'categories/1', 'key/scope']) {
      t.equal(await outcome(`${path}?customSchema=%7B%7D`), '400 unknown_parameter', path)
    }
  }),
)

test(
  'parameters of the other operations',
  overEngines(async (t, service) => {
    const outcome = await sampled(service)
    const rows = {
      'accounts?limit=250&offset=0&blz=1&bic=x': '200',
      'accounts?limit=251': `400 ${BAD}`,
      'accounts?blz=': `400 ${BAD}`,
      'accounts?bic=%20': `400 ${BAD}`,
      [`accounts?blz=${long(257)}`]: `400 ${BAD}`,
      'accounts?iban=x': '400 unknown_parameter',
      'accounts?order=asc': '400 unknown_parameter',
      'accounts/1?limit=1': '400 unknown_parameter',
      'categories?limit=0': '200',
      'categories?limit=251': `400 ${BAD}`,
      'categories?sortBy=_id': '400 unknown_parameter',
      'categories/1?x': '400 unknown_parameter',
      'transactions/1?limit=1': '400 unknown_parameter',
    }
    for (const [path, expected] of Object.entries(rows))
      t.equal(await outcome(path), expected, path)
  }),
)

test(
  'parameters in the path',
  overEngines(async (t, service) => {
    const outcome = await sampled(service)
    const spaced = OTHER_IBAN.replace(/(.{4})/g, '$1%20')
    const rows = {
      'accounts/1': '200',
      'accounts/01': '200',
      'accounts/%31': '200',
      'accounts/0': `400 ${BAD}`,
      'accounts/9': '400 not_found',
      'accounts/9007199254740992': `400 ${BAD}`,
      [`accounts/${OWN_IBAN}`]: '200',
      [`accounts/${OWN_IBAN.toLowerCase()}`]: '200',
      'accounts/DE00': '400 not_found',
      'accounts/-1': '400 not_found',
      'accounts/a%20b': `400 ${BAD}`,
      'accounts/%ff': `400 ${BAD}`,
      'accounts/a.b': `400 ${BAD}`,
      [`accounts/${OWN_IBAN.toLowerCase()}/transactions`]: '200',
      'transactions/1': '200',
      'transactions/0': `400 ${BAD}`,
      'transactions/-1': `400 ${BAD}`,
      'transactions/1e3': `400 ${BAD}`,
      'transactions/1.0': `400 ${BAD}`,
      'transactions/abc': `400 ${BAD}`,
      'transactions/9007199254740991': '400 not_found',
      'transactions/9007199254740992': `400 ${BAD}`,
      'transactions/%zz': `400 ${BAD}`,
      'categories/1': '200',
      'categories/9': '400 not_found',
      'categories/0': `400 ${BAD}`,
      'categories/Telefon': `400 ${BAD}`,
      'accounts/9/transactions/search': '400 not_found',
      'accounts/9/transactions/search?query=a': '400 not_found',
      [`accounts/${OWN_IBAN.toLowerCase()}/transactions/search?query=a`]: '200',
      [`counterpart/${spaced}/transactions/search?query=a`]: '200',
      'counterpart/1/transactions/search': `400 ${BAD}`,
      [`counterpart/${spaced}/transactions`]: '200',
      [`counterpart/${OTHER_IBAN.toLowerCase()}/transactions`]: '200',
      'counterpart/DE00000000000000000000/transactions': '200',
      'counterpart/1/transactions': `400 ${BAD}`,
      'counterpart/%20/transactions': `400 ${BAD}`,
      'counterpart/DE02%C4%B1/transactions': `400 ${BAD}`,
      'counterpart/%ff/transactions': `400 ${BAD}`,
    }
    for (const [path, expected] of Object.entries(rows))
      t.equal(await outcome(path), expected, path)
  }),
)

test(
  'a message names the parameter, the allowed values, and the intended name',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const rows = {
      'limt=5': /"limt".*did you mean limit, as in limit=/,
      'limit=251': /^limit must be a whole number from 0 to 250, not "251"/,
      'limit=1&limit=2': /^limit is sent more than once/,
      'order=up': /^order must be one of asc, desc, 1, -1, not "up"/,
      'offset=': /^offset has no value/,
      [`bookedAfter=${FEBRUARY_30}`]: /^bookedAfter must be a valid instant/,
      'category=%ff': /^category is not percent-encoded UTF-8/,
      'zzzzzz=1': /"zzzzzz": the parameters are category, parentCategory/,
    }
    for (const [query, message] of Object.entries(rows)) {
      const reply = await service.ask(`/v1/w/transactions?${query}`, { key })
      t.match(bodyOf(reply), { message }, query)
    }
    const searches = {
      [`query=${long(257)}`]: /^query must be at most 256 characters long; for example query=tele/,
      [`query=${'a+'.repeat(33)}`]: /^query must be at most 32 terms, not 33; for example query=/,
      'query=a%00b': /^query must not contain control characters .* U\+0000; for example query=/,
      'qurey=a': /"qurey": did you mean query, as in query=/,
    }
    for (const [query, message] of Object.entries(searches)) {
      const reply = await service.ask(`/v1/w/transactions/search?${query}`, { key })
      t.match(bodyOf(reply), { message }, query)
    }
  }),
)

/** Query -> rows of the sample that it selects. */
const SELECTIONS: readonly (readonly [query: string, passes: (row: TransactionRow) => boolean])[] =
  [
    ['category=Telefon', (row) => row.categoryId === 2],
    ['category=2', (row) => row.categoryId === 2],
    ['category=4711', (row) => row.categoryId === 3],
    ['category=telefon', () => false],
    ['category=B%C3%BCro', (row) => row.categoryId === 1],
    ['category=1', (row) => row.categoryId === 1],
    ['parentCategory=B%C3%BCro', (row) => row.categoryId !== null],
    ['parentCategory=1', (row) => row.categoryId !== null],
    ['parentCategory=Telefon', (row) => row.categoryId === 2],
    ['category=Telefon&parentCategory=1', (row) => row.categoryId === 2],
    ['category=1&parentCategory=1', () => false],
    ['category=Telefon&parentCategory=4711', () => false],
    ['bookedAfter=2026-01-02T00:00:00.000Z', (row) => (row.bookedAt ?? 0) > SECOND_DAY_MS],
    [
      'bookedBefore=2026-01-02T00:00:00.000Z',
      (row) => row.bookedAt !== null && row.bookedAt < SECOND_DAY_MS,
    ],
    ['importedBefore=2026-01-01T00:00:00.002Z', (row) => row.importedAt <= FIRST_DAY_MS + 1],
  ]

test(
  'categories by id and name, dates strictly',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    for (const [query, passes] of SELECTIONS) {
      const reply = await service.ask(`/v1/w/transactions?${query}&limit=250&order=asc`, { key })
      const expected = SAMPLE.transactions.filter(passes).map(({ id }) => id)
      const found = bodyOf(reply) as { id: number }[]
      t.equal(reply.fields['x-total-count'], String(expected.length), query)
      t.same(
        found.map(({ id }) => id),
        expected.slice(0, 250),
        query,
      )
    }
  }),
)
