import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { ChangeWatch } from '../../../src/store/sqlite/change-watch.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { CHANGES_KEPT_MAX } from '../../../src/store/workspace-writer.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { withDirectory, withWorkspace } from '../../fixtures/files.js'
import {
  accountRow,
  FIRST_DAY_MS,
  SAMPLE,
  transactionRow,
} from '../../fixtures/sample-workspace.js'
import { workspaceRows, writeWorkspace } from '../../fixtures/workspaces.js'

test('rows are read back as written', async (t) => {
  await assertProperty(
    fc.asyncProperty(workspaceRows({ maxLength: 15 }), async (generated) => {
      // Some generated rows have no prototype; those of the file have.
      const rows = structuredClone(generated)
      await withDirectory(async (directory) => {
        const path = join(directory, 'a.db')
        await writeWorkspace(path, rows)
        const file = WorkspaceFile.openForReading(path)
        assert.deepEqual(file.accounts(), rows.accounts)
        assert.deepEqual(file.categories(), rows.categories)
        assert.deepEqual([...file.transactionsOldestFirst()], rows.transactions)
        assert.deepEqual([...file.transactionsNewestFirst()], rows.transactions.toReversed())
        assert.equal(file.transactionCount(), rows.transactions.length)
        assert.equal(file.largestTransactionId(), rows.transactions.at(-1)?.id ?? 0)
        for (const row of rows.transactions) assert.deepEqual(file.transaction(row.id), row)
        assert.equal(file.fault(), undefined)
        file.close()
      })
    }),
    { numRuns: 40 },
  )
  t.pass('40 workspaces')
})

test('an update replaces the row and keeps its identity', async (t) => {
  await withWorkspace(async (file) => {
    const identity = Buffer.from('a')
    const idOf = (accountId: number) => file.idsByIdentity(accountId, [identity]).get('a')
    t.equal(file.insertAccount({ ...accountRow(1), id: null }), 1, 'an id is assigned')
    t.equal(file.insertTransaction({ ...transactionRow(5, 1), id: null }, identity), 1)
    t.equal(file.insertTransaction(transactionRow(5, 1, { bookedAt: FIRST_DAY_MS }), null), 5)
    t.equal(idOf(1), 1)
    t.equal(idOf(2), undefined)
    t.equal(file.newestBookedAt(1), FIRST_DAY_MS)
    t.equal(file.newestBookedAt(2), undefined)
    t.equal(file.bookedFromCount(1, FIRST_DAY_MS), 1)
    t.equal(file.bookedFromCount(1, FIRST_DAY_MS + 1), 0)
    t.equal(file.bookedFromCount(2, 0), 0)
    const changed = transactionRow(1, 1, { purpose: 'new' })
    file.updateTransaction(changed)
    t.same(file.transaction(1), changed)
    t.equal(idOf(1), 1)
    file.replaceIdentity(1, null)
    t.equal(idOf(1), undefined)
    file.updateAccount(accountRow(1, { name: 'n' }))
    t.same(file.accounts(), [accountRow(1, { name: 'n' })])
    const id = file.insertCategory({ id: null, name: 'c', parentId: null })
    file.updateCategory({ id, name: 'd', parentId: null })
    t.same(file.categories(), [{ id, name: 'd', parentId: null }])
    t.equal(file.transaction(99), undefined)
  })
})

test('atomically commits all or nothing, and others see none of it before', async (t) => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.db')
    const [file, reader] = [WorkspaceFile.open(path), WorkspaceFile.openForReading(path)]
    const before = file.version()
    await t.rejects(
      file.atomically(async () => {
        file.insertAccount(accountRow(1))
        await Promise.resolve()
        throw new RangeError('no')
      }),
      RangeError,
    )
    t.same(file.accounts(), [])
    t.same(file.version(), before)
    const result = await file.atomically(async () => {
      file.insertAccount(accountRow(1))
      t.same(reader.accounts(), [])
      return 'done'
    })
    t.equal(result, 'done')
    t.same(reader.accounts(), [accountRow(1)])
    t.same(reader.version(), { ...before, sequence: before.sequence + 1 })
    const rejected = file.atomically(async () => {
      file.insertTransaction(transactionRow(1, 99), null)
    })
    await t.rejects(rejected, { name: 'StoreError', message: /FOREIGN KEY/ })
    t.equal(file.transactionCount(), 0)
    for (const one of [file, reader]) one.close()
  })
})

test('a consistent read is one state, whatever is written during it', async (t) => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.db')
    await writeWorkspace(path, SAMPLE)
    const [file, writer] = [WorkspaceFile.openForReading(path), WorkspaceFile.open(path)]
    file.consistently(() => {
      const version = file.version()
      t.equal(file.transactionCount(), 302)
      writer.insertTransaction(transactionRow(400, 1), null)
      t.equal(file.transactionCount(), 302)
      t.same(file.version(), version)
    })
    t.equal(file.transactionCount(), 303)
    for (const one of [file, writer]) one.close()
  })
})

test('changes are trimmed, and the version continues', async (t) => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.db')
    const file = WorkspaceFile.open(path)
    file.insertAccount(accountRow(1))
    const database = new Database(path)
    const count = (): unknown => database.prepare('SELECT count(*) FROM changes').pluck().get()
    // As many changes in one commit as the log keeps, and some more.
    database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
      WHERE i < ${CHANGES_KEPT_MAX + 10})
      INSERT INTO changes (entity, entity_id, kind) SELECT 'account', i, 'update' FROM n`)
    await file.atomically(async () => file.insertAccount(accountRow(2)))
    t.equal(count(), CHANGES_KEPT_MAX)
    const { sequence } = file.version()
    t.equal(sequence, CHANGES_KEPT_MAX + 12)
    database.exec('DELETE FROM changes')
    t.equal(file.version().sequence, sequence, 'an emptied log does not set the version back')
    file.insertAccount(accountRow(3))
    t.equal(file.version().sequence, sequence + 1)
    database.close()
    file.close()
  })
})

test('a write that changes no resource is logged, and so is no reason to reload', async (t) => {
  await withWorkspace(async (file) => {
    file.insertAccount(accountRow(1))
    const { sequence } = file.version()
    const watch = new ChangeWatch(file.path)
    t.teardown(() => watch.close())
    const entry = { identities: [Buffer.alloc(16)], details: null }
    await file.atomically(async () =>
      file.keepEntries([{ accountId: 1, entry: Buffer.alloc(16), ...entry }]),
    )
    t.equal(watch.poll(), 'changed')
    t.equal(file.version().sequence, sequence + 1)
    t.equal(file.changedIdsSince(sequence)?.length, 0)
    await file.atomically(async () => undefined)
    t.equal(watch.poll(), 'unchanged', 'nothing was written')
  })
})

test('two files never have the same version', async (t) => {
  const folder = t.testdir()
  const [one, other] = ['one.db', 'other.db'].map((name) => {
    const file = WorkspaceFile.open(join(folder, name))
    t.teardown(() => file.close())
    return file.version()
  })
  t.match(one, { uid: /^[0-9a-f]{32}$/, sequence: 0 })
  t.not(one?.uid, other?.uid)
})
