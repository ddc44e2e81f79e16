import { LIST_LIMIT_MAX } from '../limits.js'
import type { Run } from '../query/listing.js'
import type { Segment } from '../snapshot/snapshot.js'

/** Bytes that the processor fetches at once. */
const CACHE_LINE_BYTES = 64

/**
 * The bytes of a page's rows in their sources; consecutive rows share a range. Refilled for each
 * page.
 *
 *   FIELD     SIZE             HOLDS, per range in the order of the page
 *   starts    4 × page rows    first byte in its source
 *   ends      4 × page rows    byte after the last
 *   sources                    the rendered rows of its segment
 */
export class ByteRanges {
  readonly starts = new Uint32Array(LIST_LIMIT_MAX)
  readonly ends = new Uint32Array(LIST_LIMIT_MAX)
  readonly sources: Uint8Array[] = []
  count = 0
  byteCount = 0
  /**
   * The memory of all ranges; undefined = they are in several memories, or in no WebAssembly
   * memory.
   */
  memory: WebAssembly.Memory | undefined

  /** Looks up the rows of the page; consecutive rows become one range. */
  take(page: readonly Run[]): void {
    this.count = 0
    this.byteCount = 0
    const segment = page[0]?.segment
    this.memory = page.every((run) => run.segment === segment) ? segment?.rowMemory : undefined
    for (const run of page) {
      if (run.ordinals === undefined) this.#takeOrdered(run)
      else this.#takeScattered(run, run.ordinals)
    }
  }

  /** Drops the references to segments, so that a page does not keep an old snapshot in memory. */
  forget(): void {
    this.sources.length = 0
    this.memory = undefined
    this.count = 0
  }

  #takeOrdered({ segment, first, step, count }: Run): void {
    if (step === 1) this.#add(segment, first, first + count)
    else for (let i = 0; i < count; i++) this.#add(segment, first - i, first - i + 1)
  }

  /**
   * Looks up all rows before reading any of them: the look-ups do not depend on each other, so the
   * processor waits for many at once.
   */
  #takeScattered({ segment, first, step, count }: Run, ordinals: Uint32Array): void {
    const { rowOffsets, rowBytes } = segment
    const { starts, ends, count: before } = this
    for (let i = 0; i < count; i++) {
      const ordinal = ordinals[first + i * step]! // a run's positions are within its ordinals
      starts[before + i] = rowOffsets[ordinal]!
      ends[before + i] = rowOffsets[ordinal + 1]! // there is one offset more than rows
    }
    let last = before - 1
    for (let i = before; i < before + count; i++) {
      const start = starts[i]! // as many were set
      const end = ends[i]!
      this.byteCount += end - start
      if (last >= before && ends[last] === start) {
        ends[last] = end
        continue
      }
      last += 1
      starts[last] = start
      ends[last] = end
      this.sources[last] = rowBytes
    }
    this.count = last + 1
  }

  /** Adds the rows [from, to). */
  #add(segment: Segment, from: number, to: number): void {
    const start = segment.rowOffsets[from]! // from < to <= rowCount, and there is one offset more
    const end = segment.rowOffsets[to]!
    this.starts[this.count] = start
    this.ends[this.count] = end
    this.sources[this.count] = segment.rowBytes
    this.count += 1
    this.byteCount += end - start
  }
}

/**
 * Reads one byte of each cache line of the ranges. The reads do not depend on each other, so the
 * processor waits for many lines at once, where copying row by row would wait for each in turn. The
 * first line of every row is read before all others: each row is in a page of memory of its own,
 * and translating its address takes longer than reading the line. 100 scattered rows of 600 bytes
 * take half the time (`npm run bench -- rows`).
 * @returns the sum of the bytes, which has no meaning
 */
export function touchRanges({ starts, ends, sources, count }: ByteRanges): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += sources[i]![starts[i]!]!
  for (let i = 0; i < count; i++) {
    const source = sources[i]!
    const end = ends[i]!
    for (let at = starts[i]! + CACHE_LINE_BYTES; at < end; at += CACHE_LINE_BYTES) {
      sum += source[at]!
    }
  }
  return sum
}
