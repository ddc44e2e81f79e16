import type { SuggestionKind } from '../domain/suggestion.js'
import { grown } from '../free-text/growing.js'
import { bitCount } from '../ordinals/bit-set.js'
import { splitAtWhiteSpace } from '../text/normal-forms.js'
import { type Closeness, closenessOf, editsMax, FAR } from './closeness.js'
import { type ComparedText, comparedKey, comparedText, distinctWords } from './compared-text.js'
import { lettersOf, type NearWord, SuggestedWords } from './suggested-words.js'
import { SuggestionTexts } from './suggestion-texts.js'

/** Code points of the longest text that is suggested: the longest that may be typed. */
const TEXT_CODE_POINTS_MAX = 64

/** Texts that are counted for a query of one word, at each closeness. */
const COUNTED_TEXTS_MAX = 10_000

/** Texts that a query of several words is compared with. */
const COMPARED_TEXTS_MAX = 150

/** More rows than a segment has. */
const NAME_FREQUENCY = 0xffffffff

/** A text that may be meant; not yet looked up. */
export interface SuggestionCandidate {
  readonly kind: SuggestionKind
  readonly text: string
  readonly closeness: Closeness
}

/** Texts that can be suggested, and what finds them. */
export class SuggestionIndex {
  readonly #texts = new SuggestionTexts()
  readonly #words = new SuggestedWords()
  /** By text, its letters, a bit each. */
  #letters = new Uint32Array(64)
  /** By text, the number of the last collection that has it. */
  #stamps = new Uint32Array(64)
  #stamp = 0
  /** Texts whose words were added: those below it. */
  #dividedCount = 0
  #rowCount = 0

  /** Begins a transaction; its texts follow. */
  beginRow(): void {
    this.#rowCount += 1
  }

  addCounterpart(name: string): void {
    if (isSuggestible(name)) this.#countRow(this.#texts.codeOf('counterpart', name))
  }

  addPurpose(purpose: string): void {
    for (const word of wordsOfPurpose(purpose)) {
      if (isSuggestible(word)) this.#countRow(this.#texts.codeOf('word', word))
    }
  }

