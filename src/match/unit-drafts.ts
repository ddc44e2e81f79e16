import { editDistance } from '../text/nearest.js'
import { type Chunk, textOf } from './chunks.js'
import { GAP_BLANK, GAP_NONE, isDigit, isLetter } from './codes.js'
import {
  CLASS_FILLER,
  CLASS_NUMBER,
  keywordAt,
  keywordBefore,
  keywordLike,
  NO_CLASS,
} from './dictionary.js'
import { STEP_MAX } from './lists.js'

/**
 * A reference unit under construction.
 *
 *   FIELD      HOLDS
 *   from       its start, with its keyword
 *   core       start of its core
 *   chunk      start of its first chunk; after `core` where a short word begins the core
 *   isWhole    whether its chunks may as well be several numbers
 */
export interface UnitDraft {
  from: number
  core: number
  chunk: number
  to: number
  keyword: number
  isJoined: boolean
  isWhole: boolean
}

/** Codes from one place to before another. */
export interface CodeRange {
  readonly from: number
  readonly to: number
}

/** Maximum letters of a word, a blank before a number, that is part of it: MUE 2024 0815. */
const HEAD_WORD_LENGTH_MAX = 3
/** Minimum codes of a number before which such a word has no letter more. */
const HEAD_WORD_DIGITS_MIN = 3
/** Minimum digits of two numbers, a blank apart, that are not one number in groups. */
const LONG_NUMBER_LENGTH_MIN = 6
/** Minimum digits of numbers that a list may have without commas. */
const SIBLING_LENGTH_MIN = 5
/** Minimum digits of a number to which a short word before it does not belong. */
const LABELLED_DIGITS_MIN = 10
/** The references of a query, and the longer parts of those that stand in several chunks. */
export interface Drafts {
  readonly drafts: readonly UnitDraft[]
  readonly parts: readonly UnitDraft[]
}

/**
 * Finds the references of a query.
 * @param codes,gaps its compact form
 */
export function draftsOf(codes: Uint8Array, gaps: Uint8Array, chunks: readonly Chunk[]): Drafts {
  const rows: UnitDraft[][] = []
  chunks.forEach((chunk, i) => {
    if (!chunk.hasDigits) return
    const draft = draftOf(codes, gaps, chunk, chunks[i - 1])
    const row = rows.at(-1)
    const last = row?.at(-1)
    const isNext = last?.to === draft.from && draft.keyword === NO_CLASS
    if (isNext && gaps[draft.from] === GAP_BLANK) {
      row?.push(draft)
      return
    }
    // A member of a list has the keyword of the first.
    const isMember = last !== undefined && draft.keyword === NO_CLASS && draft.core - last.to <= 3
    if (isMember && lengthOf(draft) <= lengthOf(last)) draft.keyword = last.keyword
    rows.push([draft])
  })
  const joined = rows.map((row) => withoutLabel(codes, joinRow(codes, row)))
  const drafts = [
    ...joined.flatMap(({ drafts: ofRow }) => ofRow),
    ...identifierOf(gaps, chunks, rows),
  ]
  const long = drafts.filter((draft) => lengthOf(draft) > 1)
  return {
    drafts: long.length > 0 ? long : drafts,
    parts: [
      ...joined.flatMap(({ parts }) => parts),
      ...chunks.flatMap((chunk) => groupsOf(codes, gaps, chunk)),
    ],
  }
}

/** The long numbers that joining characters divide in a chunk: 201403110 of 201403110/113. */
function groupsOf(codes: Uint8Array, gaps: Uint8Array, { from, to }: Chunk): UnitDraft[] {
  const groups: CodeRange[] = []
  for (let begin = from, end = from + 1; end <= to; end++) {
    if (end < to && gaps[end] === GAP_NONE) continue
    groups.push({ from: begin, to: end })
    begin = end
  }
  if (groups.length < 2) return []
  return groups.map(draftOfChunk).filter((draft) => {
    return lengthOf(draft) >= LONG_NUMBER_LENGTH_MIN && hasDigitsAlone(codes, draft)
  })
}

/** Maximum letters of a block between two with digits: the GREENP of EJ46 GREENP 100610 T1456. */
const BLOCK_LETTERS_MAX = 6

/** All of a query that may be one identifier in blocks, some of them letters alone. */
function identifierOf(
  gaps: Uint8Array,
  chunks: readonly Chunk[],
  rows: readonly (readonly UnitDraft[])[],
): UnitDraft[] {
  const [first] = chunks
  const last = chunks.at(-1)
  if (first === undefined || last === undefined || rows.length < 2) return []
  const areBlocks =
    first.hasDigits &&
    last.hasDigits &&
    chunks.every(({ from, to, hasDigits }, i) => {
      const isNear = i === 0 || gaps[from] === GAP_BLANK
      return isNear && (hasDigits || to - from <= BLOCK_LETTERS_MAX)
    })
  const isUnnamed = rows.flat().every(({ keyword }) => [NO_CLASS, CLASS_NUMBER].includes(keyword))
  const whole = draftOfChunk({ from: first.from, to: last.to })
  return areBlocks && isUnnamed ? [{ ...whole, isWhole: true }] : []
}

