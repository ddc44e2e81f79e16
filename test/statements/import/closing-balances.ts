// The balance of an account is that of its newest statement, in any order of imports.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { StatementEvent } from '../../../src/statements/statement.js'
import type { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { withWorkspace } from '../../fixtures/files.js'
import { balance, booking, giro, importEvents } from '../../fixtures/statement-events.js'

/** A statement of one day with one entry, from `opening` to `closing`. @param bookedOn its day */
function statement(
  day: number,
  opening: number,
  closing: number,
  bookedOn = day,
): StatementEvent[] {
  return [
    giro,
    balance('opening', String(opening), day),
    booking(String(closing - opening), bookedOn, { purpose: `day ${day}` }),
    balance('closing', String(closing), day),
  ]
}

const balanceOf = (file: WorkspaceFile): number | null | undefined =>
  file.accounts()[0]?.balanceUnscaled

test('the closing balance of the newest day is kept, whatever the order of imports', async () => {
  const closings = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 6 })
  const imports = closings.chain((all) => {
    const days = { minLength: all.length, maxLength: all.length }
    // Some banks book an entry after the day of the balance that includes it.
    const files = fc
      .array(fc.nat({ max: 1 }), days)
      .map((late) =>
        all.map((to, day) => statement(day, all[day - 1] ?? 0, to, day + (late[day] ?? 0))),
      )
    const order = fc.array(fc.nat({ max: all.length - 1 }), { minLength: 1, maxLength: 12 })
    return fc.record({ all: fc.constant(all), files, order })
  })
  await assertProperty(
    fc.asyncProperty(imports, async ({ all, files, order }) => {
      await withWorkspace(async (file) => {
        let newest = -1
        for (const day of order) {
          await importEvents(file, files[day] ?? [])
          newest = Math.max(newest, day)
          assert.equal(balanceOf(file), all[newest])
        }
      })
    }),
  )
})

test('a statement without entries gives a first balance, and changes no known one', async (t) => {
  const empty = (day: number, text: string): StatementEvent[] => [
    giro,
    balance('opening', text, day),
    balance('closing', text, day),
  ]
  await withWorkspace(async (file) => {
    await importEvents(file, empty(3, '70'))
    t.equal(balanceOf(file), 70)
    await importEvents(file, empty(5, '90'))
    t.equal(balanceOf(file), 70)
    await importEvents(file, statement(4, 70, 60))
    t.equal(balanceOf(file), 60)
  })
})

test('a closing balance before the newest booking is not kept', async (t) => {
  await withWorkspace(async (file) => {
    await importEvents(file, [giro, booking('5', 9, { purpose: 'later' })])
    t.equal(balanceOf(file), null)
    await importEvents(file, statement(8, 0, 5))
    t.equal(balanceOf(file), null)
    await importEvents(file, statement(10, 0, 6))
    t.equal(balanceOf(file), 6)
  })
})

test('a proved closing balance includes entries booked after its day', async (t) => {
  await withWorkspace(async (file) => {
    await importEvents(file, statement(3, 0, 90, 4))
    t.equal(balanceOf(file), 90)
    const unproved = [giro, booking('-5', 6, { purpose: 'late' }), balance('closing', '85', 5)]
    await importEvents(file, unproved)
    t.equal(balanceOf(file), 90, 'without an opening balance')
    await importEvents(file, [giro, booking('-1', 7, { purpose: 'of no statement' })])
    await importEvents(file, statement(6, 85, 60, 7))
    t.equal(balanceOf(file), 90, 'another entry is booked after the day')
  })
})

test('a closing balance without a day has that of its newest entry', async (t) => {
  const amount = { unscaled: 7, scale: 0 }
  const undated: StatementEvent = {
    kind: 'balance',
    balance: { kind: 'closing', amount, currency: 'EUR' },
  }
  await withWorkspace(async (file) => {
    await importEvents(file, [giro, undated])
    t.equal(balanceOf(file), null, 'no entry names a day')
    await importEvents(file, statement(10, 0, 5))
    await importEvents(file, [giro, booking('1', 9), undated])
    t.equal(balanceOf(file), 5)
    await importEvents(file, [giro, booking('2', 11), undated])
    t.equal(balanceOf(file), 7)
  })
})

test('only a closing balance in the currency of the account is kept', async (t) => {
  await withWorkspace(async (file) => {
    const closing = balance('closing', '7', 1)
    if (closing.kind !== 'balance') throw new Error('a balance is expected')
    const foreign: StatementEvent = { ...closing, balance: { ...closing.balance, currency: 'USD' } }
    await importEvents(file, [giro, booking('1', 1), foreign])
    t.equal(balanceOf(file), null)
  })
})
