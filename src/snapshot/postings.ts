import { type CodeArray, sharedUint32 } from '../ordinals/shared-memory.js'

/**
 * For each code the ordinals of its rows, ascending (newest id first).
 *
 *   FIELD       SIZE            HOLDS
 *   offsets     4 × (n + 1)     rows of code c are ordinals[offsets[c] .. offsets[c + 1])
 *   ordinals    4 × entries     ascending within a code
 */
export interface Postings {
  readonly offsets: Uint32Array
  readonly ordinals: Uint32Array
}

/** Number of codes that the postings cover, those without rows included. */
export function codeCountOf(postings: Postings): number {
  return postings.offsets.length - 1
}

/** Number of rows of a code. @param code 0 to the number of codes - 1 */
export function postingCount(postings: Postings, code: number): number {
  return (postings.offsets[code + 1] ?? 0) - (postings.offsets[code] ?? 0)
}

/** The rows of a code, a view. @param code 0 to the number of codes - 1 */
export function postingOf(postings: Postings, code: number): Uint32Array {
  return postings.ordinals.subarray(postings.offsets[code], postings.offsets[code + 1])
}

/**
 * Postings of a column by counting sort.
 * @param codeCount rows whose code is not below it have no value and are in no posting
 */
export function buildPostings(codes: CodeArray, codeCount: number): Postings {
  return buildUnionPostings([codes], codeCount)
}

/** Postings that list a row under each distinct code that any of the columns has for it. */
export function buildUnionPostings(columns: readonly CodeArray[], codeCount: number): Postings {
  const offsets = sharedUint32(codeCount + 1)
  const rowCount = columns[0]?.length ?? 0
  eachEntry(columns, rowCount, codeCount, (code) => {
    offsets[code + 1] = (offsets[code + 1] ?? 0) + 1
  })
  for (let code = 0; code < codeCount; code++) {
    offsets[code + 1] = (offsets[code + 1] ?? 0) + (offsets[code] ?? 0)
  }
  const ordinals = sharedUint32(offsets[codeCount] ?? 0)
  const ends = offsets.slice(0, codeCount)
  eachEntry(columns, rowCount, codeCount, (code, row) => {
    const end = ends[code] ?? 0
    ordinals[end] = row
    ends[code] = end + 1
  })
  return { offsets, ordinals }
}

function eachEntry(
  columns: readonly CodeArray[],
  rowCount: number,
  codeCount: number,
  visit: (code: number, row: number) => void,
): void {
  for (let row = 0; row < rowCount; row++) {
    let before = codeCount
    for (const codes of columns) {
      // row < rowCount = length of every column
      const code = codes[row]!
      if (code < codeCount && code !== before) visit(code, row)
      if (code < codeCount) before = code
    }
  }
}
