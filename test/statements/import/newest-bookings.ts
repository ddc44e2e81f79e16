import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { NewestBookings } from '../../../src/statements/import/newest-bookings.js'
import type { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { withWorkspace } from '../../fixtures/files.js'
import { accountRow, FIRST_DAY_MS, transactionRow } from '../../fixtures/sample-workspace.js'
import { amount, DAY_MS } from '../../fixtures/statement-events.js'

const ACCOUNTS = 6
const account = fc.integer({ min: 1, max: ACCOUNTS })
const day = fc.option(fc.nat({ max: 20 }), { nil: undefined })
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('stored' as const), account, day }),
    fc.record({ kind: fc.constant('ask' as const), account }),
  ),
  { maxLength: 30 },
)

function naiveNewest(file: WorkspaceFile, accountId: number): number | undefined {
  const days = [...file.transactionsOldestFirst()]
    .filter((row) => row.accountId === accountId)
    .flatMap(({ bookedAt }) => (bookedAt === null ? [] : [bookedAt]))
  return days.length === 0 ? undefined : Math.max(...days)
}

test('the newest booking of each account is that of all its rows at any time', async () => {
  await assertProperty(
    fc.asyncProperty(steps, async (todo) => {
      await withWorkspace(async (file) => {
        for (let id = 1; id <= ACCOUNTS; id++) file.insertAccount(accountRow(id))
        const newest = new NewestBookings(file)
        let id = 0
        for (const step of todo) {
          if (step.kind === 'ask') {
            assert.equal(newest.of(step.account), naiveNewest(file, step.account))
            continue
          }
          id += 1
          const bookedAt = step.day === undefined ? undefined : FIRST_DAY_MS + step.day * DAY_MS
          const written = {
            amount: amount('1'),
            currency: 'EUR',
            counterpart: {},
            position: 'here',
          }
          newest.take(step.account, bookedAt === undefined ? written : { ...written, bookedAt })
          file.insertTransaction(
            transactionRow(id, step.account, { bookedAt: bookedAt ?? null }),
            null,
          )
        }
        newest.forget()
        for (let each = 1; each <= ACCOUNTS; each++) {
          assert.equal(newest.of(each), naiveNewest(file, each))
        }
      })
    }),
    { numRuns: 40 },
  )
})

test('a file of many accounts reads transactions four times, not once an account', async (t) => {
  await withWorkspace(async (file) => {
    let readCount = 0
    const counted = {
      newestBookings: () => {
        readCount += 1
        return file.newestBookings()
      },
      newestBookedAt: (id: number) => {
        readCount += 1
        return file.newestBookedAt(id)
      },
    }
    const newest = new NewestBookings(counted as unknown as WorkspaceFile)
    for (let id = 1; id <= 1_000; id++) newest.of(id)
    t.equal(readCount, 4)
  })
})
