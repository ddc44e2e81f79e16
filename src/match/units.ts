import { type Chunk, chunksOf, textOf } from './chunks.js'
import { type CodeRun, codeRun, longestDigitRun } from './code-run.js'
import {
  CODES,
  type CodeSpan,
  FOLDED,
  GAP_JOINING,
  GAP_NONE,
  GAP_STRONG,
  isDigit,
  isLetter,
  LEADING_ZERO,
  MASKED,
} from './codes.js'
import { markLeadingZeros } from './compact.js'
import {
  COST,
  CUT_OFF_COST,
  conflictCost,
  FORBIDDEN,
  IDENTIFIER_LENGTH_MIN,
  IDENTIFIER_LETTERS_MIN,
  paddingCost,
  SECONDARY_CHARGED_MAX,
  UNITS_MAX,
} from './costs.js'
import { CLASS_NUMBER, CLASSES, NO_CLASS } from './dictionary.js'
import { TRUNCATED_LEFT_MIN, TRUNCATED_MAX, type WrittenPattern } from './distance.js'
import { ELSEWHERE, IN_NUMBER, isGroupAt, oneSidedCosts, replaceCosts, sideOf } from './edits.js'
import { neighboursOf } from './neighbours.js'
import { type CodeRange, draftOfChunk, draftsOf, lengthOf, type UnitDraft } from './unit-drafts.js'
import { type WordUnit, wordsOf } from './word-units.js'

/**
 * A reference of a query.
 *
 *   FIELD         HOLDS
 *   codes, gaps   its core, without the keyword before it; the first gap counts as 0
 *   head          letters that the core begins with, when digits follow; else 0
 *   headLeast     minimum letters of the head that are present, else it is another reference; all
 *                 of a date's: juni is not juli
 *   tailLeast     the same for the letters that it ends with: siblings differ in them
 *   letterEditsMax letters that may be wrong, missing or extra
 *   tail          letters that it ends with, when digits stand before; else 0
 *   keyword       class of the keyword before it, 0 = none
 *   prefix        the keyword's codes, as RE in RE-2024-0815
 *   isJoined      whether no blank is between the keyword and the core
 *   length        of the core
 *   significant   number of its codes without the zeros at its head
 *   digits        significant ones after the head; of a year 3, for it says no more
 *   leadingZeros  codes of the core that are leading zeros, of any group
 *   isYear        whether it is a year and nothing else
 *   isZeros       whether it is zeros alone
 *   canBeCutOff   whether enough of it remains where the end of a field cuts a code off
 *   more          costs of an extra code ({@link oneSidedCosts})
 *   less          costs of its missing codes where a group of digits begins
 *   lessElsewhere and elsewhere
 *   replaced      costs of other codes in their place ({@link replaceCosts})
 *   repeats       how many codes after each cost the same as it and the one before, as zeros do
 *   moreFrom      start in `more` of the costs of an extra code after each of its codes
 *   conflict      cost of one numeric conflict
 *   padding       cost of a zero that pads a group on one side only
 *   visible       bits of a field's code that are compared: a masked code equals only that of a
 *                 date, an amount or an IBAN
 *   patternCodes  the codes that are searched, 1 to 32 (distance.ts)
 *   pattern       bits of places in these codes, by code
 *   patternLength codes of the pattern, 1 to 32
 *   written       the pattern with its leading zeros as they are written, where it has any
 *   patternRest   codes of the core after the pattern
 *   editsMax      edits within which the pattern is found
 *   run           the pattern as it has to occur when no edit is allowed; else undefined
 *   digitRun      where that is undefined, the run required without a numeric conflict
 *   isRunWhole    whether one of them is all of the core except zeros, and digits alone
 *   neighbours    starts of the words beside it, of a number of one or two digits that has no
 *                 keyword; else none
 *   exactBelow    an alignment that costs less, apart from the leading zeros that a field lacks,
 *                 has no numeric conflict and no cut-off codes
 */
export interface ReferenceUnit {
  readonly codes: Uint8Array
  readonly gaps: Uint8Array
  readonly head: number
  readonly headLeast: number
  readonly tailLeast: number
  readonly letterEditsMax: number
  readonly tail: number
  readonly keyword: number
  readonly prefix: Uint8Array
  readonly isJoined: boolean
  readonly length: number
  readonly significant: number
  readonly digits: number
  readonly leadingZeros: number
  readonly isYear: boolean
  readonly isZeros: boolean
  readonly canBeCutOff: boolean
  readonly more: Int32Array
  readonly less: Int32Array
  readonly lessElsewhere: Int32Array
  readonly replaced: Int32Array
  readonly moreFrom: Uint8Array
  readonly repeats: Uint8Array
  readonly conflict: number
  readonly padding: number
  readonly visible: number
  readonly patternCodes: Uint8Array
  readonly pattern: Int32Array
  readonly patternLength: number
  readonly written: WrittenPattern | undefined
  readonly patternRest: number
  readonly editsMax: number
  readonly run: CodeRun | undefined
  readonly digitRun: CodeRun | undefined
  readonly isRunWhole: boolean
  readonly neighbours: readonly Uint8Array[]
  readonly exactBelow: number
}

