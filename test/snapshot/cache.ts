import { strict as assert } from 'node:assert'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { MATCH_GRAMS_ROWS_MIN } from '../../src/match/match-index.js'
import { type Cache, cachedPart } from '../../src/snapshot/cache.js'
import { snapshotAfter } from '../../src/snapshot/follow.js'
import { isIndexed, type Snapshot } from '../../src/snapshot/snapshot.js'
import {
  discard,
  follow,
  type LoadedWorkspace,
  load,
  writeCache,
} from '../../src/snapshot/snapshot-tasks.js'
import { sealedVersion } from '../../src/store/sqlite/file-stamp.js'
import { type Connection, Database } from '../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { unsealed, type WorkspaceAddress } from '../../src/store/workspace.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  type Change,
  carryOut,
  changes,
  rowsOfFile,
  writePastTriggers,
} from '../fixtures/changes.js'
import { withDirectory } from '../fixtures/files.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { assertHolds } from '../fixtures/snapshot-check.js'
import { addressOf } from '../fixtures/stored-workspace.js'
import { type WorkspaceRows, workspaceRows, writeWorkspace } from '../fixtures/workspaces.js'

const LAYOUT = '0123456789abcdef'.repeat(2)

/** A workspace file, its cache, and a server's operations on them. */
class Rig {
  readonly path: string
  readonly cache: Cache
  #loaded: LoadedWorkspace | undefined

  constructor(readonly directory: string) {
    this.path = join(directory, 'w.db')
    this.cache = { path: join(directory, 'cache', 'w.frozen'), layout: LAYOUT }
  }

  /** A file with these rows, loaded and cached. */
  static async cached(directory: string, rows: WorkspaceRows = SAMPLE): Promise<Rig> {
    const rig = new Rig(directory)
    await writeWorkspace(rig.path, rows)
    await rig.load()
    await rig.writeCache()
    return rig
  }

  /** Loads like a start. */
  async load(cache: Cache | undefined = this.cache): Promise<LoadedWorkspace> {
    this.#loaded = await load({ workspaceId: 'w', address: this.address, cache })
    return this.#loaded
  }

  get address(): WorkspaceAddress {
    return addressOf(this.path)
  }

  /** Follows a change like a running server. */
  async follow(): Promise<Snapshot> {
    const { snapshot, seal } = this.loaded
    const step = await follow({ address: this.address, from: snapshot, seal, fixedCount: 0 })
    if (step.kind !== 'next') return snapshot
    const next = snapshotAfter(snapshot, step.next, 1)
    this.#loaded = { ...this.loaded, snapshot: next, seal: step.seal }
    return next
  }

