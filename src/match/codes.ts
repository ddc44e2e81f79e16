/**
 * The compact form of a field or a query, for comparison: letters and digits alone, one byte each,
 * and for each the kind of gap before it.
 *
 *   CODE        HOLDS
 *   0 to 9      the digit
 *   10 to 35    A to Z
 *   36          a leading zero: a 0 at the head of a digit group, with another digit after it
 *   + 64        the same, masked: part of a date, a time, an amount or an IBAN
 *
 *   GAP         BEFORE THE CODE STANDS
 *   0           nothing
 *   1           blanks and line breaks, with or without characters of gap 2
 *   2           characters that join the parts of a reference: - / . _ # * @ ? and the like
 *   3           anything else; also the border of a masked span
 *   4           the border of a derived span: a member of a list, written out (lists.ts)
 *   5           the same for a number between the ends of a range
 */
export const LEADING_ZERO = 36
export const MASKED = 64
export const CODES = 128

export const GAP_NONE = 0
export const GAP_BLANK = 1
export const GAP_JOINING = 2
export const GAP_STRONG = 3
export const GAP_DERIVED = 4
export const GAP_BETWEEN = 5
export const GAPS = 6

/** A field, a query or the core of a unit: the codes of larger arrays from one place to another. */
export interface CodeSpan {
  readonly codes: Uint8Array
  readonly gaps: Uint8Array
  readonly from: number
  readonly to: number
}

const LETTER_A = 10

/** Letters and digits that are confused in handwriting or by a scanner. */
const LOOK_ALIKE: readonly string[] = ['0OQD', '1IL', '2Z', '5S', '6G', '8B']

/** A code that equals no other. */
const NO_CODE = CODES - 1

/** The code of an upper-case letter or a digit. */
export function codeOf(character: string): number {
  const unit = character.charCodeAt(0)
  return unit < 58 ? unit - 48 : unit - 65 + LETTER_A
}

/** Code -> the code of the digit it looks like, else itself; a masked code equals no other. */
export const FOLDED: Uint8Array = foldedCodes()

function foldedCodes(): Uint8Array {
  const folded = Uint8Array.from({ length: CODES }, (_, code) => (code < MASKED ? code : NO_CODE))
  for (const group of LOOK_ALIKE) {
    for (const character of group) folded[codeOf(character)] = codeOf(group)
  }
  folded[LEADING_ZERO] = 0
  return folded
}

/** Whether an unmasked code is a digit. */
export function isDigit(code: number): boolean {
  return code < LETTER_A || code === LEADING_ZERO
}

/** Whether an unmasked code is a letter. */
export function isLetter(code: number): boolean {
  return code >= LETTER_A && code < LEADING_ZERO
}

/** The character of a code, masked or not. */
export function characterOf(code: number): string {
  const plain = code & (MASKED - 1)
  if (plain === LEADING_ZERO) return '0'
  return String.fromCharCode(plain < LETTER_A ? plain + 48 : plain - LETTER_A + 65)
}