/** The units of a query, in the order of the query; up to UNITS_MAX of each rank. */
export interface Units {
  readonly primary: readonly ReferenceUnit[]
  readonly secondary: readonly ReferenceUnit[]
  readonly words: readonly WordUnit[]
}

/** Places in a pattern: one bit each. */
const PATTERN_LENGTH_MAX = 32
/** Minimum references of the best class in a list: each matches exactly, or not at all. */
const LIST_LENGTH_MIN = 3
/** Maximum members of a list that are short, and their digits: they occur everywhere. */
const SHORT_MEMBERS_MAX = 3
const SHORT_LENGTH_MAX = 2
const NO_CODES = new Uint8Array(0)

/**
 * Splits a query into its references and its other words.
 * @param codes,written the compact form of the query, at least two codes, and its gaps
 * @param masks spans of masked codes: dates, amounts and the like
 */
export function unitsOf(
  codes: Uint8Array,
  written: Uint8Array,
  masks: readonly CodeRange[],
): Units {
  const plain = withoutMasks(codes, written)
  const gaps = plain === codes ? written : withStrongEnds(written, masks)
  const chunks = chunksOf({ codes, gaps }, plain, new Set(masks.map(({ from }) => from)))
  const { drafts, parts } = draftsOf(plain, gaps, chunks)
  const best = Math.min(...drafts.map((draft) => rankOf(draft.keyword)))
  const words = chunks.filter((chunk) => !drafts.some((draft) => overlap(draft, chunk)))
  const visible = plain === codes ? CODES - 1 : MASKED - 1
  const ofBest = drafts.filter((draft) => rankOf(draft.keyword) === best)
  const isYear = ({ core, to }: UnitDraft): boolean => YEAR.test(textOf(plain, core, to))
  const areAll = ofBest.every(isYear)
  const members = membersOf(ofBest.filter((draft) => areAll || !isYear(draft)))
  const others = [
    ...drafts.filter((draft) => !ofBest.includes(draft) || (!areAll && isYear(draft))),
    ...parts,
  ]
  // A near match of one member of a long list is weak evidence.
  const isList = members.filter(({ isWhole }) => !isWhole).length >= LIST_LENGTH_MIN
  const unitOf = (draft: UnitDraft, isExact: boolean): ReferenceUnit =>
    referenceUnit(plain, gaps, draft, { visible, isExact })
  const secondary = others.map((draft) => unitOf(draft, false))
  if (plain === codes && drafts.length > 0) {
    const unmasked = unmaskedOf(codes, gaps)
    for (const mask of masks) {
      const draft = draftOfChunk(dayAndMonth(unmasked, gaps, mask))
      const options = { visible: MASKED - 1, isExact: true }
      secondary.push(referenceUnit(unmasked, gaps, draft, options))
    }
  }
  const primary = members.map((draft) => unitOf(draft, isList))
  if (plain !== codes) {
    const keyword = members[0]?.keyword ?? NO_CLASS
    for (const mask of masks) {
      const spellings = [withoutCentury(plain, gaps, mask), inOtherOrder(plain, gaps, mask)]
      for (const spelling of spellings) {
        if (spelling === undefined || primary.length === UNITS_MAX) continue
        const draft = { ...draftOfChunk({ from: 0, to: spelling.codes.length }), keyword }
        primary.push(
          referenceUnit(spelling.codes, spelling.gaps, draft, { visible, isExact: true }),
        )
      }
    }
  }
  return {
    primary,
    secondary: secondary.slice(0, SECONDARY_CHARGED_MAX),
    words: wordsOf(plain, gaps, words, drafts.length > 0),
  }
}

/** The least that banks write of a date (25.09. of 25.09.2017); of any other mask, all of it. */
function dayAndMonth(codes: Uint8Array, gaps: Uint8Array, mask: CodeRange): CodeRange {
  const { from, to } = mask
  const year = from + 4
  const isDate = /^\d{4}(?:20)?\d\d$/.test(textOf(codes, from, to)) && gaps[year] === GAP_JOINING
  return isDate ? { from, to: year } : mask
}