/** Number of codes of the core of a draft. */
export function lengthOf({ core, to }: UnitDraft): number {
  return to - core
}

/** Joins chunks that stand a blank apart to a number in groups, unless they are several numbers. */
function joinRow(codes: Uint8Array, row: readonly UnitDraft[]): Drafts {
  const [first, ...others] = row
  const last = row.at(-1)
  if (first === undefined || last === undefined || others.length === 0)
    return { drafts: row, parts: [] }
  const { keyword } = first
  const members = row.map((draft) => ({ ...draft, keyword }))
  if (areSiblings(codes, row)) return { drafts: members, parts: [] }
  const whole = { ...first, to: last.to, isWhole: true }
  const long = members
    .map((draft) => ({ ...draft, core: draft.chunk }))
    .filter((draft) => lengthOf(draft) >= LONG_NUMBER_LENGTH_MIN && hasDigitsAlone(codes, draft))
  const areTwo = row.length === 2 && long.length === 2
  return areTwo ? { drafts: [whole, ...long], parts: [] } : { drafts: [whole], parts: long }
}

function hasDigitsAlone(codes: Uint8Array, { core, to }: UnitDraft): boolean {
  return codes.subarray(core, to).every(isDigit)
}

/** Whether numbers, equally long, ascend in small steps: a list without commas. */
function areSiblings(codes: Uint8Array, row: readonly UnitDraft[]): boolean {
  const numbers = row.map((draft) => textOf(codes, draft.core, draft.to))
  return numbers.every((number, i) => {
    const before = numbers[i - 1]
    if (number.length < SIBLING_LENGTH_MIN || !/^\d+$/.test(number)) return false
    if (before === undefined) return true
    const step = Number(number) - Number(before)
    return number.length === before.length && step >= 1 && step <= STEP_MAX
  })
}

/** A short word before a long number says what it is (`ARN 7460 9055 …`), and is no part of it. */
function withoutLabel(codes: Uint8Array, { drafts, parts }: Drafts): Drafts {
  const stripped = drafts.map((draft) => {
    const isLabelled = draft.chunk > draft.core
    const digits = codes.subarray(draft.core, draft.to).filter(isDigit).length
    if (!isLabelled || digits < LABELLED_DIGITS_MIN) return draft
    return { ...draft, from: draft.chunk, core: draft.chunk }
  })
  return { drafts: stripped, parts }
}

/** A draft of codes without a keyword. */
export function draftOfChunk({ from, to }: CodeRange): UnitDraft {
  return { from, core: from, chunk: from, to, keyword: NO_CLASS, isJoined: false, isWhole: false }
}

/** The core of a chunk with digits: without its keyword, or with the short word before it. */
function draftOf(
  codes: Uint8Array,
  gaps: Uint8Array,
  chunk: Chunk,
  before: Chunk | undefined,
): UnitDraft {
  let digit = chunk.from
  while (!isDigit(codes[digit]!)) digit += 1 // the chunk has digits
  const query = { codes, gaps, from: 0, to: codes.length }
  const { from, keyword } = keywordBefore(query, digit)
  const isKeyword = keyword !== NO_CLASS && !isBlockOfId(codes, chunk, digit, before)
  if (isKeyword && from <= chunk.from && chunk.to - digit > 1) {
    const isJoined = digit > chunk.from
    return { ...draftOfChunk(chunk), from, core: digit, chunk: digit, keyword, isJoined }
  }
  const draft = draftOfChunk(chunk)
  const word = keywordBefore(query, chunk.from)
  if (word.keyword !== NO_CLASS && word.from < chunk.from) {
    return { ...draft, from: word.from, keyword: word.keyword }
  }
  const beforeLength = before?.to === chunk.from ? before.to - before.from : 0
  if (before === undefined || before.hasDigits || beforeLength === 0) return draft
  const misspelled = keywordLike(textOf(codes, before.from, before.to), editDistance)
  if (misspelled !== NO_CLASS && misspelled !== CLASS_FILLER) {
    return { ...draft, from: before.from, keyword: misspelled }
  }
  const isFiller = fillerAt(codes, before)
  // LIDL 391 is a shop and its number, CHDD 1 is not.
  const isShort = chunk.to - chunk.from < HEAD_WORD_DIGITS_MIN
  const lengthMax = isShort ? HEAD_WORD_LENGTH_MAX + 1 : HEAD_WORD_LENGTH_MAX
  const isHead = gaps[chunk.from] === GAP_BLANK && beforeLength <= lengthMax && !isFiller
  return isHead && digit === chunk.from ? { ...draft, from: before.from, core: before.from } : draft
}

/** Whether the letters of a chunk belong to an identifier in blocks: the CN of A3K5 CN2M4 33P. */
function isBlockOfId(
  codes: Uint8Array,
  chunk: Chunk,
  digit: number,
  before: Chunk | undefined,
): boolean {
  if (before?.to !== chunk.from || !before.hasDigits) return false
  const isShort = digit - chunk.from > 0 && digit - chunk.from <= 2
  return isShort && codes.subarray(digit, chunk.to).some(isLetter)
}

function fillerAt(codes: Uint8Array, chunk: Chunk): boolean {
  return keywordAt(codes, chunk.from, chunk.to) === CLASS_FILLER
}