  /** As {@link addCounterpart}. @param bytes of which [from, to) are ASCII without a control */
  addAsciiCounterpart(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > TEXT_CODE_POINTS_MAX || !hasAsciiLetter(bytes, from, to)) return
    this.#countRow(this.#texts.codeOfAscii('counterpart', bytes, from, to))
  }

  /** As {@link addPurpose}. @param bytes likewise */
  addAsciiPurpose(bytes: Uint8Array, from: number, to: number): void {
    for (let start = from; start < to; ) {
      let end = start
      let hasDigit = false
      for (; end < to && bytes[end] !== SPACE; end++) hasDigit ||= isAsciiDigit(bytes[end]!)
      if (!hasDigit) this.#addAsciiWords(bytes, start, end)
      start = end + 1
    }
  }

  #addAsciiWords(bytes: Uint8Array, from: number, to: number): void {
    for (let start = from; start < to; ) {
      let end = start
      while (end < to && isAsciiLetter(bytes[end]!)) end++
      if (end - start >= WORD_LETTERS_MIN && end - start <= TEXT_CODE_POINTS_MAX) {
        this.#countRow(this.#texts.codeOfAscii('word', bytes, start, end))
      }
      start = end + 1
    }
  }

  /** Adds the name of a category or an account. */
  addName(kind: SuggestionKind, name: string): void {
    if (isSuggestible(name)) this.#texts.codeOf(kind, name)
  }

  /**
   * Makes the texts findable that were added.
   * @param countMax words that this call makes findable at most
   * @returns whether all are
   */
  settle(countMax = Number.POSITIVE_INFINITY): boolean {
    for (; this.#dividedCount < this.#texts.count; this.#dividedCount++) {
      const words = distinctWords(comparedText(this.#texts.textOf(this.#dividedCount)))
      for (const word of words) this.#words.add(word, this.#dividedCount)
      this.#letters = grown(this.#letters, this.#texts.count)
      this.#letters[this.#dividedCount] = lettersOf(words.join(''))
    }
    return this.#words.settle((code) => this.#frequencyOf(code), countMax)
  }

  /**
   * The nearest texts, the more frequent ones first of those that are as near; texts that differ in
   * case, accents and punctuation alone are one.
   * @param enough texts with one edit after which none with two is looked for, 1 or more
   * @param countMax texts at most
   */
  candidates(query: string, enough: number, countMax: number): SuggestionCandidate[] {
    const typed = comparedText(query)
    if (typed.first.length === 0) return []
    const ranked =
      typed.first.length === 1
        ? this.#withOneWord(typed, enough, countMax)
        : this.#withSeveralWords(typed, enough)
    return this.#distinct(ranked).slice(0, countMax)
  }

  /** Bytes of memory, approximately. */
  get byteCount(): number {
    return this.#texts.byteCount + this.#words.byteCount
  }

  /** Names of categories and accounts are few, and come first. */
  #frequencyOf(code: number): number {
    const kind = this.#texts.kindOf(code)
    return kind === 'category' || kind === 'account' ? NAME_FREQUENCY : this.#texts.rowCountOf(code)
  }

  #countRow(code: number): void {
    this.#texts.countRow(code, this.#rowCount)
  }

  /** The texts that are worth comparing with one typed word. */
  #withOneWord(typed: ComparedText, enough: number, countMax: number): RankedText[] {
    const near = this.#compared(typed, this.#textsOfWords(this.#nearWords(typed, 0, 1), countMax))
    if (near.length >= enough) return near
    const wider = this.#textsOfWords(this.#nearWords(typed, 0, 2), countMax)
    return this.#compared(typed, wider)
  }

  /** Texts with the words, those of the nearest words first; the more frequent ones where many. */
  #textsOfWords(near: readonly NearWord[], countMax: number): number[] {
    const codes: number[] = []
    for (const { texts } of this.#textsByCloseness(near)) {
      codes.push(...this.#mostFrequent(texts, 2 * countMax))
      if (codes.length >= countMax) break
    }
    return codes
  }

  /**
   * The texts that are worth comparing with several typed words: of two edits, either each word has
   * one at most, or one word has both and all others are equal.
   */
  #withSeveralWords(typed: ComparedText, enough: number): RankedText[] {
    const allowed = editsMax(typed.first.join(' ').length)
    const edits = this.#leastEdits(typed)
    // Either form may be the near one.
    const letters = lettersOf(typed.first.join('')) & lettersOf(typed.second.join(''))
    const ranked: RankedText[] = []
    for (let least = 0; least <= allowed; least++) {
      const codes: number[] = []
      for (const [code, count] of edits) {
        // An edit brings at most one letter that the text does not have.
        const isNear = bitCount(letters & ~(this.#letters[code] ?? 0)) <= allowed
        if (count === least && isNear) codes.push(code)
      }
      ranked.push(...this.#compared(typed, this.#mostFrequent(codes, COMPARED_TEXTS_MAX)))
      if (ranked.filter(({ closeness }) => closeness <= 2 * least + 1).length >= enough) break
    }
    return ranked
  }

  /** The edits that a text needs at least, by its code; only of texts with a word that is near. */
  #leastEdits(typed: ComparedText): Map<number, number> {
    const words = typed.first.map((word, place) => {
      const near = this.#nearWords(typed, place, 1)
      const size = near.reduce((sum, { code }) => sum + this.#words.textCountOf(code), 0)
      // Words of less than three letters are near without an edit alone.
      return { near, size, missing: Math.min(editsMax(word.length), 1) + 1 }
    })
    const allMissing = words.reduce((sum, { missing }) => sum + missing, 0)
    const edits = new Map<number, number>()
    words.sort((a, b) => a.size - b.size)
    for (const [place, { near, missing }] of words.entries()) {
      // A text without any of the first two words needs more edits than are allowed.
      const isOpen = place < 2
      for (const { closeness, texts } of this.#textsByCloseness(near)) {
        const saved = missing - Math.floor(closeness / 2)
        for (const text of texts) {
          const count = edits.get(text)
          if (count !== undefined || isOpen) edits.set(text, (count ?? allMissing) - saved)
        }
      }
    }
    return edits
  }

  /** Codes of the texts with one of the words, each once, with the nearest of its words. */
  *#textsByCloseness(near: readonly NearWord[]): Generator<NearTexts> {
    this.#stamp += 1
    const stamp = this.#stamp
    this.#stamps = grown(this.#stamps, this.#texts.count)
    for (let from = 0; from < near.length; ) {
      const { closeness } = near[from]! // from < near.length
      const texts: number[] = []
      for (; near[from]?.closeness === closeness; from++) {
        if (texts.length > COUNTED_TEXTS_MAX) continue
        for (const text of this.#words.textsWith(near[from]!.code, COUNTED_TEXTS_MAX)) {
          if (this.#stamps[text] === stamp) continue
          this.#stamps[text] = stamp
          texts.push(text)
        }
      }
      yield { closeness, texts }
    }
  }

  /** The words near a typed one in either form, the nearest first. */
  #nearWords({ first, second }: ComparedText, place: number, edits: number): NearWord[] {
    const forms = new Set([first[place] ?? '', second[place] ?? ''])
    const near = [...forms].flatMap((form) => this.#words.near(form, edits))
    return near.sort((a, b) => a.closeness - b.closeness)
  }

  #compared(typed: ComparedText, codes: Iterable<number>): RankedText[] {
    const ranked: RankedText[] = []
    for (const code of codes) {
      const text = this.#texts.textOf(code)
      const compared = comparedText(text)
      const closeness = closenessOf(typed, compared)
      if (closeness === FAR) continue
      ranked.push({ code, text, key: comparedKey(compared), closeness })
    }
    return ranked
  }

  #mostFrequent(codes: readonly number[], countMax: number): readonly number[] {
    if (codes.length <= countMax) return codes
    const frequencies = Uint32Array.from(codes, (code) => this.#frequencyOf(code)).sort()
    const least = frequencies[codes.length - countMax] ?? 0
    return codes.filter((code) => this.#frequencyOf(code) >= least).slice(0, 2 * countMax)
  }

  /** Ranked texts, without those that differ from one before in case or accents alone. */
  #distinct(ranked: readonly RankedText[]): SuggestionCandidate[] {
    const sorted = [...ranked].sort(
      (a, b) =>
        a.closeness - b.closeness ||
        this.#frequencyOf(b.code) - this.#frequencyOf(a.code) ||
        a.code - b.code,
    )
    const known = new Set<string>()
    const candidates: SuggestionCandidate[] = []
    for (const { code, text, key, closeness } of sorted) {
      const kind = this.#texts.kindOf(code)
      const name = `${kind} ${key}`
      if (known.has(name)) continue
      known.add(name)
      candidates.push({ kind, text, closeness })
    }
    return candidates
  }
}

