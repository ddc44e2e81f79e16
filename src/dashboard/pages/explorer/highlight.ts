import { normalForms, type Term } from '../../../text/normal-forms.js'

/** A span of a text. `start` and `end` are offsets in UTF-16 units, the end not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A letter with its marks, which become one or more letters of a normal form, or none. */
const LETTERS = /\P{M}\p{M}*|\p{M}+/gsu

/** Units of a text in which terms are marked: seven times the 140 characters of a SEPA purpose. */
export const MARKED_UNITS_MAX = 1_000

/** Places at which one form of a term is marked. */
export const MARKED_PLACES_MAX = 100

/**
 * The spans of the terms of a search in a text, as the search finds them: in the first normal form,
 * or both in the second. A letter of which a part is found is marked whole, with its marks. Spans
 * ascend and neither touch nor overlap. Bounded for any text: only its first
 * {@link MARKED_UNITS_MAX} units are searched, and of each form of a term only the first
 * {@link MARKED_PLACES_MAX} places.
 */
export function spansOf(text: string, terms: readonly Term[]): Span[] {
  const head = headOf(text)
  const forms = normalForms(head)
  // Most texts have no hit, and then need not be split into letters.
  const found = terms.flatMap(({ first, second }) => [
    ...(first !== '' && forms.first.includes(first)
      ? [{ form: 'first' as const, term: first }]
      : []),
    ...(second !== '' && forms.second.includes(second)
      ? [{ form: 'second' as const, term: second }]
      : []),
  ])
  if (found.length === 0) return []
  const letters = new Letters(head)
  return joined(found.flatMap(({ form, term }) => letters.placesOf(term, form)))
}

/** The text, or the part of it that is searched; no surrogate pair is cut. */
function headOf(text: string): string {
  return text.slice(0, wholeAt(text, MARKED_UNITS_MAX))
}

/** Units of a text before a span that is far from its start. */
const UNITS_BEFORE = 100

/** The part of a text that a row shows, with the spans in it. */
export interface ExcerptText {
  readonly text: string
  readonly spans: readonly Span[]
  readonly isCutBefore: boolean
  readonly isCutAfter: boolean
}

/**
 * At most {@link MARKED_UNITS_MAX} units of a text: its head, or those around its first span where
 * the head does not contain it. No surrogate pair is cut. @param spans ascending, none overlapping
 */
export function excerptOf(text: string, spans: readonly Span[]): ExcerptText {
  if (text.length <= MARKED_UNITS_MAX) {
    return { text, spans, isCutBefore: false, isCutAfter: false }
  }
  const [first] = spans
  const isInHead = first === undefined || first.end <= MARKED_UNITS_MAX
  const start = isInHead ? 0 : wholeAt(text, Math.max(0, first.start - UNITS_BEFORE))
  const end = wholeAt(text, start + MARKED_UNITS_MAX)
  const inside = spans.filter((span) => span.start < end)
  return {
    text: text.slice(start, end),
    spans: inside.map((span) => ({
      start: span.start - start,
      end: Math.min(span.end, end) - start,
    })),
    isCutBefore: start > 0,
    isCutAfter: end < text.length,
  }
}

/** The offset, or the one before it where it would cut a surrogate pair. */
function wholeAt(text: string, offset: number): number {
  const unit = text.charCodeAt(offset - 1)
  const isHighSurrogate = unit >= 0xd800 && unit < 0xdc00
  return isHighSurrogate && offset < text.length ? offset - 1 : Math.min(offset, text.length)
}

/** The normal forms of a text, and for each of their units the letter of the text it came from. */
class Letters {
  readonly #wholes = { first: '', second: '' }
  readonly #origins: { readonly first: Span[]; readonly second: Span[] } = { first: [], second: [] }

  constructor(text: string) {
    for (const { 0: letter, index: start } of text.matchAll(LETTERS)) {
      const { first, second } = normalForms(letter)
      const origin = { start, end: start + letter.length }
      this.#wholes.first += first
      this.#wholes.second += second
      for (let i = 0; i < first.length; i++) this.#origins.first.push(origin)
      for (let i = 0; i < second.length; i++) this.#origins.second.push(origin)
    }
  }

  placesOf(term: string, form: 'first' | 'second'): Span[] {
    const whole = this.#wholes[form]
    const origins = this.#origins[form]
    const spans: Span[] = []
    let at = whole.indexOf(term)
    for (; at !== -1 && spans.length < MARKED_PLACES_MAX; at = whole.indexOf(term, at + 1)) {
      const first = origins[at]
      const last = origins[at + term.length - 1]
      if (first !== undefined && last !== undefined) {
        spans.push({ start: first.start, end: last.end })
      }
    }
    return spans
  }
}

/** The span of one text in another, exact; empty when it does not occur. */
export function spanOfText(text: string, part: string): Span[] {
  const start = part === '' ? -1 : text.indexOf(part)
  return start === -1 ? [] : [{ start, end: start + part.length }]
}

function joined(spans: readonly Span[]): Span[] {
  const ascending = [...spans].sort((a, b) => a.start - b.start || a.end - b.end)
  const all: Span[] = []
  for (const span of ascending) {
    const last = all.at(-1)
    if (last === undefined || span.start > last.end) all.push(span)
    else if (span.end > last.end) all[all.length - 1] = { start: last.start, end: span.end }
  }
  return all
}
