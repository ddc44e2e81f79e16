/**
 * Binary search, as std::lower_bound does it: the first of the places `low` to `high - 1`, fewer
 * than 2^32, that is not before the wanted one, or `high` when all are.
 * @param isBefore true up to a place and false from there on
 */
export function lowerBound(
  low: number,
  high: number,
  isBefore: (place: number) => boolean,
): number {
  let first = low
  let end = high
  while (first < end) {
    const middle = first + ((end - first) >>> 1)
    if (isBefore(middle)) first = middle + 1
    else end = middle
  }
  return first
}
