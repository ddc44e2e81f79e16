import { test } from 'tap'
import {
  readAccounts,
  readDuration,
  readExpiry,
  readIpAllow,
  readName,
  readScopes,
  readTime,
  readTools,
} from '../../src/cli/credential-flags.js'

const NOW_MS = 1_782_864_000_000

test('typed values are parsed', async (t) => {
  t.same(readScopes('accounts:read, transactions:read'), ['transactions:read', 'accounts:read'])
  t.equal(readAccounts('all'), null)
  t.same(readAccounts('2, 1,2'), [1, 2])
  t.equal(readTools('all'), null)
  t.same(readTools('get_accounts,get_transactions'), ['get_transactions', 'get_accounts'])
  t.equal(readExpiry(undefined, NOW_MS), null)
  t.equal(readExpiry('2026-07-02', NOW_MS), NOW_MS + 86_400_000)
  t.equal(readTime('--since', '2026-07-01T00:00:00.001Z'), NOW_MS + 1)
  t.equal(readIpAllow([]), undefined)
  t.same(readIpAllow(['::1, 10.0.0.0/8', '192.0.2.7']), ['::1', '10.0.0.0/8', '192.0.2.7'])
  t.equal(readName('--name', 'Söhne & Co'), 'Söhne & Co')
  t.equal(readDuration('--overlap', '2h', { minMs: 0, maxMs: 7_200_000 }), 7_200_000)
})

test('an invalid value is refused with the expected form', async (t) => {
  const range = { minMs: 1_000, maxMs: 86_400_000 }
  const refused: readonly (readonly [read: () => unknown, message: RegExp])[] = [
    [() => readScopes('accounts:write'), /unknown scope "accounts:write"; use transactions:read/],
    [() => readScopes(''), /unknown scope ""/],
    [() => readAccounts('1,x'), /--accounts "1,x": the word all, or account ids/],
    [() => readAccounts('none'), /--accounts "none"/],
    [() => readTools('get_secrets'), /unknown tool "get_secrets"; use get_transactions and/],
    [() => readExpiry('2026-07-01', NOW_MS), /--expires 2026-07-01 is in the past/],
    [() => readTime('--since', 'yesterday'), /--since "yesterday": a day such as 2027-01-01/],
    [() => readIpAllow(['10.0.0.0/8,']), /--ip-allow contains ""; addresses such as 192\.0\.2\.7/],
    [() => readName('--name', 'a\nb'), /--name must not contain control characters/],
    [() => readDuration('--o', '2d', range), /--o "2d": a time from 1s to 1d, such as 30s/],
    [() => readDuration('--o', '0', range), /--o "0": a time from 1s to 1d/],
    [() => readDuration('--o', 'long', range), /--o "long"/],
  ]
  for (const [read, message] of refused) t.throws(read, { kind: 'usage', message })
})
