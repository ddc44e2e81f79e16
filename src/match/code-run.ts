import { CODES, type CodeSpan, FOLDED, GAP_NONE, isDigit, isLetter, LEADING_ZERO } from './codes.js'
import { CUT_IN_QUERY_LENGTH_MIN } from './costs.js'
import { MARK_UNREADABLE } from './marks.js'

/**
 * Codes of a reference that have to follow each other in a field, where zeros are left out of both
 * and look-alikes are equal.
 *
 *   FIELD       HOLDS
 *   length      1 to 32
 *   places      code of a field -> bits of the places of the run that it equals
 *   zeros       code of a field -> 1 when it is a zero, or looks like one
 *   isAtStart   whether the core begins with them, but for zeros
 *   isAtEnd     whether the last of them is the core's last code, which no digit may follow: the
 *               query may have cut off a longer core
 */
export interface CodeRun {
  readonly length: number
  readonly places: Int32Array
  readonly zeros: Uint8Array
  readonly isAtStart: boolean
  readonly isAtEnd: boolean
}

/** Maximum codes of a run: one bit each. */
const LENGTH_MAX = 32

/**
 * The run of the codes of a core from one place to before another; undefined when all are zeros.
 * @param visible bits of a field's code that are compared (ReferenceUnit)
 */
export function codeRun(
  core: Uint8Array,
  from: number,
  to: number,
  visible: number,
): CodeRun | undefined {
  const all = core.subarray(from, to).filter((code) => FOLDED[code] !== 0)
  if (all.length === 0) return undefined
  const length = Math.min(all.length, LENGTH_MAX)
  const places = new Int32Array(CODES)
  const zeros = new Uint8Array(CODES)
  for (let code = 0; code < CODES; code++) {
    const folded = FOLDED[code & visible]
    if (folded === 0) zeros[code] = 1
    for (let place = 0; place < length; place++) {
      if (folded === FOLDED[all[place]!]) places[code]! |= 1 << place // length <= all.length
    }
  }
  return {
    length,
    places,
    zeros,
    isAtStart: from === 0,
    isAtEnd:
      to === core.length &&
      to < CUT_IN_QUERY_LENGTH_MIN &&
      all.length === length &&
      FOLDED[core[to - 1]!] !== 0,
  }
}

/**
 * The longest run of digits between two letters, or ends, of a core: apart from zeros, any change
 * in it is a numeric conflict. undefined when there is no digit but zeros.
 */
export function longestDigitRun(core: Uint8Array, visible: number): CodeRun | undefined {
  let best: CodeRun | undefined
  let from = 0
  for (let to = 0; to <= core.length; to++) {
    if (to < core.length && isDigit(core[to]!)) continue // to < core.length
    const run = codeRun(core, from, to, visible)
    if (run !== undefined && run.length > (best?.length ?? 0)) best = run
    from = to + 1
  }
  return best
}

/**
 * Whether a field has the run where no digit is joined to it: before its first digit, zeros at the
 * head of a number aside, or after its last.
 */
export function hasRun(run: CodeRun, field: CodeSpan): boolean {
  const { places, zeros, length } = run
  const { codes, from, to } = field
  const lastBit = 1 << (length - 1)
  let within = 0
  for (let i = from; i < to; i++) {
    const code = codes[i]! // to <= codes.length
    if (zeros[code] === 1) continue
    within = ((within << 1) | 1) & places[code]! // places has CODES entries
    if ((within & lastBit) !== 0 && isFree(run, field, i)) return true
  }
  return false
}

/** Codes with which the first and the last place of a run in a field end. */
export interface RunPlaces {
  first: number
  last: number
}

/**
 * Finds all places where {@link hasRun} would find a run of digits without a numeric conflict: a
 * letter marked as unreadable is no misread digit.
 * @param runPlaces out: written if there is a place
 */
export function findDigits(run: CodeRun, field: MarkedField, runPlaces: RunPlaces): boolean {
  const { places, zeros, length } = run
  const { codes, marks, from, to } = field
  const lastBit = 1 << (length - 1)
  let isFound = false
  let within = 0
  for (let i = from; i < to; i++) {
    const code = codes[i]! // to <= codes.length
    if (zeros[code] === 1) continue
    within = ((within << 1) | 1) & places[code]! // places has CODES entries
    if (within === 0) continue
    if (isLetter(code) && (marks[i]! & MARK_UNREADABLE) !== 0) within = 0
    if ((within & lastBit) === 0 || !isFree(run, field, i)) continue
    if (!isFound) runPlaces.first = i
    runPlaces.last = i
    isFound = true
  }
  return isFound
}

/** A field, and the marks of its codes (marks.ts). */
interface MarkedField extends CodeSpan {
  readonly marks: Uint8Array
}

/**
 * Whether a field has zeros, or look-alikes, that are joined to no other letter or digit by gap 0:
 * the requirement of a core that consists of zeros.
 * @param visible bits of a field's code that are compared (ReferenceUnit)
 */
export function hasZerosAlone(visible: number, { codes, gaps, from, to }: CodeSpan): boolean {
  let isAlone = false
  for (let i = from; i < to; i++) {
    const isFirst = i === from || gaps[i] !== GAP_NONE
    if (isFirst && isAlone) return true
    isAlone = (isFirst || isAlone) && FOLDED[codes[i]! & visible] === 0 // to <= codes.length
  }
  return isAlone
}

/**
 * Whether no digit is joined to a run in a field, at the ends where that matters.
 * @param last code that the run ends with
 */
export function isFree(run: CodeRun, field: CodeSpan, last: number): boolean {
  return isFreeAfter(run, field, last) && isFreeBefore(run, field, last)
}

function isFreeAfter({ isAtEnd }: CodeRun, { codes, gaps, to }: CodeSpan, last: number): boolean {
  const next = last + 1
  if (!isAtEnd || next >= to || gaps[next] !== GAP_NONE) return true
  return !isDigit(codes[last]!) || !isDigit(codes[next]!) // next < to <= codes.length
}

function isFreeBefore(
  { length, zeros, isAtStart }: CodeRun,
  { codes, gaps, from }: CodeSpan,
  last: number,
): boolean {
  if (!isAtStart) return true
  let first = last
  for (let left = length - 1; left > 0; ) {
    first -= 1
    if (zeros[codes[first]!] === 0) left -= 1 // in range: the run ends at `last`
  }
  if (first === from || gaps[first] !== GAP_NONE || !isDigit(codes[first]!)) return true
  const before = codes[first - 1]! // from < first
  return !isDigit(before) || before === LEADING_ZERO
}