/** Texts with a word of this closeness, and none that is nearer. */
interface NearTexts {
  readonly closeness: Closeness
  readonly texts: readonly number[]
}

/** A text that was compared with what was typed. */
interface RankedText {
  readonly code: number
  readonly text: string
  /** Of {@link comparedKey}. */
  readonly key: string
  readonly closeness: Closeness
}

const SPACE = 0x20
const WORD_LETTERS_MIN = 3

function isAsciiDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isAsciiLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

function hasAsciiLetter(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isAsciiLetter(bytes[at]!)) return true
  return false
}

const DIGIT = /\p{Nd}/u
const WORDS = /\p{L}[\p{L}\p{M}]{2,}/gu

/** The words of a purpose that are suggested: three letters or more, from spans without a digit. */
export function wordsOfPurpose(purpose: string): string[] {
  return splitAtWhiteSpace(purpose)
    .filter((span) => !DIGIT.test(span))
    .flatMap((span) => span.match(WORDS) ?? [])
}

const LETTER = /\p{L}/u
const CONTROLS = /[\p{Cc}\p{Surrogate}]/u

/** Whether a text can be typed and searched for, and has a letter. */
export function isSuggestible(text: string): boolean {
  return (
    text.length <= 2 * TEXT_CODE_POINTS_MAX &&
    LETTER.test(text) &&
    !CONTROLS.test(text) &&
    (text.length <= TEXT_CODE_POINTS_MAX || [...text].length <= TEXT_CODE_POINTS_MAX)
  )
}
