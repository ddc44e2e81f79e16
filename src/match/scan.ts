import { Candidates } from './candidates.js'
import { type CodeRuns, codeRuns, findRuns } from './code-runs.js'
import { type Comparison, comparison, type MatchScore } from './comparison.js'
import { FIELD_COUNT } from './fields.js'
import type { MatchIndex } from './match-index.js'
import { type ExpectedPayment, PaymentComparison, type RenderedRows } from './payment-evidence.js'
import { parseReference, type Reference } from './reference.js'
import { type Requirements, requirementsOf } from './requirement.js'
import { type RowView, viewRow } from './row-view.js'
import { scoreRow } from './score.js'

/**
 * The rows of a match's window, in the order in which equals are returned, in shared memory.
 *
 *   FIELD       SIZE              HOLDS
 *   ordinals    4 x rows          the row in its segment
 *   spans       8 x spans     number of the segment; position before which its span ends
 */
export interface ScannedRows {
  readonly ordinals: Uint32Array
  readonly spans: Uint32Array
  readonly indexes: readonly MatchIndex[]
}

/** An expected payment, and the rows of each segment to compare with it. */
interface ScannedPayment {
  readonly expected: ExpectedPayment
  /** By the numbers of the segments. */
  readonly rendered: readonly RenderedRows[]
}

/** A scan that several threads share; each row is scored once. */
export interface ScanTask {
  readonly query: string
  readonly rows: ScannedRows
  /** Orders hits of equal scores; absent = only their quality and position do. */
  readonly payment?: ScannedPayment | undefined
  /** The smallest score of a hit, 0 to 10,000; 0, every row is one, only with a payment. */
  readonly scoreMin: number
  /** Number of best hits to keep. */
  readonly keptMax: number
  /** Whether all hits are counted, or only up to `keptMax`. */
  readonly areCounted: boolean
  /** Rows that a thread takes at once. */
  readonly blockRows: number
  /** In ticks, which every thread of the process shares. */
  readonly deadlineTicks: number
  readonly progress: ScanProgress
}

/**
 * State shared by the threads of a scan.
 *
 *   PLACE   HOLDS
 *   0       the next block of rows that no thread has taken
 *   1       1 = the scan is cancelled
 *   2       1 = other scans wait: a turn ends with its slice
 */
export type ScanProgress = Int32Array

/** Positions of rows: `from` is the first, `to` the one after the last. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** One thread's turn at a scan. */
export interface ScanTurn {
  /** Rows that an earlier turn took and did not score; they are scored first. */
  readonly unscored: RowRange | undefined
  /** Duration of a turn while others wait, in ticks; 0 = until the clock is read. */
  readonly sliceTicks: number
}

/** The hits of one turn. */
export interface ScanPart {
  /** Rows that the turn took and did not score, because its slice was used up. */
  readonly unscored: RowRange | undefined
  /** Number of hits; where they are not counted and there are `keptMax`, only some of them. */
  readonly hitCount: number
  /** Keys of the best of them, descending: {@link hitKey}. */
  readonly keys: Float64Array
}

const NEXT_BLOCK = 0
const STOPPED = 1
const YIELDING = 2

/** The turn of a thread that scans on its own. */
const WHOLE_SCAN: ScanTurn = { unscored: undefined, sliceTicks: Number.POSITIVE_INFINITY }

/**
 * Codes of rows, times those of the query, that are scored between two reads of the clock: less
 * than a millisecond at worst. Some hundreds of usual rows, or one long one.
 */
const CELLS_BETWEEN_CLOCK_READS = 2 ** 17

/** Cells that are added per row, so that the clock is read for rows without codes as well. */
const CELLS_OF_ROW = 2 ** 10

/** Cells that are added per row that is compared with an expected payment. */
const CELLS_OF_PARSING = 2 ** 11

// With a score of 10,000, a key is less than 2 ** 53: exact as a double.
const POSITION_BITS = 17
const QUALITY_BITS = 18
const EVIDENCE_BITS = 4
const POSITIONS = 2 ** POSITION_BITS
const EVIDENCES = 2 ** EVIDENCE_BITS

/** Initial progress of a scan. */
export function scanProgress(): ScanProgress {
  return new Int32Array(new SharedArrayBuffer(12))
}

/** Upper bound of a scan's cost: the codes of its rows, times those of the query. */
export function scanCells({ ordinals, spans, indexes }: ScannedRows, query: Reference): number {
  let codes = 0
  let position = 0
  for (let span = 0; span < spans.length; span += 2) {
    const index = indexes[spans[span]!]! // each has the number of a segment
    for (; position < spans[span + 1]!; position++) {
      codes += codesOfRow(index, ordinals[position]!) // spans end with the rows
    }
  }
  return codes * query.all.length
}

