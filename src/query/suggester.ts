import { ApiError } from '../errors.js'
import { type LiveSegment, type Snapshot, transactionCount } from '../snapshot/snapshot.js'
import { rowsOfAccounts } from '../snapshot/visible-rows.js'
import type { SuggestionCandidate } from '../suggestions/suggestion-index.js'
import type { FindTextsTask, SuggestionTasks } from '../suggestions/suggestion-tasks.js'
import { suggestedNames } from './suggested-names.js'
import { rowCountOf } from './visible-texts.js'

/** Rows that one task reads: some hundred milliseconds, in which no other query is answered. */
const LEARNED_ROWS_MAX = 20_000

/**
 * Rows of a segment that a query waits for. More come from a compaction, whose texts are known, or
 * from an import, whose texts follow.
 */
const AWAITED_ROWS_MAX = 20_000

/** Rows read twice, or gone, from which on an index is made again. */
const SUPERFLUOUS_ROWS_MIN = 100_000

/** Indexes of a workspace: one for all accounts, and others for credentials that see only some. */
const INDEXES_MAX = 8

/** How often an index is built for one query when the thread ends each time. */
const ATTEMPTS_MAX = 3

/** The texts that a query ranges over. */
export interface SuggestionScope {
  readonly snapshot: Snapshot
  /** Codes of the visible accounts; undefined = all. */
  readonly accountCodes: readonly number[] | undefined
}

/** The texts of a workspace, or of some of its accounts, that the thread holds. */
interface HeldIndex {
  readonly id: number
  /** Segments whose texts it has. */
  readonly learned: WeakSet<LiveSegment['segment']>
  /** Names that were added last. */
  names: ReturnType<typeof suggestedNames> | undefined
  learnedRowCount: number
  byteCount: number
  /** Whether all texts of one snapshot were findable. */
  isReady: boolean
  isReplaced: boolean
  /** Whether its memory was taken. */
  isDropped: boolean
  /** Settled when the texts being added are findable. */
  learning: Promise<void> | undefined
  /** Number of its last use. */
  usedAt: number
}

/**
 * The indexes that suggestions are found in, each made by the first query that needs it. A
 * credential that sees some accounts has an index of their rows alone, as for a search: neither
 * what is found nor how long that takes depends on other rows.
 */
export class Suggester {
  readonly #byWorkspace = new Map<string, Map<string, HeldIndex>>()
  #idCount = 0
  #useCount = 0

  /** @param onGrown called when an index of the workspace has grown */
  constructor(
    private readonly tasks: SuggestionTasks,
    private readonly onGrown: (workspaceId: string) => void = () => undefined,
  ) {}

  /** Bytes of the workspace's indexes. */
  bytesOf(workspaceId: string): number {
    let total = 0
    for (const { byteCount } of this.#byWorkspace.get(workspaceId)?.values() ?? []) {
      total += byteCount
    }
    return total
  }

  /** Forgets the workspace's indexes. */
  drop(workspaceId: string): void {
    const indexes = this.#byWorkspace.get(workspaceId)
    if (indexes === undefined) return
    this.#byWorkspace.delete(workspaceId)
    for (const index of indexes.values()) index.isDropped = true
    this.#discard([...indexes.values()])
  }

