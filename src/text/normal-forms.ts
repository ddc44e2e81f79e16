/**
 * A text as the free-text search compares it: Unicode NFKD, marks removed, case folded. U+FDFA and
 * U+FDFB, whole sentences as one character, stay themselves.
 *
 *   FIELD     HOLDS
 *   first     ä ö ü as a o u, as any letter without its marks
 *   second    ä ö ü as ae oe ue; equal to `first` where the text has none of them
 *
 * Both are split at the same positions by white space, and the normal form of a span between white
 * space depends on nothing outside it.
 */
export interface NormalForms {
  readonly first: string
  readonly second: string
}

/** The normal forms of one span between white space, never empty. */
export type Term = NormalForms

const NOT_ASCII = /[\u0080-\uffff]/
const LONE_SURROGATES = /\p{Surrogate}/gu
const SENTENCES = /[\ufdfa\ufdfb]/
const NO_SENTENCES = /[^\ufdfa\ufdfb]+/g
const MARKS = /\p{M}+/gu
const DIAERESIS = '\u0308'
// Without the flag `i`: it would make U+0345 in \p{M} stand for an iota as well.
const UMLAUTS = /([aouAOU])\p{M}*?\u0308\p{M}*/gu
const WHITE_SPACE = /\p{White_Space}+/u

/**
 * The normal forms of a text. A diaeresis makes an umlaut wherever it stands among the marks of its
 * letter (ǖ is ue); a lone surrogate counts as U+FFFD.
 * @see docs/contract/lists.md, "Free-text search"
 */
export function normalForms(text: string): NormalForms {
  if (!NOT_ASCII.test(text)) {
    const folded = text.toLowerCase()
    return { first: folded, second: folded }
  }
  const decomposed = decomposedOf(text.replace(LONE_SURROGATES, '\ufffd'))
  const first = foldCase(decomposed.replace(MARKS, ''))
  if (!decomposed.includes(DIAERESIS)) return { first, second: first }
  const second = foldCase(decomposed.replace(UMLAUTS, '$1e').replace(MARKS, ''))
  return { first, second }
}

/**
 * NFKD, except of U+FDFA and U+FDFB, of which it makes 18 and 8 characters, and at most 6 of any
 * other: a text of those alone would take as long to index as some twenty texts of its length.
 */
function decomposedOf(text: string): string {
  if (!SENTENCES.test(text)) return text.normalize('NFKD')
  return text.replace(NO_SENTENCES, (run) => run.normalize('NFKD'))
}

/** The spans of a text between white space, in order; none for a blank text. */
export function termsOf(text: string): Term[] {
  const { first, second } = normalForms(text)
  const seconds = splitAtWhiteSpace(second)
  return splitAtWhiteSpace(first).map((term, i) => ({ first: term, second: seconds[i] ?? term }))
}

/** Whether a term occurs in a text: in its first form, or both taken in their second form. */
export function occursIn(text: string, term: Term): boolean {
  const { first, second } = normalForms(text)
  return first.includes(term.first) || second.includes(term.second)
}

/** The words of a normal form, split at Unicode white space. */
export function splitAtWhiteSpace(form: string): string[] {
  return form.split(WHITE_SPACE).filter((word) => word !== '')
}

// Dotless i stays itself, and Cherokee folds to its capitals, unlike any other script.
const FOLDED_BY_LOWERING = /[^ı\u13a0-\u13fd\uab70-\uabbf]+/gu
const CHEROKEE = /[\u13f8-\u13fd\uab70-\uabbf]+/gu

/**
 * Full case folding (CaseFolding.txt, C and F) of a text in NFKD without marks. Lowering alone
 * keeps letters with one common capital apart (ß and ss, ᲀ and в); raising them first does not.
 */
function foldCase(text: string): string {
  const lowered = text.replace(FOLDED_BY_LOWERING, (run) =>
    run.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'),
  )
  return lowered.replace(CHEROKEE, (run) => run.toUpperCase())
}
