import { normalForms, splitAtWhiteSpace } from '../text/normal-forms.js'
import { Draft, EQUAL_FORMS, FIRST_FORM, SECOND_FORM } from './draft.js'
import { grownUint8 } from './growing.js'
import {
  ENDS_WORD,
  LATIN_BYTES,
  LATIN_CHARS,
  LATIN_FORM_BYTES_MAX,
  LATIN_FORMS,
} from './latin-forms.js'
import { layOut } from './lay-out.js'
import type { TextIndex } from './text-index.js'

/** Reads the searched texts of a segment's rows, in ascending order of ordinals, into an index. */
export class TextIndexBuilder {
  readonly #draft = new Draft()
  #first = new Uint8Array(1024)
  #second = new Uint8Array(1024)

  /** Adds the next row: its searched fields, null or empty where it has none. */
  add(texts: readonly (string | null)[]): void {
    for (const text of texts) {
      if (text === null || text === '') continue
      if (!this.#addLatin(text)) this.#addAny(text)
    }
    this.#draft.endRow()
  }

  /** The index of the rows added so far; the builder is used up. */
  finish(): TextIndex {
    return layOut(this.#draft)
  }

  /**
   * Adds the words of a text of characters below U+0100 without making a string of any, many times
   * as fast as by its normal forms.
   * @returns false at the first other character: the words before it are added, as they would be
   */
  #addLatin(text: string): boolean {
    this.#makeRoom(text.length * LATIN_FORM_BYTES_MAX)
    const first = this.#first
    const second = this.#second
    let firstEnd = 0
    let secondEnd = 0
    let differs = false
    for (let i = 0; i < text.length; i++) {
      const char = text.charCodeAt(i)
      if (char >= LATIN_CHARS) return false
      const byte = LATIN_BYTES[char]!
      if (byte < ENDS_WORD) {
        first[firstEnd++] = byte
        second[secondEnd++] = byte
      } else if (byte === ENDS_WORD) {
        this.#addWord(firstEnd, secondEnd, differs)
        firstEnd = 0
        secondEnd = 0
        differs = false
      } else {
        const forms = LATIN_FORMS[char]!
        for (let j = 0; j < forms.first.length; j++) first[firstEnd++] = forms.first[j]!
        for (let j = 0; j < forms.second.length; j++) second[secondEnd++] = forms.second[j]!
        if (forms.differ) differs = true
      }
    }
    this.#addWord(firstEnd, secondEnd, differs)
    return true
  }

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
    this.#first = grownUint8(this.#first, bytes)
    this.#second = grownUint8(this.#second, bytes)
  }
}

const encoder = new TextEncoder()