  /**
   * The nearest texts of the rows; counts are not looked up.
   * @throws Error when the thread ends again and again
   */
  async find(
    scope: SuggestionScope,
    query: Omit<FindTextsTask, 'indexId'>,
  ): Promise<SuggestionCandidate[]> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const index = this.#indexOf(scope)
      try {
        await this.#follow(index, scope)
        const found = await this.tasks.find({ ...query, indexId: index.id })
        if (found !== undefined) return found
        if (index.isDropped) throw outOfMemory(scope.snapshot)
      } catch (error) {
        this.#forget(scope, index)
        throw error
      }
      this.#forget(scope, index)
    }
    throw new Error('the thread that suggests has ended several times')
  }

  #indexOf(scope: SuggestionScope): HeldIndex {
    const { workspaceId } = scope.snapshot
    const indexes = this.#byWorkspace.get(workspaceId) ?? new Map<string, HeldIndex>()
    this.#byWorkspace.set(workspaceId, indexes)
    const key = keyOf(scope)
    const index = indexes.get(key) ?? this.#newIndex()
    indexes.set(key, index)
    this.#useCount += 1
    index.usedAt = this.#useCount
    if (indexes.size > INDEXES_MAX) {
      const [oldKey, old] = [...indexes].reduce((a, b) => (b[1].usedAt < a[1].usedAt ? b : a))
      indexes.delete(oldKey)
      this.#discard([old])
    }
    return index
  }

  #newIndex(): HeldIndex {
    this.#idCount += 1
    return {
      ...{ id: this.#idCount, learned: new WeakSet(), names: undefined, learnedRowCount: 0 },
      ...{ byteCount: 0, isReady: false, isReplaced: false, isDropped: false },
      ...{ learning: undefined, usedAt: 0 },
    }
  }

  #forget(scope: SuggestionScope, index: HeldIndex): void {
    const indexes = this.#byWorkspace.get(scope.snapshot.workspaceId)
    if (indexes?.get(keyOf(scope)) === index) indexes.delete(keyOf(scope))
    this.#discard([index])
  }

  #discard(indexes: readonly HeldIndex[]): void {
    for (const index of indexes) index.byteCount = 0
    // A thread that has ended holds no index.
    this.tasks.drop(indexes.map(({ id }) => id)).catch(() => undefined)
  }

  /** Adds the texts that the index lacks; resolves when the query may be answered. */
  async #follow(index: HeldIndex, scope: SuggestionScope): Promise<void> {
    for (;;) {
      const lacking = lackingSegments(index, scope)
      if (lacking.length === 0 && index.names === suggestedNames(scope)) return
      index.learning ??= this.#learn(index, scope).finally(() => {
        index.learning = undefined
      })
      const isAwaited =
        !index.isReady ||
        (!index.isReplaced && lacking.every((live) => live.segment.rowCount <= AWAITED_ROWS_MAX))
      if (isAwaited) await index.learning
      else {
        index.learning.catch(() => this.#forget(scope, index))
        return
      }
    }
  }

  async #learn(index: HeldIndex, scope: SuggestionScope): Promise<void> {
    const { snapshot } = scope
    const lacking = lackingSegments(index, scope)
    const rowCount = lacking.reduce((sum, { segment }) => sum + segment.rowCount, 0)
    const superfluous = index.learnedRowCount + rowCount - 2 * transactionCount(snapshot)
    if (index.isReady && superfluous > SUPERFLUOUS_ROWS_MIN) {
      await this.#replace(index, scope)
      return
    }
    for (const live of lacking) await this.#learnRows(index, live, scope.accountCodes)
    const names = suggestedNames(scope)
    if (index.names !== names) {
      for (const kind of ['category', 'account'] as const) {
        await this.tasks.learnNames({ indexId: index.id, kind, names: [...names[kind].keys()] })
      }
      index.names = names
    }
    for (;;) {
      const settled = await this.tasks.settle(index.id)
      if (settled === undefined || settled.isSettled) {
        index.byteCount = settled?.byteCount ?? 0
        break
      }
    }
    index.isReady = true
    this.onGrown(snapshot.workspaceId)
  }

  async #learnRows(
    index: HeldIndex,
    { segment, alive }: LiveSegment,
    accountCodes: readonly number[] | undefined,
  ): Promise<void> {
    const { rowBytes, rowOffsets, rowCount } = segment
    const lists = accountCodes === undefined ? [undefined] : rowsOfAccounts(segment, accountCodes)
    let learnedCount = 0
    for (const ordinals of lists) {
      const count = ordinals?.length ?? rowCount
      learnedCount += count
      for (let from = 0; from < count; from += LEARNED_ROWS_MAX) {
        const to = Math.min(count, from + LEARNED_ROWS_MAX)
        const rows = { rowBytes, rowOffsets }
        await this.tasks.learn({ indexId: index.id, rows, ordinals, alive, from, to })
      }
    }
    index.learned.add(segment)
    index.learnedRowCount += learnedCount
  }

  /** Makes the index again, of present rows alone; the old one answers meanwhile. */
  async #replace(index: HeldIndex, scope: SuggestionScope): Promise<void> {
    index.isReplaced = true
    const next = this.#newIndex()
    await this.#learn(next, scope)
    const indexes = this.#byWorkspace.get(scope.snapshot.workspaceId)
    if (indexes?.get(keyOf(scope)) === index) {
      indexes.set(keyOf(scope), next)
      this.#discard([index])
    } else this.#discard([next])
  }
}

function outOfMemory({ workspaceId }: Snapshot): ApiError {
  const message = `Suggestions of workspace ${workspaceId} were dropped to save memory; try again.`
  return new ApiError('workspace_unavailable', message)
}

function keyOf({ accountCodes }: SuggestionScope): string {
  return accountCodes?.join() ?? 'all'
}

/** Segments whose texts the index does not have. */
function lackingSegments(
  { learned }: HeldIndex,
  { snapshot, accountCodes }: SuggestionScope,
): LiveSegment[] {
  return snapshot.segments.filter(({ segment }) => {
    if (learned.has(segment)) return false
    return accountCodes === undefined || rowCountOf(rowsOfAccounts(segment, accountCodes)) > 0
  })
}
