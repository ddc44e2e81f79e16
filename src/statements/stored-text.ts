import type { StatementTransaction } from './statement.js'
import { joinTexts } from './text-field.js'

/** Shorter texts occur in other texts by chance, so they are compared word by word. */
const CONTAINED_LENGTH_MIN = 4

/** Letters and digits alone, in lower case: a repetition may have other marks and blanks. */
function foldedText(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Whether a text field of the transaction has the text, but for case, marks and blanks. */
function isStored(text: string, fields: readonly string[]): boolean {
  const folded = foldedText(text)
  // Zeros fill a number that is not there.
  if (/^0*$/.test(folded)) return true
  return fields.some((field) =>
    folded.length < CONTAINED_LENGTH_MIN
      ? field.split(/[^\p{L}\p{N}]+/u).some((word) => word.toLowerCase() === folded)
      : foldedText(field).includes(folded),
  )
}

/**
 * Adds texts of a file to the purpose, unless a field of the transaction has them: no text of a
 * file is left out.
 * @param texts by their order in the file, each with the keyword that precedes it in the purpose
 */
export function keepTexts(
  transaction: StatementTransaction,
  texts: readonly { readonly keyword?: string; readonly text: string | undefined }[],
): void {
  const { amount: _, position, counterpart, ...own } = transaction
  const fields = [...Object.values(own), ...Object.values(counterpart)].filter(
    (value): value is string => typeof value === 'string',
  )
  const left = texts.flatMap(({ keyword = '', text = '' }) =>
    isStored(text, fields) ? [] : [`${keyword}${text}`],
  )
  const purpose = joinTexts([transaction.purpose, ...left])
  if (purpose !== undefined) transaction.purpose = purpose
}
