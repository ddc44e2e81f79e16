import { normalForms, splitAtWhiteSpace } from '../text/normal-forms.js'

/** Characters below it have normal forms that do not depend on their neighbours below it. */
export const LATIN_CHARS = 0x100

/** Bytes that such a character takes at most in a normal form. */
export const LATIN_FORM_BYTES_MAX = 8

/** In {@link LATIN_BYTES}: white space. Lower values are the one byte of both forms. */
export const ENDS_WORD = 0x80

/** In {@link LATIN_BYTES}: other forms, which {@link LATIN_FORMS} has. */
const OTHER_FORMS = 0x81

interface LatinForms {
  readonly first: Uint8Array
  readonly second: Uint8Array
  readonly differ: boolean
}

/** The forms of every character below LATIN_CHARS in UTF-8; a blank form is empty. */
export const LATIN_FORMS: readonly LatinForms[] = Array.from({ length: LATIN_CHARS }, (_, char) => {
  const { first, second } = normalForms(String.fromCharCode(char))
  const [firstBytes, secondBytes] = [first, second].map((form) =>
    Buffer.from(splitAtWhiteSpace(form).join('')),
  )
  return { first: firstBytes!, second: secondBytes!, differ: first !== second }
})

/** The only byte of most characters, or one of the two values above. */
export const LATIN_BYTES = Uint8Array.from(LATIN_FORMS, ({ first, differ }) => {
  if (first.length === 0) return ENDS_WORD
  return first.length === 1 && !differ ? first[0]! : OTHER_FORMS
})
