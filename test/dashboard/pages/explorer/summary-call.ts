import { test } from 'tap'
import type { DashboardContext } from '../../../../src/dashboard/dashboard-context.js'
import { summedGroups } from '../../../../src/dashboard/pages/explorer/summary-call.js'
import { contextAt } from '../../../fixtures/dashboard-context.js'
import { naiveSummary } from '../../../fixtures/naive-summary.js'
import { SAMPLE, transactionRow } from '../../../fixtures/sample-workspace.js'
import { snapshotOf } from '../../../fixtures/snapshots.js'
import { ToolFixture } from '../../../fixtures/tool-fixture.js'

const DAY_MS = 86_400_000

/** A row on each of several hundred days: more groups than a page of the operation has. */
const EARLIER = {
  ...SAMPLE,
  transactions: Array.from({ length: 600 }, (_, i) =>
    transactionRow(i + 10, 1, { bookedAt: (i + 1) * DAY_MS, amountUnscaled: i - 300 }),
  ),
}

/** The same after a commit, which adds a group before all others and changes one. */
const LATER = {
  ...EARLIER,
  transactions: [
    ...EARLIER.transactions,
    transactionRow(1, 1, { bookedAt: 0, amountUnscaled: 7 }),
    transactionRow(2, 1, { bookedAt: 300 * DAY_MS, amountUnscaled: 7 }),
  ],
}

test('groups of several pages are all of one snapshot, whatever is committed', async (t) => {
  const earlier = snapshotOf(EARLIER)
  const { fixture: service } = new ToolFixture(snapshotOf(LATER))
  const { snapshots } = service.parts
  const context = { ...contextAt('/dashboard'), nowMs: 0, parts: { service, snapshots } }
  const byDay = await summedGroups(
    context as unknown as DashboardContext,
    earlier,
    {},
    {
      groupBy: 'day',
    },
  )
  t.same(byDay, naiveSummary(EARLIER.transactions, EARLIER, ['day']))
  t.equal(byDay.length, 600)
  const { length } = await summedGroups(
    context as unknown as DashboardContext,
    earlier,
    {},
    {
      groupBy: 'day',
      countMax: 251,
    },
  )
  t.equal(length, 251)
})
