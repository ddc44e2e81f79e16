import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { withDirectory } from '../../fixtures/files.js'
import { accountRow, transactionRow } from '../../fixtures/sample-workspace.js'

type Logged = readonly [sequence: number, id: number, before: number, after: number]

interface Write {
  readonly kind: 'put' | 'delete' | 'rename'
  readonly id: number
  readonly accountId: number
}

const writes = fc.array(
  fc.record<Write>({
    kind: fc.constantFrom('put', 'put', 'delete', 'rename'),
    id: fc.integer({ min: 1, max: 6 }),
    accountId: fc.integer({ min: 1, max: 2 }),
  }),
  { maxLength: 30 },
)

/** Writes to a file as a program would, and keeps the changes that the file should log. */
class Model {
  readonly logged: Logged[] = []
  /** Account of each transaction. */
  readonly accounts = new Map<number, number>()
  readonly #deleted = new Set<number>()

  constructor(private readonly file: WorkspaceFile) {
    file.insertAccount(accountRow(1))
    file.insertAccount(accountRow(2))
  }

  carryOut({ kind, id, accountId }: Write): void {
    const before = this.accounts.get(id)
    if (kind === 'rename') {
      this.file.updateAccount(accountRow(accountId, { name: `${id}` }))
      return
    }
    // The id of a deleted transaction is never used again.
    if (this.#deleted.has(id)) return
    if (kind === 'delete') this.file.deleteTransaction(id)
    else if (before === undefined) this.file.insertTransaction(transactionRow(id, accountId), null)
    else this.file.updateTransaction(transactionRow(id, accountId))
    const after = kind === 'delete' ? undefined : accountId
    if (after === undefined) this.accounts.delete(id)
    else this.accounts.set(id, after)
    if (before === undefined && after === undefined) return
    if (after === undefined) this.#deleted.add(id)
    this.logged.push([this.file.version().sequence, id, before ?? 0, after ?? 0])
  }
}

test('changes since a version are those of the writes behind it', async (t) => {
  await assertProperty(
    fc.asyncProperty(writes, writes, async (earlier, later) => {
      await withDirectory(async (directory) => {
        const file = WorkspaceFile.open(join(directory, 'a.db'))
        const model = new Model(file)
        for (const write of earlier) model.carryOut(write)
        const { sequence } = file.version()
        for (const write of later) model.carryOut(write)
        const expected = model.logged.filter(([at]) => at > sequence)
        assert.deepEqual([...file.loggedChanges(sequence)], expected.flat())
        const ids = [...new Set(expected.map(([, id]) => id))].sort((a, b) => b - a)
        assert.deepEqual([...(file.changedIdsSince(sequence) ?? [-1])], ids)
        file.close()
      })
    }),
    { numRuns: 60 },
  )
  t.pass('60 files')
})

test('changes are unknown when one of them is missing', async (t) => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.db')
    const file = WorkspaceFile.open(path)
    const model = new Model(file)
    const { sequence } = file.version()
    for (const id of [1, 2, 3]) model.carryOut({ kind: 'put', id, accountId: 1 })
    t.same([...(file.changedIdsSince(sequence) ?? [])], [3, 2, 1])
    const writer = new Database(path)
    writer.prepare('DELETE FROM changes WHERE sequence = ?').run(sequence + 2)
    writer.close()
    t.equal(file.changedIdsSince(sequence), undefined)
    t.same([...(file.changedIdsSince(sequence + 2) ?? [])], [3], 'those behind the gap are known')
    file.close()
  })
})

test('a log of more changes than are read at once is whole', async (t) => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.db')
    const file = WorkspaceFile.open(path)
    file.insertAccount(accountRow(1))
    file.insertTransaction(transactionRow(1, 1), null)
    const { sequence } = file.version()
    const writer = new Database(path)
    const count = 20_001
    writer.transaction(() => {
      const update = writer.prepare('UPDATE transactions SET purpose = ? WHERE id = 1')
      for (let i = 0; i < count; i++) update.run(String(i))
    })()
    writer.close()
    const numbers = file.loggedChanges(sequence)
    t.equal(numbers.length, count * 4)
    t.ok(numbers.every((number, i) => i % 4 !== 0 || number === sequence + 1 + i / 4))
    file.close()
  })
})
