import { strict as assert } from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { test } from 'tap'
import {
  AccountSums,
  BALANCES_AT_ONCE_MAX,
  type BalanceSum,
  sumsByCurrency,
} from '../../src/dashboard/account-sums.js'
import { sumOf } from '../../src/money.js'
import type { AccountEntry } from '../../src/snapshot/snapshot.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { amounts } from '../fixtures/workspaces.js'

const entries = fc.array(
  fc.record({
    currency: fc.constantFrom('EUR', 'USD', 'CHF'),
    balance: fc.option(
      amounts().map(([unscaled, scale]) => ({ unscaled, scale })),
      { nil: undefined },
    ),
  }),
)

function naiveSums(accounts: readonly Pick<AccountEntry, 'currency' | 'balance'>[]): BalanceSum[] {
  const withOne = accounts.filter(({ balance }) => balance !== undefined)
  const currencies = [...new Set(withOne.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const own = withOne.filter((each) => each.currency === currency)
    const sum = own.reduce(
      (all, { balance }) => all + sumOf(BigInt(balance?.unscaled ?? 0), balance?.scale ?? 0),
      0n,
    )
    return { currency, sum }
  })
}

test('balances are added up by currency; accounts without one are left out', async () => {
  const sums = new AccountSums()
  await assertProperty(
    fc.asyncProperty(entries, async (some) => {
      const accounts = some as unknown as readonly AccountEntry[]
      assert.deepEqual(await sums.of(accounts), naiveSums(accounts))
      assert.equal(sums.of(accounts), sums.of(accounts), 'the sums of a list are added up once')
    }),
  )
})

test('other work runs between the slices of a long list', async (t) => {
  const sliceCount = 5
  const count = sliceCount * BALANCES_AT_ONCE_MAX
  const balances = Array.from({ length: count }, () => ({ currency: 'EUR', sum: 1n }))
  let turnCount = 0
  let isDone = false
  const adding = sumsByCurrency(balances).then((sums) => {
    isDone = true
    return sums
  })
  while (!isDone) {
    await nextTurn()
    turnCount += 1
  }
  t.same(await adding, [{ currency: 'EUR', sum: BigInt(count) }])
  t.ok(turnCount >= sliceCount, `${turnCount} turns`)
})
