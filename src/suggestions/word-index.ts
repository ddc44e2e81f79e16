import FlexSearch from 'flexsearch'

/** Letters of a word's two ends that are indexed with one letter missing. */
const END_LETTERS = 4

/** Letters of the longest beginning that is a key. */
const START_LETTERS_MAX = 3

/** Kinds of keys, as their first character; no word begins with one. */
const STARTS = '^'
const START_LACKS = '<'
const END_LACKS = '>'

/**
 * Words that a key leads to at most, the most frequent ones: more of a key that only helps with two
 * edits, as the end of many words does.
 */
const STARTING_WORDS_MAX = 20_000
const ENDING_WORDS_MAX = 2_000

/**
 * FlexSearch over the distinct words, by keys of its own: each word's first and last letters, and
 * the same with one letter missing (symmetric deletes, as SymSpell has them). Two words with at
 * most one edit share a key of their starts. With two edits they do so as well, or share one of
 * their ends, unless both edits are in the middle of a short word.
 *
 * Its keys are few, and what it finds has to be compared with the word. The tokenizer `tolerant`
 * keeps each whole word with one letter missing, which takes 44 bytes for each letter of a name,
 * and finds no slip in the first letter (docs/internals/suggestions.md).
 */
export class WordIndex {
  readonly #index = new FlexSearch.Index({ encode: keysOf, tokenize: 'strict', resolution: 1 })

  /** Keys of all words so far. */
  keyCount = 0

  /** Adds a word. @param code its number, not added before */
  add(code: number, word: string): void {
    this.keyCount += keysOf(word).length
    this.#index.add(code, word)
  }

  /** Codes of words that begin with a text, the first added first. @param start 1 to 3 letters */
  beginningWith(start: string, countMax: number): readonly number[] {
    return this.#codesOf(STARTS + start, countMax)
  }

  /**
   * Codes of words that may be near, each once or more often, in lists.
   * @param edits 1 or 2
   */
  *near(word: string, edits: number): Generator<readonly number[]> {
    for (const text of lackingOne(word.slice(0, END_LETTERS))) {
      yield this.#codesOf(START_LACKS + text, STARTING_WORDS_MAX)
    }
    if (edits === 1) return
    for (const text of lackingOne(word.slice(-END_LETTERS))) {
      yield this.#codesOf(END_LACKS + text, ENDING_WORDS_MAX)
    }
  }

  #codesOf(key: string, limit: number): readonly number[] {
    // Ids are codes, which are numbers.
    return this.#index.search(key, { limit }) as number[]
  }
}

/** The keys of a word; a key is its own. */
function keysOf(word: string): string[] {
  const kind = word[0] ?? ''
  if (kind === STARTS || kind === START_LACKS || kind === END_LACKS) return [word]
  const keys: string[] = []
  for (let length = 1; length <= Math.min(word.length, START_LETTERS_MAX); length++) {
    keys.push(STARTS + word.slice(0, length))
  }
  for (const text of lackingOne(word.slice(0, END_LETTERS))) keys.push(START_LACKS + text)
  for (const text of lackingOne(word.slice(-END_LETTERS))) keys.push(END_LACKS + text)
  return keys
}

/** A text, and it with each of its letters missing; distinct. */
function lackingOne(text: string): string[] {
  const texts = [text]
  for (let at = 0; at < text.length; at++) {
    // Of equal neighbours it makes no difference which one is missing.
    if (text[at] !== text[at - 1]) texts.push(text.slice(0, at) + text.slice(at + 1))
  }
  return texts
}
