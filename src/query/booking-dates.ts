import type { Segment } from '../snapshot/snapshot.js'
import { inSteps, type StepwiseWork } from './turns.js'

/** The booking dates of several segments, so that dates are compared as small integers. */
export interface BookingDates {
  /** Epoch ms, ascending and distinct. */
  readonly values: Float64Array
  /** By the codes of a segment's booking dates, 1 + the place in `values`; 0 = no date. */
  readonly numbersOf: ReadonlyMap<Segment, Uint32Array>
}

/** Dates of a step, and its cost: some ten microseconds. */
const MERGING = { numbers: 2_048, cost: 1_024 }

/** The booking dates of segments, in steps. */
export function* bookingDatesOf(segments: readonly Segment[]): StepwiseWork<BookingDates> {
  let values = new Float64Array(0)
  for (const { booked } of segments) values = yield* merged(values, booked.values)
  const numbersOf = new Map<Segment, Uint32Array>()
  for (const segment of segments) {
    const own = segment.booked.values
    const numbers = new Uint32Array(own.length + 1)
    let place = 0
    yield* inSteps(own.length, MERGING, (from, to) => {
      for (let code = from; code < to; code++) {
        while (values[place]! < own[code]!) place += 1
        numbers[code] = place + 1
      }
    })
    numbersOf.set(segment, numbers)
  }
  return { values, numbersOf }
}

/** Bytes of the arrays. */
export function bookingDateBytes({ values, numbersOf }: BookingDates): number {
  let total = values.byteLength
  for (const numbers of numbersOf.values()) total += numbers.byteLength
  return total
}

/** The distinct values of two ascending lists. */
function* merged(a: Float64Array, b: Float64Array): StepwiseWork<Float64Array<ArrayBuffer>> {
  const values = new Float64Array(a.length + b.length)
  let [i, j, end] = [0, 0, 0]
  yield* inSteps(values.length, MERGING, (from, to) => {
    for (let step = from; step < to && (i < a.length || j < b.length); step++) {
      const [own, other] = [a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY]
      values[end++] = Math.min(own, other)
      if (own <= other) i += 1
      if (other <= own) j += 1
    }
  })
  return values.subarray(0, end)
}