/** A date as banks shorten it, 01.07.17 for 01.07.2017; undefined when it has no such year. */
function withoutCentury(
  codes: Uint8Array,
  gaps: Uint8Array,
  { from, to }: CodeRange,
): Pick<CodeSpan, 'codes' | 'gaps'> | undefined {
  const year = to - 4
  const isYear = gaps[year] !== GAP_NONE && /^\d{2,4}20\d\d$/.test(textOf(codes, from, to))
  if (!isYear) return undefined
  const keep = (array: Uint8Array): Uint8Array => {
    return Uint8Array.from([...array.subarray(from, year), ...array.subarray(year + 2, to)])
  }
  const short = keep(gaps)
  short[year - from] = gaps[year]! // from < year
  return { codes: keep(codes), gaps: short }
}

/** A date as ISO 8601 has it, 2017-07-01 for 01.07.2017, and the reverse; undefined for others. */
function inOtherOrder(
  codes: Uint8Array,
  gaps: Uint8Array,
  { from, to }: CodeRange,
): Pick<CodeSpan, 'codes' | 'gaps'> | undefined {
  const text = textOf(codes, from, to)
  const groupsAt = (...places: readonly number[]): boolean => {
    return places.every((place) => gaps[from + place] === GAP_JOINING)
  }
  const isDayFirst = /^\d{4}(?:19|20)\d\d$/.test(text) && groupsAt(2, 4)
  if (!isDayFirst && !(/^(?:19|20)\d{6}$/.test(text) && groupsAt(4, 6))) return undefined
  const cuts = isDayFirst ? [0, 2, 4, 8] : [0, 4, 6, 8]
  const groups = [2, 1, 0].map((i) => codes.subarray(from + cuts[i]!, from + cuts[i + 1]!)) // i < 3
  const ordered = Uint8Array.from(groups.flatMap((group) => [...group]))
  const orderedGaps = new Uint8Array(ordered.length)
  for (const place of isDayFirst ? [4, 6] : [2, 4]) orderedGaps[place] = GAP_JOINING
  markLeadingZeros(ordered, orderedGaps, 0, ordered.length)
  return { codes: ordered, gaps: orderedGaps }
}

/** Gaps that keep dates that are the reference apart from each other and the rest of a query. */
function withStrongEnds(gaps: Uint8Array, masks: readonly CodeRange[]): Uint8Array {
  const strong = gaps.slice()
  for (const { from, to } of masks) {
    if (from > 0) strong[from] = GAP_STRONG
    if (to < strong.length) strong[to] = GAP_STRONG
  }
  return strong
}

/** The references of the best class, up to the maximum of a list: the longest. */
function membersOf(drafts: readonly UnitDraft[]): readonly UnitDraft[] {
  if (drafts.length < LIST_LENGTH_MIN) return drafts
  const longest = [...drafts].sort((a, b) => lengthOf(b) - lengthOf(a))
  const kept = longest.filter(
    (draft, i) => i < (lengthOf(draft) <= SHORT_LENGTH_MAX ? SHORT_MEMBERS_MAX : UNITS_MAX),
  )
  return drafts.filter((draft) => kept.includes(draft))
}

function overlap(draft: UnitDraft, chunk: Chunk): boolean {
  return draft.from < chunk.to && chunk.from < draft.to
}

/** Removes dates and the like from a query, unless they are its only numbers. */
function withoutMasks(codes: Uint8Array, gaps: Uint8Array): Uint8Array {
  const hasFreeDigit = codes.some((code) => code < MASKED && isDigit(code))
  const areAllFree = hasFreeDigit || !codes.some((code) => code >= MASKED)
  return areAllFree ? codes : unmaskedOf(codes, gaps)
}

function unmaskedOf(codes: Uint8Array, gaps: Uint8Array): Uint8Array {
  const unmasked = codes.map((code) => code & ~MASKED)
  markLeadingZeros(unmasked, gaps, 0, unmasked.length)
  return unmasked
}

/** Rank of a class, lower is more specific; a number without a keyword ranks after an order. */
function rankOf(keyword: number): number {
  if (keyword === NO_CLASS || keyword === CLASS_NUMBER) return CLASSES.indexOf('order') + 1.5
  return keyword
}

