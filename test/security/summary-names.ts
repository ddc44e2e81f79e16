// A summary shows a restricted credential the names and sums of its own rows, as if no other
// account existed.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { assertProperty } from '../fixtures/assert-property.js'
import { given } from '../fixtures/given-workspace.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { outcomeOf, overEngines } from '../fixtures/service.js'

const GROUPINGS = [
  ...['counterpart', 'account', 'category', 'parentCategory', 'month', 'day', 'direction'],
  ...['counterpart,month', 'account,counterpart', 'day,category', 'direction,counterpart'],
]

/** Rows of accounts 1 to 3: names, IBANs and currencies that others have as well, or alone. */
const rows = fc
  .array(
    fc.record({
      accountId: fc.constantFrom(1, 2, 3),
      counterpartName: fc.constantFrom('Müller', 'MULLER', 'Hidden', null),
      counterpartIban: fc.constantFrom('X1', 'X2', null),
      currency: fc.constantFrom('EUR', 'USD', 'CHF'),
      categoryId: fc.constantFrom(1, 2, null),
      bookedAt: fc.constantFrom(1_767_225_600_000, 1_780_000_000_000, null),
      amountUnscaled: fc.integer({ min: -300, max: 300 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((drawn) =>
    drawn.map(({ accountId, ...known }, i) => transactionRow(i + 1, accountId, known)),
  )

test(
  'rows of other accounts change no summary of a restricted key',
  overEngines(async (t, service) => {
    let groupCount = 0
    await assertProperty(
      fc.asyncProperty(rows, fc.subarray(GROUPINGS, { minLength: 3 }), async (all, groupings) => {
        const own = all.filter(({ accountId }) => accountId !== 3)
        const whole = await given(service, { ...SAMPLE, transactions: all }, [0, 1])
        const alone = await given(service, { ...SAMPLE, transactions: own }, [0, 1])
        for (const groupBy of groupings) {
          for (const sorting of ['', '&sortBy=net']) {
            const query = `transactions/summary?groupBy=${groupBy}${sorting}`
            const reply = await service.ask(`${whole.root}/${query}`, { key: whole.key })
            const expected = await service.ask(`${alone.root}/${query}`, { key: alone.key })
            assert.equal(outcomeOf(reply), '200')
            assert.equal(reply.text, expected.text, groupBy)
            assert.equal(reply.fields['x-total-count'], expected.fields['x-total-count'])
            groupCount += Number(reply.fields['x-total-count'])
          }
        }
      }),
      { numRuns: 15 },
    )
    t.ok(groupCount > 50, `${groupCount} groups`)
  }),
)

test(
  'a key and a key for all accounts do not share what is kept',
  overEngines(async (t, service) => {
    const transactions = [1, 3].flatMap((accountId, i) =>
      [1, 2, 3].map((number) =>
        transactionRow(i * 3 + number, accountId, {
          counterpartIban: 'X1',
          counterpartName: accountId === 1 ? 'own' : `hidden ${number}`,
        }),
      ),
    )
    const { root, key } = await given(service, { ...SAMPLE, transactions }, [0])
    const all = (await service.newKey(root.slice('/v1/'.length))).key
    const target = `${root}/transactions/summary?groupBy=counterpart`
    for (let i = 0; i < 2; i++) {
      t.match((await service.ask(target, { key: all })).text, /"count":6/)
      t.match((await service.ask(target, { key })).text, /"name":"own".*"count":3/)
    }
    t.notMatch((await service.ask(target, { key })).text, /hidden/)
  }),
)
