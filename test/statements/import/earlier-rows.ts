import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { importStatement } from '../../../src/statements/import/import.js'
import type { StatementEvent, StatementTransaction } from '../../../src/statements/statement.js'
import { openDatabase } from '../../../src/store/sqlite/database.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { WORKSPACE_MIGRATIONS } from '../../../src/store/sqlite/workspace-schema.js'

const OPTIONS = { now: Date.UTC(2026, 1, 1), lenient: false }

/** A booking of a day of January 2026. */
function booking(
  day: number,
  unscaled: number,
  purpose: string,
  position = 'line 1',
): StatementTransaction {
  const at = Date.UTC(2026, 0, day)
  const amount = { unscaled, scale: 2 }
  const text = purpose === '' ? {} : { purpose }
  return { amount, currency: 'EUR', bookedAt: at, counterpart: {}, position, ...text }
}

async function* statement(accountNumber: string, rows: readonly StatementTransaction[]) {
  const account = { accountNumber, blz: '76010085', currency: 'EUR' }
  const events: StatementEvent[] = [{ kind: 'account', account }]
  for (const transaction of rows) events.push({ kind: 'transaction', transaction })
  yield events
}

/** A workspace with rows of the version before, whose schema had no such rows. */
async function upgraded(path: string, rows: readonly StatementTransaction[], number = '4711') {
  const file = WorkspaceFile.open(path)
  await importStatement(file, statement(number, rows), OPTIONS)
  file.close()
  const connection = openDatabase(path, WORKSPACE_MIGRATIONS)
  const last = '(SELECT coalesce(max(id), 0) FROM transactions)'
  connection.exec(`UPDATE workspace SET earlier_rows_last = ${last}`)
  connection.close()
  return WorkspaceFile.open(path)
}

test('bookings that an earlier reader worded differently are not added again', async (t) => {
  const before = [
    booking(5, -1250, 'Bestellung Nummer.344 253 DATUM 03.01.2026'),
    booking(5, -1250, 'Miete Garage Januar'),
    booking(6, 900, ''),
  ]
  const file = await upgraded(join(t.testdir(), 'a.db'), before)
  const after = [
    booking(5, -1250, 'Miete Garage Januar'),
    booking(5, -1250, 'Bestellung Nummer. 344253 DATUM 03.01.2026 /OCMT/USD15/'),
    booking(6, 900, 'Mesecna provizija 160309522'),
  ]
  const report = await importStatement(file, statement('4711', after), OPTIONS)
  t.match(report, { added: 0, unchanged: 3 })
  t.same(report.warnings, ['2 entries were already imported by an earlier version of kontor'])

  const others = [
    booking(5, -1250, 'Versicherung KFZ 2026 Beitrag'),
    booking(5, -1251, 'Miete Garage Januar'),
    booking(7, 900, ''),
    booking(6, 900, ''),
    booking(6, 900, 'a second one of this day'),
  ]
  t.match(await importStatement(file, statement('4711', others), OPTIONS), {
    added: 4,
    unchanged: 1,
  })
  file.close()
})

test('a booking that was read in another encoding is not added again', async (t) => {
  const before = [
    booking(5, -1250, 'M\u0081ller \u0161berweisung f\u0081r B\u0081cher Geb\u0081hr 1'),
    booking(6, -900, '\u041f\u043b\u0430\u0442\u0435\u0436 1'),
  ]
  const file = await upgraded(join(t.testdir(), 'a.db'), before)
  const after = [
    booking(5, -1250, 'Müller Überweisung für Bücher Gebühr 1'),
    booking(6, -900, '\u0410\u0440\u0435\u043d\u0434\u0430 1'),
  ]
  t.match(await importStatement(file, statement('4711', after), OPTIONS), {
    ...{ added: 1, unchanged: 1 },
  })
  file.close()
})

test('rows of this version are known by their identity alone', async (t) => {
  const file = WorkspaceFile.open(join(t.testdir(), 'a.db'))
  await importStatement(file, statement('4711', [booking(5, 1, 'Miete Garage')]), OPTIONS)
  const reworded = statement('4711', [booking(5, 1, 'Miete Garage 2')])
  t.match(await importStatement(file, reworded, OPTIONS), { added: 1, warnings: [] })
  file.close()
})

test('an account that an earlier version named with its currency is the same one', async (t) => {
  for (const [before, after] of [
    ['1291.99.348EUR', '1291.99.348'],
    ['0047/11/EUR', '0047/11'],
  ] as const) {
    const folder = t.testdir({ [after.replaceAll('/', '-')]: {} })
    const rows = [booking(5, -1250, 'Miete')]
    const file = await upgraded(join(folder, 'a.db'), rows, before)
    t.match(await importStatement(file, statement(after, rows), OPTIONS), { added: 0 })
    t.equal(file.accounts().length, 1)
    file.close()
  }
})

test('of like bookings of a day as many are added as there are more than before', async (t) => {
  const purposes = fc.array(fc.constantFrom('', 'Miete Garage', 'Mie te Garage', 'MieteGarage 1'), {
    maxLength: 5,
  })
  const folder = t.testdir({})
  let run = 0
  await fc.assert(
    fc.asyncProperty(purposes, purposes, async (before, after) => {
      run += 1
      const rows = before.map((purpose) => booking(5, -1250, purpose))
      const file = await upgraded(join(folder, `${run}.db`), rows)
      const again = after.map((purpose) => booking(5, -1250, purpose))
      const { added, unchanged } = await importStatement(file, statement('4711', again), OPTIONS)
      file.close()
      const expected = Math.max(0, after.length - before.length)
      if (added !== expected) throw new Error(`${added} added, expected ${expected}`)
      if (unchanged !== after.length - added) throw new Error(`${unchanged} unchanged`)
    }),
  )
})

test('wordings that differ in a blank, or of which one has more, are of one booking', async (t) => {
  const folder = t.testdir({})
  let run = 0
  const word = fc.stringMatching(/^[a-z0-9]{6,40}$/)
  await fc.assert(
    fc.asyncProperty(word, fc.nat(40), word, async (text, at, more) => {
      run += 1
      const blank = `${text.slice(0, at)} ${text.slice(at)}`
      const file = await upgraded(join(folder, `${run}.db`), [booking(5, -1250, blank)])
      const again = statement('4711', [booking(5, -1250, `${text}/${more}`)])
      const { added } = await importStatement(file, again, OPTIONS)
      file.close()
      if (added !== 0) throw new Error(`${added} added`)
    }),
    { numRuns: 50 },
  )
})
