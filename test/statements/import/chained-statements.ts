// Equal entries of one day in the statements of several files.
import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { countedIdentity, lineDigest } from '../../../src/statements/import/identity.js'
import type { StatementEvent } from '../../../src/statements/statement.js'
import type { TransactionRow } from '../../../src/store/columns.js'
import { openDatabase } from '../../../src/store/sqlite/database.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { WORKSPACE_MIGRATIONS } from '../../../src/store/sqlite/workspace-schema.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { withWorkspace } from '../../fixtures/files.js'
import { balance, booking, giro, IBAN, importEvents } from '../../fixtures/statement-events.js'

/** A statement of day 1. @param entries as `coffee:-10` */
function statement(opening: number, ...entries: string[]): StatementEvent[] {
  const bookings = entries.map((each) => {
    const [purpose = '', text = ''] = each.split(':')
    return { text, event: booking(text, 1, { purpose }) }
  })
  const closing = bookings.reduce((sum, { text }) => sum + Number(text), opening)
  return [
    giro,
    balance('opening', String(opening), 1),
    ...bookings.map(({ event }) => event),
    balance('closing', String(closing), 1),
  ]
}

function purposes(file: WorkspaceFile): string[] {
  return [...file.transactionsOldestFirst()].map(({ purpose }) => purpose ?? '').sort()
}

const UNKNOWN =
  `account ${IBAN}, statement of 2026-01-02: 1 entry equals one of another statement of that ` +
  'day, and the balances do not show whether it is the same; it is not added; compare the ' +
  'entries of that day with the bank'

test('a second coffee in the next statement of the day is a second row', async (t) => {
  const files = [statement(100, 'coffee:-10'), statement(90, 'coffee:-10')]
  for (const order of [files, [...files].reverse()]) {
    await withWorkspace(async (file) => {
      for (const events of order) {
        const report = await importEvents(file, events)
        t.match(report, { added: 1, unchanged: 0, warnings: [], balances: { result: 'proved' } })
      }
      t.equal(file.transactionCount(), 2)
      t.match(file.accounts(), [{ balanceUnscaled: 80 }])
      const [first, second] = file.transactionsOldestFirst()
      t.same({ ...second, id: 1 }, first)
      for (const events of [...order, files.flat(), [...files].reverse().flat()]) {
        const { length } = events.filter(({ kind }) => kind === 'transaction')
        t.match(await importEvents(file, events), { added: 0, unchanged: length, warnings: [] })
      }
    })
  }
})

test('the statement that connects two others adds the row that they have apart', async (t) => {
  await withWorkspace(async (file) => {
    await importEvents(file, statement(100, 'coffee:-10'))
    const third = await importEvents(file, statement(85, 'coffee:-10'))
    t.match(third, { added: 0, unchanged: 1, warnings: [UNKNOWN] })
    t.same((await importEvents(file, statement(85, 'coffee:-10'))).warnings, [], 'named once')
    const second = await importEvents(file, statement(90, 'tea:-5'))
    t.match(second, { added: 2, unchanged: 0 })
    t.same(second.warnings, [
      `account ${IBAN}, statement of 2026-01-02: its balances show that an entry of other ` +
        'statements of that day had been taken for one already there; now added',
    ])
    t.same(purposes(file), ['coffee', 'coffee', 'tea'])
    t.match(file.accounts(), [{ balanceUnscaled: 75 }])
  })
})

test('a statement that overlaps another one adds its new entries alone', async (t) => {
  await withWorkspace(async (file) => {
    await importEvents(file, statement(100, 'tea:-5', 'coffee:-10'))
    const longer = await importEvents(file, statement(100, 'tea:-5', 'coffee:-10', 'pay:30'))
    t.match(longer, { added: 1, unchanged: 2, warnings: [] })
    const later = await importEvents(file, statement(95, 'coffee:-10', 'pay:30', 'milk:-2'))
    t.match(later, { added: 1, unchanged: 2, warnings: [] })
  })
})

