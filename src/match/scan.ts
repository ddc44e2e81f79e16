import { Candidates } from './candidates.js'
import { type CodeRuns, codeRuns, findRuns } from './code-runs.js'
import { FIELD_COUNT, type MatchIndex, rowBegin } from './match-index.js'
import { parseReference, type Reference } from './reference.js'
import { type Requirement, requirementsOf } from './requirement.js'
import { type MatchScore, scoreCompact } from './score.js'
import { type Comparison, comparison } from './unit-score.js'

/**
 * The rows that a match looks at, in the order in which equals are returned, in shared memory.
 *
 *   FIELD       SIZE              HOLDS
 *   ordinals    4 x rows          the row in its segment
 *   stretches   8 x stretches     number of the segment; position before which its stretch ends
 */
export interface ScannedRows {
  readonly ordinals: Uint32Array
  readonly stretches: Uint32Array
  readonly indexes: readonly MatchIndex[]
}

/** What several threads score together, each row once. */
export interface ScanTask {
  readonly query: string
  readonly rows: ScannedRows
  /** The smallest score that counts, 1 to 10,000. */
  readonly scoreMin: number
  /** So many of the best hits are wanted. */
  readonly keptMax: number
  /** Whether all hits are counted, or only so far that there are `keptMax`. */
  readonly areCounted: boolean
  /** Rows that a thread takes at once. */
  readonly blockRows: number
  /** In ticks, which are the same in every thread of the process. */
  readonly deadlineTicks: number
  readonly progress: ScanProgress
}

/**
 * Shared by those who work on a scan.
 *
 *   PLACE   HOLDS
 *   0       the next block of rows that nobody has taken
 *   1       1 = nobody waits for the scan any more
 *   2       1 = others have their turn: no further block is to be taken
 */
export type ScanProgress = Int32Array

/** The hits of one thread. */
export interface ScanPart {
  /** Where hits are not counted, and there are `keptMax`, some of them. */
  readonly hitCount: number
  /** Keys of the best of them, descending: {@link hitKey}. */
  readonly keys: Float64Array
}

const NEXT_BLOCK = 0
const STOPPED = 1
const PAUSED = 2

/**
 * Codes of rows, times those of the query, that are scored before the clock is looked at: less than
 * a millisecond at worst. Of usual rows some hundreds, of long ones each by itself.
 */
const CELLS_BETWEEN_LOOKS = 2 ** 17

/** Cells that a row counts for besides, so that rows without codes are looked at as well. */
const CELLS_OF_ROW = 2 ** 10

const POSITION_BITS = 17
const QUALITY_BITS = 18
const POSITIONS = 2 ** POSITION_BITS

/** A scan that nobody works on yet. */
export function scanProgress(): ScanProgress {
  return new Int32Array(new SharedArrayBuffer(12))
}

/**
 * What a scan costs at most, whatever the rows are: their codes, times those of the query.
 */
export function scanCells({ ordinals, stretches, indexes }: ScannedRows, query: Reference): number {
  let codes = 0
  let position = 0
  for (let stretch = 0; stretch < stretches.length; stretch += 2) {
    const { ends } = indexes[stretches[stretch]!]! // each has the number of a segment
    for (; position < stretches[stretch + 1]!; position++) {
      const row = ordinals[position]! // stretches end with the rows
      codes += ends[(row + 1) * FIELD_COUNT - 1]! - rowBegin(ends, row)
    }
  }
  return codes * query.all.length
}

/** Tells whoever works on a scan that nobody waits for it. */
export function stopScan(progress: ScanProgress): void {
  Atomics.store(progress, STOPPED, 1)
}

/** Has whoever works on a scan come to an end with the blocks that are taken. */
export function pauseScan(progress: ScanProgress): void {
  Atomics.store(progress, PAUSED, 1)
}

/** Lets further blocks be taken. */
export function resumeScan(progress: ScanProgress): void {
  Atomics.store(progress, PAUSED, 0)
}

/** Blocks of rows that nobody has taken. */
export function blocksLeft({ rows, blockRows, progress }: ScanTask): number {
  const blockCount = Math.ceil(rows.ordinals.length / blockRows)
  return Math.max(0, blockCount - Atomics.load(progress, NEXT_BLOCK))
}

/**
 * A hit as one number, the greater the better: its score, then the quality of its evidence, then
 * its place among the rows.
 * @param position 0 to MATCH_WINDOW_ROWS_MAX - 1
 */
function hitKey({ score, quality }: MatchScore, position: number): number {
  return (score * 2 ** QUALITY_BITS + quality) * POSITIONS + (POSITIONS - 1 - position)
}

/** The position and the score of a hit. */
export function readHitKey(key: number): { readonly position: number; readonly score: number } {
  const position = POSITIONS - 1 - (key % POSITIONS)
  return { position, score: Math.floor(key / 2 ** (POSITION_BITS + QUALITY_BITS)) }
}

/**
 * Takes blocks of rows and scores them until none is left, or others have their turn. Which thread
 * takes which block, how many threads there are and how often they give way makes no difference to
 * what all of them return together.
 * @param ticks the clock that `deadlineTicks` is of
 * @returns undefined when the time is over or nobody waits for it
 */
