import { normalForms, splitAtWhiteSpace } from '../text/normal-forms.js'
import { EQUAL_FORMS, FIRST_FORM, IndexDraft, SECOND_FORM } from './draft.js'
import { grown } from './growing.js'
import {
  ENDS_WORD,
  LATIN_BYTES,
  LATIN_CHARS,
  LATIN_FORM_BYTES_MAX,
  LATIN_FORMS,
} from './latin-forms.js'
import { layOut } from './lay-out.js'
import type { TextIndex } from './text-index.js'

/** Builds the index of a segment's rows, whose texts are added in ascending order of ordinals. */
export class TextIndexBuilder {
  readonly #draft = new IndexDraft()
  #first = new Uint8Array(1024)
  #second = new Uint8Array(1024)

  /** Adds the next row: its searched fields, null or empty where it has none. */
  add(texts: readonly (string | null)[]): void {
    for (const text of texts) {
      if (text !== null && text !== '') this.#addText(text)
    }
    this.#draft.endRow()
  }

  /** The index of the rows added so far; the builder must not be used afterwards. */
  finish(): TextIndex {
    return layOut(this.#draft)
  }

  /**
   * Adds the words of a text: those of characters below U+0100 without making a string of any, many
   * times as fast as by normal forms.
   */
  #addText(text: string): void {
    this.#makeRoom(text.length * LATIN_FORM_BYTES_MAX)
    let firstEnd = 0
    let secondEnd = 0
    let differs = false
    for (let i = 0, wordStart = 0; i < text.length; i++) {
      const char = text.charCodeAt(i)
      const byte = char < LATIN_CHARS ? LATIN_BYTES[char]! : ENDS_WORD
      if (byte < ENDS_WORD) {
        this.#first[firstEnd++] = byte
        this.#second[secondEnd++] = byte
        continue
      }
      if (char >= LATIN_CHARS) {
        i = endOfWord(text, i)
        this.#addAny(text.slice(wordStart, i))
      } else if (byte === ENDS_WORD) this.#addWord(firstEnd, secondEnd, differs)
      else {
        const forms = LATIN_FORMS[char]!
        firstEnd = append(this.#first, firstEnd, forms.first)
        secondEnd = append(this.#second, secondEnd, forms.second)
        differs ||= forms.differ
        continue
      }
      wordStart = i + 1
      firstEnd = 0
      secondEnd = 0
      differs = false
    }
    this.#addWord(firstEnd, secondEnd, differs)
  }

  /** Adds the words of a span of any characters. */
  #addAny(text: string): void {
    const forms = normalForms(text)
    const seconds = forms.second === forms.first ? undefined : splitAtWhiteSpace(forms.second)
    const firsts = splitAtWhiteSpace(forms.first)
    for (const [i, first] of firsts.entries()) {
      const second = seconds?.[i] ?? first
      // A UTF-16 unit takes at most three bytes of UTF-8; the second form is never the shorter.
      this.#makeRoom(second.length * 3)
      const firstEnd = encoder.encodeInto(first, this.#first).written
      const secondEnd = encoder.encodeInto(second, this.#second).written
      this.#addWord(firstEnd, secondEnd, second !== first)
    }
  }

  /** Adds the word whose forms are first[0 .. firstEnd) and second[0 .. secondEnd). */
  #addWord(firstEnd: number, secondEnd: number, differs: boolean): void {
    if (firstEnd === 0) return
    if (!differs) {
      this.#draft.addWord(EQUAL_FORMS, this.#first, 0, firstEnd)
      return
    }
    this.#draft.addWord(FIRST_FORM, this.#first, 0, firstEnd)
    this.#draft.addWord(SECOND_FORM, this.#second, 0, secondEnd)
  }

  #makeRoom(bytes: number): void {
    this.#first = grown(this.#first, bytes)
    this.#second = grown(this.#second, bytes)
  }
}

const encoder = new TextEncoder()

/** Position of the next white space below U+0100, or of the end of the text. */
function endOfWord(text: string, from: number): number {
  let end = from
  while (end < text.length && LATIN_BYTES[text.charCodeAt(end)] !== ENDS_WORD) end++
  return end
}

/** Copies `form` to bytes[end ..]. @returns where it ends there */
function append(bytes: Uint8Array, end: number, form: Uint8Array): number {
  for (let i = 0; i < form.length; i++) bytes[end + i] = form[i]!
  return end + form.length
}