  get loaded(): LoadedWorkspace {
    if (this.#loaded === undefined) throw new Error('nothing was loaded')
    return this.#loaded
  }

  /**
   * Writes the cache of the last loaded or followed snapshot, with the stamp of the file at rest.
   */
  async writeCache(): Promise<void> {
    const { snapshot, seal: read } = this.loaded
    const { cache, address } = this
    const content = (await sealedVersion(this.path))?.seal.content ?? ''
    const seal = { schema: read.schema, content }
    await writeCache({ cache, address, cached: cachedPart(snapshot), seal })
  }

  /** Opens a connection to the file, writes, and closes it. */
  write(write: (connection: Connection) => void): void {
    const connection = new Database(this.path)
    connection.pragma('foreign_keys = ON')
    write(connection)
    connection.close()
  }

  /** Caches the file after one write, then replaces it by an older one with other writes. */
  async insteadOf(cached: string, others: readonly string[]): Promise<void> {
    const backup = `${this.path}.backup`
    copyFileSync(this.path, backup)
    this.write((connection) => connection.exec(cached))
    await this.follow()
    await this.writeCache()
    copyFileSync(backup, this.path)
    this.write((connection) => connection.exec(others.join(';')))
  }

  rows(): WorkspaceRows {
    const file = WorkspaceFile.openForReading(this.path)
    const rows = rowsOfFile(file)
    file.close()
    return rows
  }
}

const isFromCache = ({ cachedSequence }: LoadedWorkspace): boolean => cachedSequence !== undefined

test('a cached snapshot is read at the next start', async (t) => {
  const rig = await Rig.cached(t.testdir())
  const built = rig.loaded
  t.notOk(isFromCache(built), 'the first one is built')
  t.equal(built.refusal, undefined, 'and none was rejected')
  t.equal(statSync(join(rig.directory, 'cache')).mode & 0o777, 0o700)
  t.equal(statSync(rig.cache.path).mode & 0o777, 0o600)
  const again = await rig.load()
  t.equal(again.cachedSequence, built.snapshot.version.sequence)
  t.equal(again.refusal, undefined)
  assertHolds(again.snapshot, SAMPLE)
  t.ok(isIndexed(again.snapshot))
  t.ok(isFromCache(await rig.load()), 'whenever it is read')
})

test('the indexes are cached as well', async (t) => {
  const transactions = Array.from({ length: MATCH_GRAMS_ROWS_MIN }, (_, i) =>
    transactionRow(i + 1, 1, { purpose: `RE-2024-${i}/${i + 1}`, endToEndReference: `E${i}` }),
  )
  const rig = await Rig.cached(t.testdir(), { ...SAMPLE, transactions })
  const built = rig.loaded.snapshot
  t.ok(built.segments.some(({ match }) => match?.grams.some((bits) => bits !== 0)))
  const again = await rig.load()
  t.ok(isFromCache(again))
  assert.deepEqual(again.snapshot.segments, built.segments)
  const bytes = readFileSync(rig.cache.path)
  const grams = built.segments[0]?.match?.grams ?? new Uint32Array(0)
  // The last of the arrays.
  const at = bytes.length - grams.byteLength / 2
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
  writeFileSync(rig.cache.path, bytes)
  t.match((await rig.load()).refusal, /damaged/)
})

test('after any writes, the snapshot equals the file', async (t) => {
  const before = fc.array(fc.array(changes, { maxLength: 3 }), { maxLength: 3 })
  const after = fc.array(changes, { maxLength: 5 })
  let believedCount = 0
  await assertProperty(
    fc.asyncProperty(workspaceRows(), before, after, async (rows, past, since) => {
      await withDirectory(async (directory) => {
        const rig = await Rig.cached(directory, rows)
        const carryOutAll = (list: readonly Change[]): void =>
          rig.write((connection) => {
            for (const change of list) carryOut(connection, change)
          })
        for (const list of past) {
          carryOutAll(list)
          await rig.follow()
        }
        await rig.writeCache()
        carryOutAll(since)
        const loaded = await rig.load()
        if (isFromCache(loaded)) believedCount += 1
        assertHolds(loaded.snapshot, rig.rows())
        assertHolds((await rig.load(undefined)).snapshot, rig.rows())
      })
    }),
    { numRuns: 20 },
  )
  t.ok(believedCount > 8, `${believedCount} were from the cache`)
})

const UPDATE = 'UPDATE transactions SET amount_unscaled = 4711 WHERE id = 7'
const TRIGGER = "SELECT sql FROM sqlite_master WHERE name = 'transactions_updated'"
const DROP = 'DROP TRIGGER transactions_updated'

/** Writes past the triggers, which it restores afterwards. */
function bypass(connection: Connection): void {
  const trigger = connection.prepare(TRIGGER).pluck().get() as string
  connection.exec(`${DROP}; ${UPDATE}; ${trigger}`)
}

const REFUSED: Readonly<Record<string, readonly [(rig: Rig) => void | Promise<void>, RegExp]>> = {
  'a write that nothing tells of': [
    (rig) => rig.write((connection) => connection.exec(`${DROP}; ${UPDATE}`)),
    /tables or triggers were changed/,
  ],
  'the same in another way, then a logged write': [
    (rig) =>
      rig.write((connection) => {
        bypass(connection)
        connection.exec('UPDATE transactions SET amount_unscaled = 1 WHERE id = 8')
      }),
    /tables or triggers were changed/,
  ],
  'a write that not even the schema tells of': [
    (rig) => rig.write((connection) => writePastTriggers(connection, UPDATE)),
    /modified without logged changes/,
  ],
  'one row less by an unlogged write, then a logged one': [
    (rig) =>
      rig.write((connection) => {
        writePastTriggers(connection, 'DELETE FROM transactions WHERE id = 7')
        connection.exec('UPDATE transactions SET amount_unscaled = 1 WHERE id = 8')
      }),
    /history of the workspace file/,
  ],
  VACUUM: [(rig) => rig.write((connection) => connection.exec('VACUUM')), /tables or triggers/],
  'another workspace in its place': [
    async (rig) => {
      rmSync(rig.path)
      await writeWorkspace(rig.path, { ...SAMPLE, transactions: SAMPLE.transactions.slice(9) })
    },
    /another workspace file/,
  ],
  'a file that is older': [(rig) => rig.insteadOf(UPDATE, []), /workspace file is older/],
  'a file that was older, and has been written to since': [
    (rig) =>
      rig.insteadOf(UPDATE, [
        'UPDATE transactions SET amount_unscaled = 1 WHERE id = 8',
        'UPDATE transactions SET amount_unscaled = 1 WHERE id = 9',
      ]),
    /history of the workspace file/,
  ],
  'the same, whose changes tell of other rows alone': [
    async (rig) => {
      // By then the change log no longer contains the changes that made the rows.
      rig.write((connection) => connection.exec(`DELETE FROM changes; ${UPDATE}`))
      await rig.load()
      await rig.insteadOf('UPDATE transactions SET amount_unscaled = 1 WHERE id = 9', [
        'UPDATE transactions SET amount_unscaled = 1 WHERE id = 8',
        'UPDATE transactions SET amount_unscaled = 2 WHERE id = 8',
      ])
    },
    /history of the workspace file/,
  ],
  'changes that are no longer in the log': [
    (rig) => rig.write((connection) => connection.exec(`${UPDATE}; DELETE FROM changes`)),
    /without logged changes/,
  ],
  'changes of which only the newest are in the log': [
    (rig) =>
      rig.write((connection) => {
        const last = connection.prepare('SELECT max(sequence) FROM changes').pluck().get()
        connection.exec(`${UPDATE}; DELETE FROM changes WHERE sequence <= ${last}`)
      }),
    /history of the workspace file/,
  ],
  'another version of the program': [
    (rig) => {
      const bytes = readFileSync(rig.cache.path)
      bytes.writeUInt8(bytes.readUInt8(12) ^ 1, 12)
      writeFileSync(rig.cache.path, bytes)
    },
    /another version/,
  ],
  'a file cut short': [
    (rig) => truncateSync(rig.cache.path, statSync(rig.cache.path).size - 8),
    /truncated/,
  ],
  'a flipped bit': [
    (rig) => {
      const bytes = readFileSync(rig.cache.path)
      const at = bytes.length - 200
      bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
      writeFileSync(rig.cache.path, bytes)
    },
    /damaged/,
  ],
  'something else': [
    (rig) => writeFileSync(rig.cache.path, 'x'.repeat(500)),
    /not a snapshot file/,
  ],
  'a folder': [
    (rig) => {
      rmSync(rig.cache.path)
      mkdirSync(rig.cache.path)
    },
    /not a regular file|EISDIR/,
  ],
}

for (const [what, [act, reason]] of Object.entries(REFUSED)) {
  test(`rejected: ${what}`, async (t) => {
    const rig = await Rig.cached(t.testdir())
    await act(rig)
    const loaded = await rig.load()
    assertHolds(loaded.snapshot, rig.rows())
    t.match(loaded.refusal, reason)
    t.notOk(isFromCache(loaded))
  })
}

test('without a stamp it is valid only after later writes', async (t) => {
  const rig = await Rig.cached(t.testdir())
  const { snapshot, seal } = rig.loaded
  const { cache, address } = rig
  await writeCache({ cache, address, cached: cachedPart(snapshot), seal: unsealed(seal) })
  t.match((await rig.load()).refusal, /modified without logged changes/)
  rig.write((connection) => connection.exec(UPDATE))
  const loaded = await rig.load()
  t.equal(loaded.cachedSequence, snapshot.version.sequence)
  assertHolds(loaded.snapshot, rig.rows())
})

test('the snapshot of a missing file is not cached, and its cache is deleted', async (t) => {
  const rig = await Rig.cached(t.testdir())
  const { snapshot, seal } = rig.loaded
  rmSync(rig.path)
  const { cache, address } = rig
  const task = { cache, address, cached: cachedPart(snapshot), seal: unsealed(seal) }
  await t.rejects(writeCache(task), /there is no such file/)
  discard(rig.cache.path)
  t.same(readdirSync(join(rig.directory, 'cache')), [])
  discard(join(rig.directory, 'none', 'w.frozen'))
})
