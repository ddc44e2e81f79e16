import { inSteps, type StepwiseWork } from './turns.js'

const DIGIT_BITS = 11
const DIGIT_MASK = 2 ** DIGIT_BITS - 1

/** Keys of a step, and its cost: some ten microseconds. */
const READING = { numbers: 4_096, cost: 512 }
const MOVING = { numbers: 4_096, cost: 2_048 }

/**
 * The positions of keys in ascending order of the keys, equal keys by position: a radix sort, the
 * least significant digit first, in steps.
 * @param keys parts of the keys, the most significant first; one entry a position
 */
export function* sortedPositions(
  keys: readonly Uint32Array[],
  count: number,
): StepwiseWork<Uint32Array> {
  let from = new Uint32Array(count)
  let to = new Uint32Array(count)
  const identity = from
  yield* inSteps(count, READING, (begin, end) => {
    for (let i = begin; i < end; i++) identity[i] = i
  })
  for (const part of keys.toReversed()) {
    const bits = yield* bitsIn(part, count)
    for (let shift = 0; bits >>> shift > 0 && shift < 32; shift += DIGIT_BITS) {
      const ends = yield* startsOfDigits(part, shift, count)
      const digits = { part, shift, from, to, ends }
      yield* inSteps(count, MOVING, (begin, end) => scatter(digits, begin, end))
      from = digits.to
      to = digits.from
    }
  }
  return from
}

/** The bits that are set in any of the keys. */
function* bitsIn(part: Uint32Array, count: number): StepwiseWork<number> {
  let bits = 0
  yield* inSteps(count, READING, (begin, end) => {
    for (let i = begin; i < end; i++) bits |= part[i]!
  })
  return bits
}

/** The position of the first key of each digit. */
function* startsOfDigits(
  part: Uint32Array,
  shift: number,
  count: number,
): StepwiseWork<Uint32Array> {
  const starts = new Uint32Array(DIGIT_MASK + 2)
  yield* inSteps(count, READING, (begin, end) => {
    for (let i = begin; i < end; i++) starts[((part[i]! >>> shift) & DIGIT_MASK) + 1]! += 1
  })
  for (let digit = 0; digit <= DIGIT_MASK; digit++) starts[digit + 1]! += starts[digit]!
  return starts
}

interface Digits {
  readonly part: Uint32Array
  readonly shift: number
  readonly from: Uint32Array<ArrayBuffer>
  readonly to: Uint32Array<ArrayBuffer>
  /** By digit, the position after its last key so far. */
  readonly ends: Uint32Array
}

function scatter({ part, shift, from, to, ends }: Digits, begin: number, end: number): void {
  for (let i = begin; i < end; i++) {
    const position = from[i]!
    const digit = (part[position]! >>> shift) & DIGIT_MASK
    to[ends[digit]!] = position
    ends[digit]! += 1
  }
}
