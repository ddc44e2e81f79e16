// The filters that kontor adds to those of the contract (docs/extensions/filters.md), as tables.
import { test } from 'tap'
import type { TransactionRow } from '../../../src/store/columns.js'
import { FIRST_DAY_MS, OTHER_IBAN, OWN_IBAN, SAMPLE } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines } from '../../fixtures/service.js'

const BAD = 'invalid_parameter'
const SECOND_DAY_MS = FIRST_DAY_MS + 86_400_000

/** Paths of operations with filters, up to the next parameter. */
const PATHS = [
  'transactions',
  'accounts/1/transactions',
  `counterpart/${OTHER_IBAN}/transactions`,
].flatMap((path) => [`${path}?`, `${path}/search?`, `${path}/match?query=RE-1&`])

/** Query -> outcome. */
const QUERIES: readonly (readonly [query: string, outcome: string])[] = [
  ...['valued', 'booked', 'imported'].flatMap((name) =>
    ['From', 'To'].flatMap((side) => [
      [`${name}${side}=2024-02-29`, '200'] as const,
      [`${name}${side}=2026-02-29`, `400 ${BAD}`] as const,
      [`${name}${side}=2026-01-31T00:00:00.000Z`, `400 ${BAD}`] as const,
      [`${name}${side}=31.01.2026`, `400 ${BAD}`] as const,
      [`${name}${side}=`, `400 ${BAD}`] as const,
    ]),
  ),
  ['bookedFrom=2026-02-01&bookedTo=2026-01-01&bookedAfter=2026-03-01', '200'],
  ['updatedFrom=2026-01-31', '400 unknown_parameter'],
  ...['amountFrom', 'amountTo', 'absoluteAmount'].flatMap((name) => [
    ...['0', '-0', '007', '1.5', '0.00001', '999999999999999', '9999999999.99999'].map(
      (text) => [`${name}=${text}`, '200'] as const,
    ),
    ...['', '%2B5', '.5', '5.', '1e3', '1,5', '1.000001', '1000000000000000', 'x', '1%20'].map(
      (text) => [`${name}=${text}`, `400 ${BAD}`] as const,
    ),
  ]),
  ['amountFrom=-5', '200'],
  ['amountTo=-0.01', '200'],
  ['amountFrom=5&amountTo=-5', '200'],
  ['absoluteAmount=-5', `400 ${BAD}`],
  ['direction=in', '200'],
  ['direction=out', '200'],
  ...['', 'IN', 'both', 'toString'].map((text) => [`direction=${text}`, `400 ${BAD}`] as const),
  ['currency=EUR', '200'],
  ['currency=XXX', '200'],
  ...['', 'eur', 'EURO', '%E2%82%AC'].map((text) => [`currency=${text}`, `400 ${BAD}`] as const),
  ['uncategorized=true', '200'],
  ['uncategorized=false', '200'],
  ...['', '1', 'TRUE', 'yes'].map((text) => [`uncategorized=${text}`, `400 ${BAD}`] as const),
  ...['include', 'exclude', 'only'].map((text) => [`ownTransfers=${text}`, '200'] as const),
  ...['', 'true', 'none'].map((text) => [`ownTransfers=${text}`, `400 ${BAD}`] as const),
  ['direction=in&direction=out', '400 repeated_parameter'],
]

test(
  'values of the filters, on every operation that takes them',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    for (const [query, expected] of QUERIES) {
      for (const path of PATHS) {
        const reply = await service.ask(`/v1/w/${path}${query}`, { key })
        t.equal(outcomeOf(reply), expected, path + query)
      }
    }
  }),
)

/** Values of `accountIds` -> outcome. */
const ACCOUNT_LISTS: readonly (readonly [text: string, outcome: string])[] = [
  ['1', '200'],
  ['1,2,3', '200'],
  [`1,${OWN_IBAN}`, '200'],
  [OTHER_IBAN.toLowerCase(), '200'],
  ['1,01,1', '200'],
  [Array.from({ length: 60 }, () => '1').join(','), '200'],
  [Array.from({ length: 51 }, (_, i) => i + 1).join(','), `400 ${BAD}`],
  ['9', '400 not_found'],
  ['1,9', '400 not_found'],
  ['DE00', '400 not_found'],
  ...['', ',', '1,', ',1', '1,,2', '1,%202', '1;2', '0', '1.5', '9007199254740992', '%C3%A4'].map(
    (text) => [text, `400 ${BAD}`] as const,
  ),
]