function referenceUnit(
  codes: Uint8Array,
  gaps: Uint8Array,
  draft: UnitDraft,
  { visible, isExact }: { readonly visible: number; readonly isExact: boolean },
): ReferenceUnit {
  const core = codes.slice(draft.core, draft.to)
  const head = headOf(core)
  const tail = tailOf(core)
  const isMixed = core.subarray(head, core.length - tail).some(isLetter)
  const patternFrom = core.length - head >= 4 ? head : 0
  const kept = core.subarray(patternFrom).filter((code) => code !== LEADING_ZERO)
  const patternLength = Math.min(kept.length, PATTERN_LENGTH_MAX)
  const patternCodes = kept.slice(0, patternLength)
  const asWritten = writtenCodes(core.subarray(patternFrom))
  const written = patternAsWritten(asWritten, kept.length, visible)
  const ownGaps = gaps.slice(draft.core, draft.to).fill(GAP_NONE, 0, 1)
  const span: CodeSpan = { codes: core, gaps: ownGaps, from: 0, to: core.length }
  const significant = significantOf(core)
  const conflict = conflictCost(core.length)
  const padding = paddingCost(core.length)
  const editsMax = isExact ? 0 : editsMaxOf(patternLength)
  const run = editsMax === 0 ? codeRun(core, patternFrom, core.length, visible) : undefined
  const digitRun = run === undefined ? longestDigitRun(core, visible) : undefined
  const canBeCutOff = significant - 1 >= TRUNCATED_LEFT_MIN
  const more = oneSidedCosts({ conflict, padding })
  const less = lessCosts(span, more, 0)
  const lessElsewhere = lessCosts(span, more, ELSEWHERE)
  const moreFrom = moreFromOf(span)
  // No spread: objects with spread properties differ in shape, which makes reading them slow.
  return {
    codes: core,
    gaps: span.gaps,
    more,
    less,
    lessElsewhere,
    replaced: replaceCosts(conflict, isIdentifier(core, head) ? COST.lookAlike : conflict),
    moreFrom,
    repeats: repeatsOf(span, head, [less, lessElsewhere, moreFrom]),
    head,
    tail,
    headLeast: isMixed ? 0 : visible !== CODES - 1 ? head : (head + 1) >> 1,
    tailLeast: tail,
    letterEditsMax: letterEditsMax(core.subarray(head), isMixed, head + tail === 0 ? 4 : 2),
    keyword: draft.keyword,
    prefix: draft.keyword === NO_CLASS ? NO_CODES : codes.slice(draft.from, draft.core),
    isJoined: draft.isJoined,
    length: core.length,
    significant,
    digits: digitsOf(core.subarray(head)),
    leadingZeros: core.filter((code) => code === LEADING_ZERO).length,
    isYear: YEAR.test(textOf(core, 0, core.length)),
    isZeros: core.every((code) => FOLDED[code] === 0 && isDigit(code)),
    canBeCutOff,
    conflict,
    padding,
    visible,
    patternCodes,
    pattern: patternOf(patternCodes, visible),
    patternLength,
    written,
    patternRest: restOf(kept.length) + restOf(asWritten.length),
    editsMax,
    run,
    digitRun,
    isRunWhole: isWhole(core, run ?? digitRun),
    neighbours: wordsBeside({ codes, gaps, from: 0, to: codes.length }, draft),
    exactBelow: exactBelow(core, conflict, canBeCutOff),
  }
}

/** The words beside a number of one or two digits that has no keyword; of another none. */
function wordsBeside(query: CodeSpan, draft: UnitDraft): Uint8Array[] {
  const core = query.codes.subarray(draft.core, draft.to)
  const isTiny = isDigit(core[0]!) && significantOf(core) <= SHORT_LENGTH_MAX // not empty
  return isTiny && draft.keyword === NO_CLASS ? neighboursOf(query, draft) : []
}

/**
 * Whether a long core has letters among its digits: the codes around a look-alike tell what it is,
 * as they do not in a word.
 */
function isIdentifier(core: Uint8Array, head: number): boolean {
  const letters = core.subarray(head).filter(isLetter).length
  return core.length >= IDENTIFIER_LENGTH_MIN && letters >= IDENTIFIER_LETTERS_MIN
}

/** Number of significant codes. */
function digitsOf(codes: Uint8Array): number {
  return YEAR.test(textOf(codes, 0, codes.length)) ? 3 : significantOf(codes)
}

const YEAR = /^(?:19|20)\d\d$/

/**
 * Letter edits of a core that are no conflict: a letter more is one digit of a short identifier, as
 * the 4 of GS4N04 is no 00004. Among the digits a wrong letter of a few is a slip, but identifiers
 * with many letters differ in them.
 * @param body the core from its first digit on
 */