function codesOfRow({ offsets }: MatchIndex, row: number): number {
  return offsets[(row + 1) * FIELD_COUNT]! - offsets[row * FIELD_COUNT]! // row < rowCount
}

/** Cancels a scan in all of its threads, because the caller no longer waits for it. */
export function stopScan(progress: ScanProgress): void {
  Atomics.store(progress, STOPPED, 1)
}

/** Sets whether turns of a scan end with their slices, because others wait. */
export function yieldScan(progress: ScanProgress, isYielding: boolean): void {
  Atomics.store(progress, YIELDING, isYielding ? 1 : 0)
}

/** Number of blocks that no thread has taken. */
export function blocksLeft({ rows, blockRows, progress }: ScanTask): number {
  const blockCount = Math.ceil(rows.ordinals.length / blockRows)
  return Math.max(0, blockCount - Atomics.load(progress, NEXT_BLOCK))
}

/**
 * A hit as one number, greater is better: its score, then the evidence of the payment, then the
 * quality of the score's evidence, then its position among the rows.
 * @param evidence 0 to 15; 0 where no payment is expected
 * @param position 0 to MATCH_WINDOW_ROWS_MAX - 1
 */
function hitKey({ score, quality }: MatchScore, evidence: number, position: number): number {
  const rank = (score * EVIDENCES + evidence) * 2 ** QUALITY_BITS + (score > 0 ? quality : 0)
  return rank * POSITIONS + (POSITIONS - 1 - position)
}

/** The parts of a {@link hitKey} that a result has. */
export interface HitPlace {
  readonly position: number
  readonly score: number
  /** See {@link PaymentComparison}. */
  readonly evidence: number
}

/** The position, the score and the evidence of a hit. */
export function readHitKey(key: number): HitPlace {
  const position = POSITIONS - 1 - (key % POSITIONS)
  const rank = Math.floor(key / 2 ** (POSITION_BITS + QUALITY_BITS))
  return { position, score: Math.floor(rank / EVIDENCES), evidence: rank % EVIDENCES }
}

/**
 * Takes blocks of rows and scores them until none is left, or others wait and the slice is used up.
 * The result of all turns together depends neither on which thread takes which block, nor on the
 * number of threads, nor on how often a turn ends.
 * @param ticks the clock of `deadlineTicks`
 * @returns undefined past the deadline, or when the scan is cancelled
 */
export function scanBlocks(
  task: ScanTask,
  ticks: () => number,
  turn = WHOLE_SCAN,
): ScanPart | undefined {
  const beganTicks = ticks()
  if (isStopped(task) || beganTicks >= task.deadlineTicks) return undefined
  const scan = new Scan(task, { ticks, yieldTicks: beganTicks + turn.sliceTicks })
  return scan.run(turn.unscored ?? takeBlock(task))
}

/** @returns undefined when no block is left */
function takeBlock({ progress, rows, blockRows }: ScanTask): RowRange | undefined {
  const from = Atomics.add(progress, NEXT_BLOCK, 1) * blockRows
  const rowCount = rows.ordinals.length
  return from < rowCount ? { from, to: Math.min(from + blockRows, rowCount) } : undefined
}

function isStopped({ progress }: ScanTask): boolean {
  return Atomics.load(progress, STOPPED) === 1
}

/** Hits kept beyond the requested ones before the worst are dropped. */
const KEYS_SLACK = 64

/** Conditions that end a turn before the rows do. */
interface TurnClock {
  readonly ticks: () => number
  /** Time from which on it ends while others wait. */
  readonly yieldTicks: number
}

/** One thread's turn at a scan. */
class Scan {
  readonly #reference: Reference
  readonly #payment: PaymentComparison | undefined
  readonly #segments: readonly ScannedSegment[]
  /** Runs of which a row has at least one; undefined = no condition. */
  #runs: CodeRuns | undefined
  #scoreMin: number
  #keys: number[] = []
  readonly #keysMax: number
  #cellsLeft = CELLS_BETWEEN_CLOCK_READS
  /** The deadline has passed, or the scan is cancelled. */
  #isOver = false
  #hasScored = false