test(
  'accounts of a list: all of them visible, and not below one account',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key: fullKey } = await service.newKey('w')
    const outcome = async (path: string): Promise<string> =>
      outcomeOf(await service.ask(`/v1/w/${path}`, { key: fullKey }))
    const paths = PATHS.filter((path) => !path.startsWith('accounts'))
    for (const [text, expected] of ACCOUNT_LISTS) {
      for (const path of paths) {
        t.equal(await outcome(`${path}accountIds=${text}`), expected, `${path} ${text}`)
      }
    }
    for (const verb of ['', '/search', '/match']) {
      const path = `accounts/1/transactions${verb}?accountIds=1`
      t.equal(await outcome(path), '400 unknown_parameter', path)
    }
    const { key } = await service.newKey('w', { accountIds: [1] })
    const replies = await Promise.all(
      ['2', '9'].map((id) => service.ask(`/v1/w/transactions?accountIds=1,${id}`, { key })),
    )
    const [hidden, missing] = replies.map(({ status, text }) => `${status} ${text}`)
    t.equal(hidden?.replace('id 2', 'id 9'), missing, 'out of sight, or not there: both alike')
    const own = await service.ask('/v1/w/transactions?accountIds=1', { key })
    t.equal(own.fields['x-total-count'], '300')
  }),
)

test(
  'a message names the filter, what is wrong, and a valid value',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const rows = {
      'bookedTo=2026-02-30':
        /^bookedTo must be a valid day YYYY-MM-DD, not "2026-02-30"; for example bookedTo=2026/,
      'updatedAfter=now':
        /^updatedAfter must be a valid instant .*, not "now"; for example updatedA/,
      'amountFrom=1,5':
        /^amountFrom must be a decimal number .*, not "1,5"; for example amountFrom=1000$/,
      'amountTo=.5': /^amountTo must be a decimal number .*; for example amountTo=-0\.01$/,
      'absoluteAmount=-5':
        /^absoluteAmount must be a decimal number of 0 or .*; for example absoluteAmount=574\.7$/,
      'direction=up': /^direction must be one of in, out, not "up"; for example direction=out$/,
      'currency=eur': /^currency must be a currency code .*"eur"; for example currency=EUR$/,
      'uncategorized=1':
        /^uncategorized must be true or false, not "1"; for example uncategorized=true$/,
      'ownTransfers=no':
        /^ownTransfers must be one of include, exclude, only, not "no"; .* ownTransfers=exclude$/,
      'accountIds=1,%202':
        /^accountIds must be account ids or IBANs, .* not " 2"; for example accountIds=1,DE89/,
      'accountIds=9':
        /^accountIds names an account that is not accessible: id 9; for example accou/,
    }
    for (const [query, message] of Object.entries(rows)) {
      const reply = await service.ask(`/v1/w/transactions?${query}`, { key })
      t.match(bodyOf(reply), { message }, query)
    }
  }),
)

/** Query -> rows of the sample that it selects. */
const SELECTIONS: readonly (readonly [query: string, passes: (row: TransactionRow) => boolean])[] =
  [
    ['importedTo=2026-01-01', (row) => row.importedAt < SECOND_DAY_MS],
    ['bookedAfter=2026-01-02', (row) => (row.bookedAt ?? 0) > SECOND_DAY_MS],
    ['bookedFrom=2026-01-02', (row) => (row.bookedAt ?? 0) >= SECOND_DAY_MS],
    ['bookedFrom=2026-01-02&bookedTo=2026-01-02', (row) => row.bookedAt === SECOND_DAY_MS],
    ['bookedFrom=2026-01-02&bookedAfter=2026-01-02', (row) => (row.bookedAt ?? 0) > SECOND_DAY_MS],
    ['bookedFrom=2026-01-03&bookedTo=2026-01-02', () => false],
    ['updatedAfter=2026-01-01', () => false],
    ['updatedAfter=2025-12-31&updatedBefore=2026-01-01T00:00:00.001Z', () => true],
    ['absoluteAmount=0.5', ({ amountUnscaled }) => Math.abs(amountUnscaled) === 50],
    ['absoluteAmount=0', ({ amountUnscaled }) => amountUnscaled === 0],
    ['amountFrom=-0.25&amountTo=0.500', ({ amountUnscaled: cents }) => cents >= -25 && cents <= 50],
    ['direction=out', ({ amountUnscaled }) => amountUnscaled < 0],
    ['direction=in&absoluteAmount=0.50', ({ amountUnscaled }) => amountUnscaled === 50],
    ['currency=USD', () => false],
    ['currency=EUR', () => true],
    ['uncategorized=true', ({ categoryId }) => categoryId === null],
    ['uncategorized=false', ({ categoryId }) => categoryId !== null],
    ['accountIds=2,3', ({ accountId }) => accountId > 1],
    [`accountIds=1,${OTHER_IBAN}`, ({ accountId }) => accountId < 3],
    ['ownTransfers=only', ({ counterpartIban }) => counterpartIban !== null],
    ['ownTransfers=exclude', ({ counterpartIban }) => counterpartIban === null],
    ['ownTransfers=include', () => true],
  ]

test(
  'the filters select the rows that they describe',
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

test(
  'own transfers are those with the accounts that a key may see',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w', { accountIds: [1] })
    const count = async (query: string): Promise<unknown> =>
      (await service.ask(`/v1/w/transactions?${query}`, { key })).fields['x-total-count']
    // Every counterpart is account 2 or 3.
    t.equal(await count('ownTransfers=only'), '0')
    t.equal(await count('ownTransfers=exclude'), '300')
  }),
)