function letterEditsMax(body: Uint8Array, isMixed: boolean, digitsMin: number): number {
  if (digitsOf(body) < digitsMin) return 0
  if (!isMixed) return body.length
  return body.filter(isLetter).length < IDENTIFIER_LETTERS_MIN ? 1 : 0
}

/** Number of codes from the first that is no leading zero on. */
function significantOf(codes: Uint8Array): number {
  return codes.length - codes.findIndex((code) => code !== LEADING_ZERO)
}

/** The codes from the first that is no leading zero on, with the others as zeros. */
function writtenCodes(codes: Uint8Array): Uint8Array {
  const first = codes.findIndex((code) => code !== LEADING_ZERO)
  return codes.slice(first).map((code) => (code === LEADING_ZERO ? 0 : code))
}

/** @param keptLength codes without the leading zeros; as many as `codes` when there are none */
function patternAsWritten(
  codes: Uint8Array,
  keptLength: number,
  visible: number,
): WrittenPattern | undefined {
  if (codes.length === keptLength) return undefined
  const patternLength = Math.min(codes.length, PATTERN_LENGTH_MAX)
  return { pattern: patternOf(codes.subarray(0, patternLength), visible), patternLength }
}

/** Codes after a pattern. @param length of all of them */
function restOf(length: number): number {
  return Math.max(0, length - PATTERN_LENGTH_MAX)
}

/** A code in place of a leading zero, or the end of the field, saves its cost. */
function exactBelow(core: Uint8Array, conflict: number, canBeCutOff: boolean): number {
  const spared = core.includes(LEADING_ZERO) ? COST.leadingZero : 0
  const cutOff = canBeCutOff ? CUT_OFF_COST[1]! - TRUNCATED_MAX * spared : FORBIDDEN
  return Math.min(conflict - spared, cutOff)
}

/** Whether a core has only digits, and a run all of them except zeros. */
function isWhole(core: Uint8Array, run: CodeRun | undefined): boolean {
  return core.every(isDigit) && run?.length === core.filter((code) => FOLDED[code] !== 0).length
}

/** Code -> bits of the places of the searched codes that it equals. */
function patternOf(patternCodes: Uint8Array, visible: number): Int32Array {
  const pattern = new Int32Array(CODES)
  for (const [place, wanted] of patternCodes.entries()) {
    for (let code = 0; code < CODES; code++) {
      if (FOLDED[code & visible] === FOLDED[wanted]) pattern[code]! |= 1 << place // code < CODES
    }
  }
  return pattern
}

/** Costs of the missing codes of a core. @param where 0 or ELSEWHERE */
function lessCosts(core: CodeSpan, costs: Int32Array, where: number): Int32Array {
  return Int32Array.from(core.codes, (_, at) => {
    const isStrong = at > 0 && core.gaps[at] === GAP_STRONG
    // There is a cost for each side.
    return costs[sideOf(core, at) + where]! + (isStrong ? COST.strongGapInside : 0)
  })
}

/** Start of the costs (oneSidedCosts) of an extra code after each code of a core. */
function moreFromOf(core: CodeSpan): Uint8Array {
  return Uint8Array.from(core.codes, (code, i) => {
    const next = i + 1
    const isLast = next === core.to
    const isInNumber = !isLast && isDigit(code) && isDigit(core.codes[next]!) // next < core.to
    return (isLast || isGroupAt(core, next) ? 0 : ELSEWHERE) + (isInNumber ? IN_NUMBER : 0)
  })
}

/** Codes after each that are equal to it and to the one before it, and cost the same. */
function repeatsOf(
  { codes, gaps }: CodeSpan,
  head: number,
  costs: readonly (Int32Array | Uint8Array)[],
): Uint8Array {
  const repeats = new Uint8Array(codes.length)
  const parts = [codes, gaps, ...costs]
  for (let i = codes.length - 2; i > head; i--) {
    const isNextSame = parts.every((part) => part[i] === part[i + 1])
    if (isNextSame && codes[i - 1] === codes[i]) repeats[i] = repeats[i + 1]! + 1
  }
  return repeats
}

/** Maximum edits, so that from seven codes on a pattern and its place share a trigram. */
function editsMaxOf(patternLength: number): number {
  if (patternLength < 4) return 0
  return patternLength < 12 ? 1 : 2
}

function headOf(core: Uint8Array): number {
  const digit = core.findIndex(isDigit)
  return digit < 0 ? 0 : digit
}

function tailOf(core: Uint8Array): number {
  const digit = core.findLastIndex(isDigit)
  return digit < 0 ? 0 : core.length - 1 - digit
}
