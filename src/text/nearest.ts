/** Longest name that is compared; a longer one is no typing error of a name of ours. */
const NAME_LENGTH_MAX = 40

/**
 * The known name that a mistyped one most likely means: at most a third of its letters (and at
 * least one) inserted, left out, replaced or swapped with the next; case does not matter.
 * @returns undefined when none is that near; of equally near ones the first
 */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > NAME_LENGTH_MAX) return undefined
  let nearest: string | undefined
  let nearestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1
  for (const name of known) {
    const distance = typingErrors(typed.toLowerCase(), name.toLowerCase())
    if (distance < nearestDistance) {
      nearest = name
      nearestDistance = distance
    }
  }
  return nearest
}

/** Optimal string alignment distance. */
function typingErrors(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const shortest = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(shortest, (beforeLast[j - 2] ?? 0) + 1) : shortest)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
