import { normalForms, type Term } from '../../../text/normal-forms.js'

/** A stretch of a text. `start` and `end` are offsets in UTF-16 units, the end not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A letter with its marks, which become one or more letters of a normal form, or none. */
const LETTERS = /\P{M}\p{M}*|\p{M}+/gsu

/**
 * Where terms of a search stand in a text, as the search finds them: in the first normal form, or
 * both in the second. A letter of which a part is found is marked whole, with its marks. Spans
 * ascend and neither touch nor overlap.
 */
export function spansOf(text: string, terms: readonly Term[]): Span[] {
  const spans = terms.flatMap((term) => [
    ...spansInForm(text, 'first', term.first),
    ...spansInForm(text, 'second', term.second),
  ])
  return joined(spans)
}

function spansInForm(text: string, form: 'first' | 'second', term: string): Span[] {
  // Most texts have no hit, and then need not be taken apart.
  if (term === '' || !normalForms(text)[form].includes(term)) return []
  let whole = ''
  const origins: Span[] = []
  for (const { 0: letter, index: start } of text.matchAll(LETTERS)) {
    const part = normalForms(letter)[form]
    whole += part
    for (let i = 0; i < part.length; i++) origins.push({ start, end: start + letter.length })
  }
  const spans: Span[] = []
  for (let at = whole.indexOf(term); at !== -1; at = whole.indexOf(term, at + 1)) {
    const start = origins[at]?.start ?? 0
    spans.push({ start, end: origins[at + term.length - 1]?.end ?? text.length })
  }
  return spans
}

/** Where one text stands in another, exactly; nowhere when it does not. */
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
