import type { StatementTransaction } from './statement.js'
import { FIELD_CODE_POINTS_MAX } from './statement.js'

const PLACEHOLDER =
  /^(NOT ?PROVIDED|NONREF|NOREF|NOTAVAIL(ABLE)?|UNKNOWN|N\/A|keine Information vorhanden)$/i

/** Characters that cleaning changes; few texts of banks have them. */
const UNCLEAN = /^\s|\s$|\p{Cc}|[^\S ]|\s\s/u

/** A text with more UTF-16 units has more code points than a field may have. */
export const OVERLONG_UNITS = 2 * FIELD_CODE_POINTS_MAX

/**
 * The text on one line: runs of white space and control characters become one blank, or nothing at
 * the ends. @returns undefined when nothing is left
 */
export function cleanText(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!UNCLEAN.test(text)) return text
  const clean = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return clean === '' ? undefined : clean
}

/** Like {@link cleanText}; also undefined for placeholders of a missing reference. */
export function cleanReference(text: string | undefined): string | undefined {
  const clean = cleanText(text)
  return clean === undefined || PLACEHOLDER.test(clean) ? undefined : clean
}

/** Sets a field that is empty to a text that is present. */
export function fillText<K extends string>(
  target: { [P in K]?: string },
  key: K,
  text: string | undefined,
): void {
  if (text !== undefined && target[key] === undefined) target[key] = text
}

/** Texts of one line that are looked up in it: banks write some 20. */
const COMPARED_TEXTS_MAX = 1_000

/**
 * Joins texts on one line, without those that an earlier one contains; after the first thousand,
 * those are kept too. Stops once the line is too long for a field, see {@link overlongField}.
 */
export function joinTexts(pieces: readonly (string | undefined)[]): string | undefined {
  let joined = ''
  let comparedCount = 0
  for (const piece of pieces) {
    const clean = cleanText(piece)
    if (clean === undefined) continue
    comparedCount += 1
    if (comparedCount <= COMPARED_TEXTS_MAX && joined.includes(clean)) continue
    joined = joined === '' ? clean : `${joined} ${clean}`
    if (joined.length > OVERLONG_UNITS) break
  }
  return joined === '' ? undefined : joined
}

/** The first field of more than {@link FIELD_CODE_POINTS_MAX} code points, if there is one. */
export function overlongField(transaction: StatementTransaction): string | undefined {
  for (const part of [transaction, transaction.counterpart]) {
    for (const field in part) {
      const value: unknown = part[field as keyof typeof part]
      if (typeof value !== 'string' || value.length <= FIELD_CODE_POINTS_MAX) continue
      // A text with more than twice as many UTF-16 units is not counted.
      if (value.length > OVERLONG_UNITS || [...value].length > FIELD_CODE_POINTS_MAX) return field
    }
  }
  return undefined
}
