import { messageOf } from '../errors.js'
import type { ChangeWatch } from '../store/change-watch.js'
import { type Compaction, compactionOf } from './compaction.js'
import { type NextSnapshot, snapshotAfter } from './follow.js'
import type { Makers } from './makers.js'
import { renamingsOf } from './renaming.js'
import type { LiveSegment, Snapshot } from './snapshot.js'

/** What a living snapshot needs of the world. */
export interface LivingOptions {
  readonly path: string
  readonly makers: Makers
  /** A number greater than any before. */
  readonly nextGeneration: () => number
  /** The file was read anew, segments were merged, or one has got its text index. */
  readonly onMade: (kind: 'reloaded' | 'compacted' | 'indexed', startedMs: number) => void
  /** The file cannot be followed any more; called once, after which nothing happens. */
  readonly onLost: (reason: string) => void
  /** Milliseconds that only grow. */
  readonly clock: () => number
}

/** Segments that are being merged, and what has been written meanwhile. */
interface Merging extends Compaction {
  readonly startedMs: number
  readonly touched: Float64Array[]
  merged?: LiveSegment
}

/**
 * The snapshot of one workspace, which follows its file: a change puts another snapshot in its
 * place by one assignment, and who holds the old one keeps it. What takes time is done by the
 * makers; one step is under way at a time, but for merging and indexing, which go on beside.
 */
export class LivingSnapshot {
  #snapshot: Snapshot
  #isStepping = false
  #isEnded = false
  #merging: Merging | undefined
  #indexing: Promise<void> | undefined

  constructor(
    snapshot: Snapshot,
    private readonly watch: ChangeWatch,
    private readonly options: LivingOptions,
  ) {
    this.#snapshot = { ...snapshot, generation: options.nextGeneration() }
    this.#improve()
  }

  /** The current one. */
  get snapshot(): Snapshot {
    return this.#snapshot
  }

  /** Looks whether the file has changed; to be called every now and then. */
  look(): void {
    if (this.#isStepping || this.#isEnded) return
    try {
      const news = this.watch.news()
      if (news === 'gone' || news === 'replaced') this.#lose(`the file is ${news}`)
      else if (news === 'untold') void this.#step(() => this.#reload())
      else if (this.#isBehind || this.#isMerged) void this.#step(() => this.#catchUp())
    } catch (error) {
      this.#lose(messageOf(error))
    }
  }

  /** Resolves when every segment has its text index. @throws Error when the snapshot is lost */
  async indexed(): Promise<void> {
    while (this.#indexing !== undefined) await this.#indexing
    if (this.#isEnded) throw new Error(`${this.options.path} is not followed any more`)
  }

  /** Stops following; the snapshot stays readable. */
  close(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.watch.close()
  }

  #lose(reason: string): void {
    if (this.#isEnded) return
    this.close()
    this.options.onLost(reason)
  }

  /** What the snapshot was made of may be newer than the last news: then nothing is missing. */
  get #isBehind(): boolean {
    return this.watch.sequence > this.#snapshot.version.sequence
  }

  get #isMerged(): boolean {
    return this.#merging?.merged !== undefined
  }

  async #step(step: () => Promise<void>): Promise<void> {
    this.#isStepping = true
    try {
      await step()
    } catch (error) {
      this.#lose(messageOf(error))
    }
    this.#isStepping = false
    this.#improve()
  }

  /** Both in one step: with a writer that never pauses, there is always something to follow. */
  async #catchUp(): Promise<void> {
    if (this.#isBehind) await this.#follow()
    if (this.#isMerged && !this.#isEnded) await this.#adopt()
  }

  async #follow(): Promise<void> {
    const { version, codeBook, pieces, segments } = this.#snapshot
    const fixedCount = this.#merging?.to ?? 0
    const from = { version, codeBook, pieces, segments }
    const step = await this.options.makers.follow({ path: this.options.path, from, fixedCount })
    if (this.#isEnded) return
    if (step.kind === 'next') this.#advance(step.next)
    if (step.kind === 'lost') await this.#reload()
  }

  #advance(next: NextSnapshot): void {
    this.#snapshot = snapshotAfter(this.#snapshot, next, this.options.nextGeneration())
    this.#merging?.touched.push(next.touchedIds)
  }

  async #reload(): Promise<void> {
    const startedMs = this.options.clock()
    const { workspaceId } = this.#snapshot
    const snapshot = await this.options.makers.load({ workspaceId, path: this.options.path })
    if (this.#isEnded) return
    this.#snapshot = { ...snapshot, generation: this.options.nextGeneration() }
    this.#merging = undefined
    this.options.onMade('reloaded', startedMs)
  }

  /** Starts what makes the snapshot better without making it another one. */
  #improve(): void {
    if (this.#isEnded) return
    if (this.#indexing === undefined) {
      const bare = this.#snapshot.segments.find(({ text }) => text === undefined)
      if (bare !== undefined) this.#indexing = this.#index(bare)
    }
    // A step under way goes by the places that segments have, and calls this again at its end.
    if (this.#merging !== undefined || this.#isStepping) return
    const compaction = compactionOf(this.#snapshot)
    if (compaction !== undefined) void this.#merge(compaction)
  }

  async #index({ segment }: LiveSegment): Promise<void> {
    const startedMs = this.options.clock()
    try {
      const text = await this.options.makers.index(segment)
      const isHere = this.#snapshot.segments.some((live) => live.segment === segment)
      if (this.#isEnded || !isHere) return
      const segments = this.#snapshot.segments.map((live) =>
        live.segment === segment ? { ...live, text } : live,
      )
      // Answers stay the same, so the generation does.
      this.#snapshot = { ...this.#snapshot, segments }
      this.options.onMade('indexed', startedMs)
    } catch (error) {
      this.#lose(messageOf(error))
    } finally {
      this.#indexing = undefined
      this.#improve()
    }
  }

  async #merge(compaction: Compaction): Promise<void> {
    const merging: Merging = { ...compaction, startedMs: this.options.clock(), touched: [] }
    this.#merging = merging
    try {
      const { segments, pieces } = this.#snapshot
      const part = segments.slice(compaction.from, compaction.to)
      merging.merged = await this.options.makers.merge({ segments: part, pieces })
    } catch (error) {
      this.#lose(messageOf(error))
    }
  }

  /** Puts the merged segment in the place of those it was made of. */
  async #adopt(): Promise<void> {
    const merging = this.#merging
    if (merging?.merged === undefined) return
    const { merged, touched, from, to } = merging
    const live =
      touched.length === 0 ? merged : await this.options.makers.thin({ live: merged, ids: touched })
    if (this.#isEnded) return
    const kept = this.#snapshot.segments
    const segments = [
      ...kept.slice(0, from),
      // A copy that went to a thread and back is not the same objects.
      { ...merged, alive: live.alive },
      ...kept.slice(to),
    ]
    const renamings = renamingsOf(segments, this.#snapshot.pieces)
    this.#snapshot = { ...this.#snapshot, segments, renamings }
    this.#merging = undefined
    this.options.onMade('compacted', merging.startedMs)
  }
}