export function scanBlocks(task: ScanTask, ticks: () => number): ScanPart | undefined {
  if (isOver(task, ticks)) return undefined
  const { progress, rows, blockRows } = task
  if (isPaused(progress)) return { hitCount: 0, keys: new Float64Array(0) }
  const scan = new Scan(task, ticks)
  do {
    const from = Atomics.add(progress, NEXT_BLOCK, 1) * blockRows
    if (from >= rows.ordinals.length) break
    const to = Math.min(from + blockRows, rows.ordinals.length)
    if (!scan.scoreRows(from, to)) return undefined
  } while (!isPaused(progress))
  return scan.part()
}

function isPaused(progress: ScanProgress): boolean {
  return Atomics.load(progress, PAUSED) === 1
}

/** Hits beyond those that are wanted that are kept until the worse ones are left out. */
const KEPT_BESIDE = 64

/** One thread's share of a scan. */
class Scan {
  readonly #reference: Reference
  readonly #segments: readonly ScannedSegment[]
  readonly #result: MatchScore = { score: 0, quality: 0 }
  readonly #ends = new Uint32Array(FIELD_COUNT)
  /** Runs one of which a row has; undefined = it may do without. */
  #runs: CodeRuns | undefined
  #scoreMin: number
  #keys: number[] = []
  readonly #keysMax: number
  #cellsUntilLook = CELLS_BETWEEN_LOOKS

  constructor(
    private readonly task: ScanTask,
    private readonly ticks: () => number,
  ) {
    this.#reference = parseReference(task.query)
    this.#scoreMin = task.scoreMin
    this.#keysMax = task.areCounted ? Number.POSITIVE_INFINITY : task.keptMax + KEPT_BESIDE
    const requirements = requirementsOf(this.#reference, task.scoreMin)
    this.#segments = task.rows.indexes.map((index) => ({
      index,
      candidates: new Candidates(index, requirements),
      made: comparison(index),
    }))
    this.#runs = runsOf(requirements)
  }

  /** @returns whether it has come to the end */
  scoreRows(from: number, to: number): boolean {
    const { stretches, ordinals } = this.task.rows
    let stretch = 0
    while (stretches[2 * stretch + 1]! <= from) stretch += 1 // the last one ends with the rows
    for (let position = from; position < to; ) {
      const end = Math.min(stretches[2 * stretch + 1]!, to)
      const segment = this.#segments[stretches[2 * stretch]!]! // each has the number of a segment
      for (; position < end; position++) {
        const row = ordinals[position]! // position < end <= ordinals.length
        if (segment.candidates.has(row) && !this.#scoreRow(segment, row, position)) return false
      }
      stretch += 1
    }
    return !this.#isOver()
  }

  part(): ScanPart {
    const all = Float64Array.from(this.#keys).sort().reverse()
    return { hitCount: all.length, keys: all.slice(0, this.task.keptMax) }
  }

  /** @returns false when the time is over */
  #scoreRow({ index, made }: ScannedSegment, row: number, position: number): boolean {
    const first = row * FIELD_COUNT
    const from = rowBegin(index.ends, row)
    const length = index.ends[first + FIELD_COUNT - 1]! - from // a row has that many fields
    this.#cellsUntilLook -= CELLS_OF_ROW + length * this.#reference.all.length
    if (this.#cellsUntilLook <= 0) {
      this.#cellsUntilLook = CELLS_BETWEEN_LOOKS
      if (this.#isOver()) return false
    }
    if (!this.#hasRun(index, from, first)) return true
    const result = this.#result
    const ends = this.#ends
    // A view of them would be an object for each row.
    for (let field = 0; field < FIELD_COUNT; field++) ends[field] = index.ends[first + field]!
    scoreCompact(this.#reference, made, from, ends, result, this.#scoreMin)
    if (result.score >= this.#scoreMin) {
      this.#keys.push(hitKey(result, position))
      if (this.#keys.length === this.#keysMax) this.#leaveOutWorse()
    }
    return true
  }

  /** Where hits are not counted, nobody asks for those that are worse than the ones wanted. */
  #leaveOutWorse(): void {
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

  #hasRun({ codes, gaps, ends }: MatchIndex, rowFrom: number, first: number): boolean {
    if (this.#runs === undefined) return true
    let from = rowFrom
    for (let field = 0; field < FIELD_COUNT; field++) {
      const to = ends[first + field]! // a row has that many fields
      if (from === to) continue
      if (findRuns(this.#runs, codes, gaps, from, to) !== 0) return true
      from = to
    }
    return false
  }

  #isOver(): boolean {
    return isOver(this.task, this.ticks)
  }
}

function runsOf(requirements: readonly Requirement[] | undefined): CodeRuns | undefined {
  const runs = requirements?.flatMap(({ run }) => (run === undefined ? [] : [run]))
  return runs === undefined || runs.length < (requirements?.length ?? 0)
    ? undefined
    : codeRuns(runs)
}

function isOver({ progress, deadlineTicks }: ScanTask, ticks: () => number): boolean {
  return Atomics.load(progress, STOPPED) === 1 || ticks() >= deadlineTicks
}

interface ScannedSegment {
  readonly index: MatchIndex
  candidates: Candidates
  readonly made: Comparison
}
