import { normalForms } from '../text/normal-forms.js'

/**
 * A text as suggestions compare it: the runs of letters and digits of its two normal forms, as many
 * in both. Punctuation and white space only divide words.
 */
export interface ComparedText {
  readonly first: readonly string[]
  /** The same array as `first` where the forms are equal. */
  readonly second: readonly string[]
}

const WORDS = /[\p{L}\p{N}]+/gu

/** The compared words of a text; none for one without letters and digits. */
export function comparedText(text: string): ComparedText {
  const forms = normalForms(text)
  const first = forms.first.match(WORDS) ?? []
  if (forms.second === forms.first) return { first, second: first }
  return { first, second: forms.second.match(WORDS) ?? [] }
}

/** The distinct words of both forms. */
export function distinctWords({ first, second }: ComparedText): string[] {
  return first === second ? [...new Set(first)] : [...new Set([...first, ...second])]
}

/** Equal for texts that differ in case, accents and punctuation alone. */
export function comparedKey({ first, second }: ComparedText): string {
  const text = first.join(' ')
  return first === second ? text : `${text}\t${second.join(' ')}`
}