test('money in and out leaves open whether entries are the same: a warning', async (t) => {
  await withWorkspace(async (file) => {
    await importEvents(file, statement(100, 'in:50', 'out:-50'))
    const next = await importEvents(file, statement(100, 'in:50', 'tea:-3'))
    t.match(next, { added: 2, unchanged: 0, warnings: [] }, 'the whole of neither')
    const both = await importEvents(file, statement(100, 'in:50', 'out:-50', 'milk:-1'))
    t.match(both, { added: 1, unchanged: 2, warnings: [UNKNOWN] })
  })
})

test('the order of statements in files of their own does not change the rows', async () => {
  const texts = fc.constantFrom('coffee:-10', 'tea:-5', 'milk:-10')
  const chain = fc
    .array(fc.array(texts, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 })
    .map((lists) => {
      let opening = 1_000
      return lists.map((entries) => {
        const events = statement(opening, ...entries)
        for (const each of entries) opening += Number(each.split(':')[1])
        return { entries, events }
      })
    })
    .chain((files) => fc.shuffledSubarray(files, { minLength: files.length }))
  await assertProperty(
    fc.asyncProperty(chain, (files) =>
      withWorkspace(async (file) => {
        let added = 0
        for (const { events } of files) {
          const report = await importEvents(file, events)
          added += report.added
          assert(report.unchanged >= 0)
        }
        const expected = files.flatMap(({ entries }) => entries.map((each) => each.split(':')[0]))
        assert.deepEqual(purposes(file), expected.sort())
        assert.equal(added, expected.length)
        for (const { events, entries } of files) {
          const again = await importEvents(file, events)
          assert.deepEqual([again.added, again.unchanged], [0, entries.length])
        }
      }),
    ),
    { numRuns: 30 },
  )
})

test('rows of a copy, or of an earlier version, are not added again', async (t) => {
  const files = [statement(100, 'coffee:-10'), statement(90, 'coffee:-10')]
  const identitiesOf: ((row: TransactionRow, n: number) => Buffer)[] = [
    (row, n) => countedIdentity(lineDigest(row), n),
    (_, n) => Buffer.alloc(16, n),
  ]
  for (const identityOf of identitiesOf) {
    const path = join(t.testdir(), 'copy.db')
    const copy = WorkspaceFile.open(path)
    await withWorkspace(async (file) => {
      await importEvents(file, files.flat())
      for (const account of file.accounts()) copy.insertAccount(account)
      let n = 0
      for (const row of file.transactionsOldestFirst()) {
        copy.insertTransaction(row, identityOf(row, n++))
      }
    })
    const connection = openDatabase(path, WORKSPACE_MIGRATIONS)
    connection.exec('UPDATE workspace SET earlier_rows_last = 2')
    connection.close()
    for (const events of [...files, ...files]) {
      t.match(await importEvents(copy, events), { added: 0, unchanged: 1 })
    }
    t.equal(copy.transactionCount(), 2)
    copy.close()
  }
})

test('many statements and entries of one day are compared up to a limit', async (t) => {
  await withWorkspace(async (file) => {
    for (let i = 0; i < 102; i++) {
      await importEvents(file, statement(1_000 - 2 * i, `no ${i}:-1`, 'fee:-1'))
    }
    t.ok(file.transactionCount() > 102 + 98, 'the first ones are')
    const last = await importEvents(file, statement(1_000 - 2 * 102, 'fee:-1'))
    t.match(last, { added: 0, unchanged: 1, warnings: [UNKNOWN] })
  })
})

test('of two statements of one day, the later one gives the account its balance', async (t) => {
  const files = [statement(100, 'coffee:-10'), statement(90, 'tea:-10'), statement(80, 'milk:-1')]
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]
  for (const order of orders) {
    const listed = order.map((i) => files[i] ?? [])
    await withWorkspace(async (file) => {
      for (const events of listed) await importEvents(file, events)
      t.match(file.accounts(), [{ balanceUnscaled: 79 }], `files in the order ${order}`)
    })
    await withWorkspace(async (file) => {
      await importEvents(file, listed.flat())
      t.match(file.accounts(), [{ balanceUnscaled: 79 }], `one file in the order ${order}`)
    })
  }
})
