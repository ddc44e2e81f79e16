import {
  codeOf,
  GAP_BETWEEN,
  GAP_BLANK,
  GAP_DERIVED,
  GAP_JOINING,
  GAP_NONE,
  GAP_STRONG,
  isDigit,
  LEADING_ZERO,
  MASKED,
} from './codes.js'
import { type ListMember, listMembers } from './lists.js'
import { markField } from './marks.js'
import { type Mask, masksOf, masksOfQuery } from './masks.js'
import { plainOf } from './plain-text.js'

/** Output of compact forms and their marks, one after another. */
export interface CompactSink {
  codes: Uint8Array
  gaps: Uint8Array
  marks: Uint8Array
  /** Code -> unit of the plain text it stands for; filled if present. */
  units: Int32Array | undefined
}

const BLANK = 64
/** Codes below it are digits. */
const LETTERS_FROM = 10
const JOINING = 65
const OTHER = 66

/** ASCII -> the code of a letter or digit, else BLANK, JOINING or OTHER. */
const KIND: Uint8Array = kinds()

function kinds(): Uint8Array {
  const kind = new Uint8Array(128).fill(OTHER)
  for (let unit = 0; unit <= 32; unit++) kind[unit] = BLANK
  for (const character of "-/._#*@?~=|\\'`") kind[character.charCodeAt(0)] = JOINING
  for (let digit = 0; digit < 10; digit++) kind[48 + digit] = digit
  for (let letter = 0; letter < 26; letter++) {
    kind[65 + letter] = 10 + letter
    kind[97 + letter] = 10 + letter
  }
  return kind
}

/**
 * Input of a compact form.
 *
 *   FIELD       HOLDS
 *   text        its plain text
 *   masks       its spans that are no part of a reference
 *   members     members of its lists, written out
 *   lengthMax   codes that its compact form has at most
 */
export interface PlainField {
  readonly text: string
  readonly masks: readonly Mask[]
  readonly members: readonly ListMember[]
  readonly lengthMax: number
}

/** Prepares a field of a transaction for {@link compactField}. */
export function plainField(text: string): PlainField {
  const plain = plainOf(text)
  const masks = masksOf(plain)
  const members = listMembers(plain, masks)
  const lengthMax = members.reduce((sum, member) => sum + member.text.length, plain.length)
  return { text: plain, masks, members, lengthMax }
}

/** 3.5.2024 */
const SHORT_DATE =
  /(?<![\dA-Z]|[\dA-Z][-/_.,:])(\d{1,2})([./-])(\d{1,2})\2((?:19|20)?\d\d)(?!\d|[-/_.][\dA-Z])/gi

/**
 * Prepares a query for {@link compactField}: as a primanota, but a period (07/19) is a date, and
 * dates have days and months of two digits.
 */
export function plainQuery(text: string): PlainField {
  const plain = plainOf(text).replace(SHORT_DATE, padded)
  return { text: plain, masks: masksOfQuery(plain), members: [], lengthMax: plain.length }
}

function padded(_: string, first: string, gap: string, second: string, year: string): string {
  return [first.padStart(2, '0'), second.padStart(2, '0'), year].join(gap)
}

/** Prepares a primanota for {@link compactField}: its lists stay as they are. */
export function plainWhole(text: string): PlainField {
  const plain = plainOf(text)
  return { text: plain, masks: masksOf(plain), members: [], lengthMax: plain.length }
}

/**
 * Writes the compact form of a field from `at` on (layout in codes.ts): the text itself, then the
 * members of its lists; and its marks.
 * @param sink has room for `lengthMax` codes from `at` on
 * @returns number of written codes
 */
export function compactField(
  { text, masks, members }: PlainField,
  sink: CompactSink,
  at: number,
): number {
  let end = compactSpan(text, masks, sink, at)
  for (const member of members) {
    const begin = end
    end = compactSpan(member.text, [], sink, begin)
    if (end === begin) continue
    sink.gaps[begin] = member.isBetween ? GAP_BETWEEN : GAP_DERIVED
    // Its first code stands for the start of the list, its last one for the end of the member.
    sink.units?.fill(member.from, begin, end - 1)
    sink.units?.fill(member.to - 1, end - 1, end)
  }
  markField({ codes: sink.codes, gaps: sink.gaps, from: at, to: end }, sink.marks)
  return end - at
}

/** @returns where the codes end */
function compactSpan(
  text: string,
  masks: readonly Mask[],
  { codes, gaps, units }: CompactSink,
  at: number,
): number {
  let end = at
  let blanks = 0
  let joining = 0
  let others = 0
  let hasDigit = false
  let mask = 0
  for (let i = 0; i < text.length; i++) {
    const kind = KIND[text.charCodeAt(i)]! // a plain text is ASCII
    if (kind >= BLANK) {
      if (kind === BLANK) blanks = 1
      else if (kind === JOINING || (hasDigit && isTightColon(text, i))) joining = 1
      else others = 1
      if (blanks + others > 0) hasDigit = false
      continue
    }
    while (mask < masks.length && masks[mask]!.to <= i) {
      others = 1
      mask += 1
    }
    const isMasked = mask < masks.length && masks[mask]!.from <= i
    const isBorder = isMasked && masks[mask]!.from === i
    codes[end] = isMasked ? kind | MASKED : kind
    gaps[end] =
      others === 1 || isBorder
        ? GAP_STRONG
        : blanks === 1
          ? GAP_BLANK
          : joining === 1
            ? GAP_JOINING
            : GAP_NONE
    if (units !== undefined) units[end] = i
    end += 1
    if (kind < LETTERS_FROM) hasDigit = true
    const name = isMasked ? masks[mask]!.name : undefined
    if (name?.from === i) {
      end = writeMonth(name, { codes, gaps, units }, end - 1)
      i = name.to - 1
    }
    blanks = 0
    joining = 0
    others = 0
  }
  markLeadingZeros(codes, gaps, at, end)
  return end
}

/**
 * Writes the name of a month as its first three letters in English, the first gap being there.
 * @returns where the codes end
 */
function writeMonth(
  { month, from, to }: NonNullable<Mask['name']>,
  { codes, gaps, units }: Omit<CompactSink, 'marks'>,
  at: number,
): number {
  for (let i = 0; i < month.length; i++) {
    codes[at + i] = codeOf(month.charAt(i)) | MASKED
    if (i > 0) gaps[at + i] = GAP_NONE
    // The last one stands for the end of the name.
    if (units !== undefined) units[at + i] = i + 1 < month.length ? from + i : to - 1
  }
  return at + month.length
}

/** Whether a colon stands between two letters or digits: 20240815:LOT:3. */
function isTightColon(text: string, i: number): boolean {
  const isKept = (unit: number): boolean => unit < KIND.length && KIND[unit]! < BLANK
  return (
    text[i] === ':' && i > 0 && isKept(text.charCodeAt(i - 1)) && isKept(text.charCodeAt(i + 1))
  )
}

/** Marks zeros as leading: a digit follows directly, and only leading zeros or no digit precede. */
export function markLeadingZeros(
  codes: Uint8Array,
  gaps: Uint8Array,
  from: number,
  to: number,
): void {
  for (let i = from; i + 1 < to; i++) {
    if (codes[i] !== 0 || gaps[i + 1] !== GAP_NONE || !isDigit(codes[i + 1]!)) continue
    const isHead = i === from || gaps[i] !== GAP_NONE || !isDigit(codes[i - 1]!)
    if (isHead || codes[i - 1] === LEADING_ZERO) codes[i] = LEADING_ZERO
  }
}
