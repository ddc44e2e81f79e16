// Sorted lists of numbers: the ordinals of rows, the codes of words.

/**
 * Whether a list has the number. Searches by hand: filters call it for each row, where a callback
 * of lowerBound costs more than the comparison.
 */
export function isListed(ascending: Uint32Array, wanted: number): boolean {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return ascending[low] === wanted
}

/** The numbers in ascending order, each once; sorts in place. */
export function sortedOnce(numbers: Uint32Array): Uint32Array {
  numbers.sort()
  let kept = 0
  for (let i = 0; i < numbers.length; i++) {
    // kept <= i: in place is safe
    if (kept === 0 || numbers[i] !== numbers[kept - 1]) numbers[kept++] = numbers[i]!
  }
  return numbers.subarray(0, kept)
}
