/**
 * Characters of an unknown parameter name that is compared with the known ones: over twice the
 * longest.
 */
const NEAREST_NAME_CHARS_MAX = 32

/** Edits between a mistyped name and the one meant; three edits make one short name of another. */
const NEAREST_NAME_EDITS_MAX = 2

/**
 * The known name that `name` most likely means: equal except for case, `_` and `-`, or else at most
 * two edits away (one for names of up to four characters); the first of equally near ones.
 * @returns undefined when none is near enough
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > NEAREST_NAME_CHARS_MAX) return undefined
  const folded = fold(name)
  let nearest: string | undefined
  let fewest = folded.length > 4 ? NEAREST_NAME_EDITS_MAX + 1 : NEAREST_NAME_EDITS_MAX
  for (const candidate of known) {
    const edits = editDistance(folded, fold(candidate))
    if (edits < fewest) {
      fewest = edits
      nearest = candidate
    }
  }
  return nearest
}

/**
 * The known names that resemble `name`, at most `count`: those that contain it or are contained in
 * it, from four characters on, or that differ in a third of the characters at most; case does not
 * count. The one with the fewest edits is first, equal ones stay in the given order.
 */
export function similarNames(name: string, known: readonly string[], count: number): string[] {
  const folded = fold(name.slice(0, NEAREST_NAME_CHARS_MAX))
  return known
    .map((candidate) => ({ candidate, edits: editsOf(folded, fold(candidate)) }))
    .filter(({ edits }) => edits !== undefined)
    .sort((a, b) => (a.edits ?? 0) - (b.edits ?? 0))
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** Characters of a name that is looked for within another one. */
const CONTAINED_CHARS_MIN = 4

/** undefined = the names do not resemble each other. */
function editsOf(name: string, other: string): number | undefined {
  const [shorter, longer] = name.length < other.length ? [name, other] : [other, name]
  const edits = editDistance(name, other)
  if (shorter.length >= CONTAINED_CHARS_MIN && longer.includes(shorter)) return edits
  return edits * 3 <= longer.length ? edits : undefined
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

/**
 * Characters to insert, delete, replace or swap with their neighbour to make one text the other
 * (optimal string alignment: no substring is edited twice). Counts UTF-16 units.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      // Every index below is at most the length of a row that is already filled up to there.
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let edits = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      }
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
