/** Quantiles of measured values, in the unit of the values. */
export interface Quantiles {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/**
 * The smallest value that at least this share of the values does not exceed. @param sorted
 * ascending
 */
function quantileOf(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** @param values in any order; NaN throughout when there are none */
export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b)
  return {
    p50: quantileOf(sorted, 0.5),
    p99: quantileOf(sorted, 0.99),
    max: sorted.at(-1) ?? Number.NaN,
  }
}

/** Values that represent each list in {@link pooledQuantiles}. */
const POOLED_VALUES = 100

/** Quantiles of several lists together, each with the same weight whatever its length. */
export function pooledQuantiles(lists: readonly (readonly number[])[]): Quantiles {
  const pooled = lists.flatMap((values) => {
    const sorted = values.toSorted((a, b) => a - b)
    if (sorted.length === 0) return []
    return Array.from({ length: POOLED_VALUES }, (_, i) =>
      quantileOf(sorted, (i + 1) / POOLED_VALUES),
    )
  })
  return quantilesOf(pooled)
}

/** The middle value, or the mean of the two middle ones; NaN for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper
}

/** Median of the ratios of values measured in pairs; the shorter list determines the number. */
export function pairedRatio(values: readonly number[], others: readonly number[]): number {
  const pairs = values.slice(0, others.length)
  return medianOf(pairs.map((value, i) => value / (others[i] ?? Number.NaN)))
}
