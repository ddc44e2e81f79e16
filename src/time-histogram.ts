/**
 * Number of buckets. The bucket of a time is the exponent and the first three bits of the mantissa
 * of its double, so that buckets are an eighth of their octave wide. The first ends at 2^-9 ms (2
 * us), the last begins at 2^20 ms (17 min).
 */
export const TIME_BUCKETS = 232
const EXPONENT_SHIFT = 17
const FIRST = (1023 - 9) << 3

const DOUBLE = new Float64Array(1)
/** Sign, exponent and the upper mantissa are the second word: little-endian, as every platform. */
const WORDS = new Uint32Array(DOUBLE.buffer)

/** The bucket of a time. @param ms from 0 */
export function bucketOf(ms: number): number {
  DOUBLE[0] = ms
  const bucket = (WORDS[1]! >>> EXPONENT_SHIFT) - FIRST // WORDS has two entries
  return bucket < 0 ? 0 : bucket < TIME_BUCKETS ? bucket : TIME_BUCKETS - 1
}

/** The end of a bucket, in ms: no time in it is longer, except in the last. */
export function bucketEndMs(bucket: number): number {
  WORDS[0] = 0
  WORDS[1] = (bucket + FIRST + 1) << EXPONENT_SHIFT
  return DOUBLE[0] ?? 0
}

/** Counts times by bucket, and sums them. Only grows, as a Prometheus histogram does. */
export class TimeHistogram {
  readonly #counts = new Float64Array(TIME_BUCKETS)
  #count = 0
  #sumMs = 0

  /** @param ms from 0   @param weight how many times of this length it stands for */
  add(ms: number, weight = 1): void {
    this.#counts[bucketOf(ms)]! += weight // bucketOf is in range
    this.#count += weight
    this.#sumMs += ms * weight
  }

  /** The number of times added. */
  get count(): number {
    return this.#count
  }

  /** Their sum, in ms. */
  get sumMs(): number {
    return this.#sumMs
  }

  /** The number of them in buckets that end at `ms` or before. @param ms the end of a bucket */
  countUpTo(ms: number): number {
    let count = 0
    for (let i = 0; i < TIME_BUCKETS && bucketEndMs(i) <= ms; i++) {
      count += this.#counts[i]! // i < TIME_BUCKETS, its length
    }
    return count
  }
}
