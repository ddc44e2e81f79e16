// Pages that waiting callers share: each caller is sent what it would be sent alone.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Access } from '../../../src/auth/access.js'
import type { TransactionChanges } from '../../../src/domain/transaction-change.js'
import { ApiError } from '../../../src/errors.js'
import { changesPage } from '../../../src/http/operations/changes-page.js'
import { QueryCache } from '../../../src/query/query-cache.js'
import { extendLog } from '../../../src/snapshot/change-log.js'
import type { Snapshot } from '../../../src/snapshot/snapshot.js'
import { BodyBuffer } from '../../../src/wire/body-buffer.js'
import { parseChangesQuery } from '../../../src/wire/changes-query.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { accessTo, changesContext, changesText } from '../../fixtures/replica.js'
import { SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { snapshotOf } from '../../fixtures/snapshots.js'

const MORE_TRANSACTIONS = Array.from({ length: 40 }, (_, i) => transactionRow(400 + i, 1 + (i % 3)))

/** The sample with rows of three accounts, before changes of each and after them. */
function history(): Snapshot[] {
  const transactions = [...SAMPLE.transactions, ...MORE_TRANSACTIONS]
  const begun = snapshotOf({ ...SAMPLE, transactions })
  const snapshots = [begun]
  let { log } = begun
  for (let sequence = 2; sequence < 8; sequence++) {
    const accountId = 1 + (sequence % 3)
    log = extendLog(log, Float64Array.of(sequence, 400 + (sequence % 3), accountId, accountId))
    snapshots.push({ ...begun, log, version: { ...begun.version, sequence } })
  }
  return snapshots
}

/** Of one series of changes, and of another one. */
const SNAPSHOTS = [...history(), ...history()]

const ACCESSES: readonly Access[] = [null, [1], [2], [1, 2], [2, 1], [1, 2, 3], []].map(accessTo)

/** Cursors inside of copies, which belong to one view each, and texts that are none. */
const CURSORS = ['', '4711', '=', 'since='].concat(
  ACCESSES.flatMap((access) =>
    SNAPSHOTS.map((snapshot) => pageOf(snapshot, access, 'limit=1').cursor),
  ),
)

function pageOf(snapshot: Snapshot, access: Access, query: string): TransactionChanges {
  return JSON.parse(changesText(snapshot, access, query)) as TransactionChanges
}

/** The cursor behind a whole copy. @throws ApiError */
function endOf(snapshot: Snapshot, access: Access, filter: string): string {
  let page = pageOf(snapshot, access, `limit=250${filter}`)
  while (page.hasMore) {
    page = pageOf(snapshot, access, `limit=250${filter}&since=${page.cursor}`)
  }
  return page.cursor
}

/** A request, and the snapshot that it is answered from. */
interface Ask {
  readonly snapshot: Snapshot
  readonly access: Access
  readonly limit: number
  readonly filter: string
  /** A cursor, or the snapshot at which a copy of the same view is complete. */
  readonly since: string | Snapshot | undefined
}

const asks: fc.Arbitrary<Ask> = fc.record({
  snapshot: fc.constantFrom(...SNAPSHOTS),
  access: fc.constantFrom(...ACCESSES),
  limit: fc.constantFrom(1, 2, 250),
  filter: fc.constantFrom('', '&accountIds=1', '&accountIds=2,1', '&accountIds=1,2'),
  since: fc.oneof(
    fc.constant(undefined),
    fc.constantFrom(...CURSORS),
    fc.constantFrom(...SNAPSHOTS),
    fc.constantFrom(...SNAPSHOTS),
  ),
})

/** @returns `''` when the view cannot be copied */
function cursorOf({ access, filter, since }: Ask): string | undefined {
  if (typeof since !== 'object') return since
  try {
    return endOf(since, access, filter)
  } catch (error) {
    if (error instanceof ApiError) return ''
    throw error
  }
}

/** The text, or the code of the error. */
function outcomeOf(answer: () => string): string {
  try {
    return answer()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

/** Callers of one service, whose pages may be shared. */
class Crowd {
  readonly #queryCache = new QueryCache()
  readonly #buffer = new BodyBuffer()
  readonly #sent = new Map<Uint8Array, string>()
  sharedCount = 0
  emptyCount = 0
  refusedCount = 0

  /** Asks with `wait`, and compares the answer with that to a caller that is alone. */
  async ask(asked: Ask): Promise<void> {
    const { snapshot, access, limit, filter } = asked
    const cursor = cursorOf(asked)
    const since = cursor === undefined ? '' : `&since=${encodeURIComponent(cursor)}`
    const query = `limit=${limit}${filter}${since}`
    const expected = outcomeOf(() => changesText(snapshot, access, query))
    let awaitedCount = 0
    const context = changesContext(snapshot, access, {
      ...{ queryCache: this.#queryCache, buffer: this.#buffer },
      nextChange: async () => {
        awaitedCount += 1
        return 0
      },
    })
    try {
      const { bytes } = await changesPage(context, parseChangesQuery(`${query}&wait=30`))
      assert.equal(Buffer.from(bytes).toString(), expected)
      const isEmpty = expected.startsWith('{"changes":[]')
      assert.equal(awaitedCount, isEmpty ? 1 : 0, 'only a page without changes is awaited')
      if (this.#sent.has(bytes)) this.sharedCount += 1
      if (isEmpty) this.emptyCount += 1
      this.#sent.set(bytes, expected)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      assert.equal(error.code, expected)
      this.refusedCount += 1
    }
  }

  assertKept(): void {
    for (const [bytes, expected] of this.#sent) {
      assert.equal(Buffer.from(bytes).toString(), expected, 'later pages overwrite none')
    }
  }
}

test('callers that wait are sent what each would be sent alone', async (t) => {
  const totals = { shared: 0, empty: 0, refused: 0 }
  await assertProperty(
    fc.asyncProperty(fc.array(asks, { minLength: 30, maxLength: 60 }), async (all) => {
      const crowd = new Crowd()
      // Each is asked twice, so that pages are shared whatever is generated.
      for (const asked of [...all, ...all]) await crowd.ask(asked)
      crowd.assertKept()
      totals.shared += crowd.sharedCount
      totals.empty += crowd.emptyCount
      totals.refused += crowd.refusedCount
    }),
    { numRuns: 30 },
  )
  for (const [name, count] of Object.entries(totals)) t.ok(count > 100, `${count} ${name}`)
})
