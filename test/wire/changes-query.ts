import { test } from 'tap'
import { ACCOUNT_IDS_MAX } from '../../src/limits.js'
import { parseChangesQuery } from '../../src/wire/changes-query.js'

const PLAIN = { since: undefined, limit: 100, wait: 0, accounts: undefined }
const IBAN = 'DE89370400440532013000'

test('parameters are read, and have defaults', async (t) => {
  t.same(parseChangesQuery(''), PLAIN)
  t.same(parseChangesQuery('limit=250&wait=30&since=abc'), {
    ...PLAIN,
    ...{ limit: 250, wait: 30, since: 'abc' },
  })
  const accounts = [{ accountId: 7 }, { iban: IBAN }]
  t.same(parseChangesQuery(`accountIds=7,${IBAN.toLowerCase()},007,${IBAN}`).accounts, accounts)
  const ibans = Array.from(
    { length: ACCOUNT_IDS_MAX },
    (_, i) => `DE${String(i).padStart(32, '0')}`,
  )
  t.equal(parseChangesQuery(`accountIds=${ibans}`).accounts?.length, ACCOUNT_IDS_MAX)
})

for (const [query, code, message] of [
  ['limit=0', 'invalid_parameter', /^limit must be a whole number from 1 to 250, not "0"; for ex/],
  ['limit=251', 'invalid_parameter', /^limit must be/],
  ['wait=31', 'invalid_parameter', /^wait must be a whole number from 0 to 30, not "31"; for ex/],
  ['wait=1.5', 'invalid_parameter', /^wait must be/],
  ['wait=-1', 'invalid_parameter', /^wait must be/],
  ['since=', 'invalid_parameter', /^since has no value/],
  ['accountIds=', 'invalid_parameter', /^accountIds has no value/],
  [
    'accountIds=1,,2',
    'invalid_parameter',
    /^accountIds must be account ids or IBANs, .* for example accountIds=1,DE/,
  ],
  ['accountIds=1,%202', 'invalid_parameter', /^accountIds must be account ids or IBANs/],
  ['accountIds=0', 'invalid_parameter', /^accountIds must be account ids or IBANs/],
  ['accountIds=DE%C3%9F1', 'invalid_parameter', /^accountIds must be account ids or IBANs/],
  ['accountIds=9007199254740992', 'invalid_parameter', /^accountIds must be account ids or IBANs/],
  ['limit=1&limit=1', 'repeated_parameter', /^limit is sent more than once/],
  ['offset=1', 'unknown_parameter', /^Unknown parameter "offset"/],
  ['sinc=a', 'unknown_parameter', /did you mean since/],
] as const) {
  test(`refused: ${query}`, async (t) => {
    t.throws(() => parseChangesQuery(query), { name: 'ApiError', code, message })
  })
}

test('refused: more accounts than are allowed', async (t) => {
  const ids = Array.from({ length: ACCOUNT_IDS_MAX + 1 }, (_, i) => i + 1)
  t.throws(() => parseChangesQuery(`accountIds=${ids}`), { message: /at most 50 accounts, not 51/ })
  t.doesNotThrow(() => parseChangesQuery(`accountIds=${ids.slice(1)},2`), 'a repeated one is one')
})