  constructor(
    private readonly task: ScanTask,
    private readonly clock: TurnClock,
  ) {
    this.#reference = parseReference(task.query)
    this.#payment = task.payment && new PaymentComparison(task.payment.expected)
    this.#scoreMin = task.scoreMin
    this.#keysMax = task.areCounted ? Number.POSITIVE_INFINITY : task.keptMax + KEYS_SLACK
    // Rows that have nothing in common with the reference are ordered by evidence as well.
    const isEvery = task.scoreMin === 0
    const requirements = isEvery ? undefined : requirementsOf(this.#reference, task.scoreMin)
    this.#segments = task.rows.indexes.map((index, number) => ({
      index,
      rendered: task.payment?.rendered[number],
      candidates: new Candidates(index, requirements),
      scratch: comparison(index),
    }))
    this.#runs = runsOf(requirements)
  }

  /** @param first the block to begin with; undefined = none is left   @see scanBlocks */
  run(first: RowRange | undefined): ScanPart | undefined {
    let unscored: RowRange | undefined
    for (let block = first; block !== undefined; block = takeBlock(this.task)) {
      const from = this.#scoreRows(block)
      const mustEnd = from < block.to || this.#mustEnd()
      if (this.#isOver) return undefined
      if (from < block.to) unscored = { from, to: block.to }
      if (mustEnd) break
    }
    const all = Float64Array.from(this.#keys).sort().reverse()
    return { unscored, hitCount: all.length, keys: all.slice(0, this.task.keptMax) }
  }

  /** @returns the position of the first row that is not scored; `to` when all are */
  #scoreRows({ from, to }: RowRange): number {
    const { spans, ordinals } = this.task.rows
    let span = 0
    while (spans[2 * span + 1]! <= from) span += 1 // the last one ends with the rows
    for (let position = from; position < to; ) {
      const end = Math.min(spans[2 * span + 1]!, to)
      const segment = this.#segments[spans[2 * span]!]! // each has the number of a segment
      for (; position < end; position++) {
        const row = ordinals[position]! // position < end <= ordinals.length
        if (segment.candidates.has(row) && !this.#scoreRow(segment, row, position)) return position
      }
      span += 1
    }
    return to
  }

  /** @returns false when the turn ends before the row */
  #scoreRow(segment: ScannedSegment, row: number, position: number): boolean {
    const { index, scratch } = segment
    this.#cellsLeft -= CELLS_OF_ROW + codesOfRow(index, row) * this.#reference.all.length
    if (this.#cellsLeft <= 0) {
      this.#cellsLeft = CELLS_BETWEEN_CLOCK_READS
      // A turn scores at least one row: a row that costs more than a slice would otherwise never
      // end.
      if (this.#mustEnd() && (this.#isOver || this.#hasScored)) return false
    }
    this.#hasScored = true
    viewRow(scratch.row, row)
    if (!this.#hasRun(scratch.row)) return true
    scoreRow(this.#reference, scratch, this.#scoreMin)
    if (scratch.result.score >= this.#scoreMin) {
      this.#keys.push(hitKey(scratch.result, this.#evidenceOf(segment, row), position))
      if (this.#keys.length === this.#keysMax) this.#dropWorst()
    }
    return true
  }

  #evidenceOf({ rendered }: ScannedSegment, row: number): number {
    if (this.#payment === undefined || rendered === undefined) return 0
    this.#cellsLeft -= CELLS_OF_PARSING
    return this.#payment.evidenceOf(rendered, row)
  }

  /** Drops the worst hits, which do not count where hits are not counted. */
  #dropWorst(): void {
    const { keptMax } = this.task
    this.#keys = this.#keys.sort((a, b) => b - a).slice(0, keptMax)
    const { score } = readHitKey(this.#keys[keptMax - 1]!) // there are as many
    if (score <= this.#scoreMin) return
    this.#scoreMin = score
    const requirements = requirementsOf(this.#reference, score)
    this.#runs = runsOf(requirements)
    for (const segment of this.#segments) {
      segment.candidates = new Candidates(segment.index, requirements)
    }
  }

  #hasRun({ fields }: RowView): boolean {
    if (this.#runs === undefined) return true
    for (const field of fields) if (findRuns(this.#runs, field) !== 0) return true
    return false
  }

  #mustEnd(): boolean {
    const { ticks, yieldTicks } = this.clock
    const nowTicks = ticks()
    this.#isOver = isStopped(this.task) || nowTicks >= this.task.deadlineTicks
    if (this.#isOver) return true
    return nowTicks >= yieldTicks && Atomics.load(this.task.progress, YIELDING) === 1
  }
}

function runsOf(requirements: Requirements | undefined): CodeRuns | undefined {
  if (requirements === undefined || requirements.words !== undefined) return undefined
  const { units } = requirements
  const runs = units.flatMap(({ run }) => (run === undefined ? [] : [run]))
  return runs.length < units.length ? undefined : codeRuns(runs)
}

interface ScannedSegment {
  readonly index: MatchIndex
  /** Absent where no payment is expected. */
  readonly rendered: RenderedRows | undefined
  candidates: Candidates
  readonly scratch: Comparison
}
