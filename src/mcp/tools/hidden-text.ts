import { type NormalForms, normalForms } from '../../text/normal-forms.js'

/** A shorter name occurs in too many words by chance. UTF-16 units. */
const NAME_UNITS_MIN = 4

/** Units of a name that are searched literally: more than any register of names has. */
const LITERAL_UNITS_MAX = 256

/** Words of a name that are searched; each word of a text is compared with each of them. */
const WORDS_MAX = 16

/** A shorter word of a name occurs in too many words by chance. */
const PART_UNITS_MIN = 4

/** Words that say what kind of company a name is of; purposes often leave them out. */
const LEGAL_FORMS: ReadonlySet<string> = new Set([
  ...['ab', 'ag', 'aps', 'as', 'asa', 'bv', 'co', 'corp', 'doo', 'ek', 'eg', 'ev', 'gbr', 'ggmbh'],
  ...['gmbh', 'inc', 'kft', 'kg', 'kgaa', 'limited', 'llc', 'llp', 'ltd', 'mbh', 'nv', 'ohg', 'oy'],
  ...['oyj', 'plc', 'sa', 'sarl', 'sas', 'se', 'sl', 'spa', 'srl', 'sro', 'ug'],
])

/** Letters with points, such as e.V. and d.o.o. */
const ABBREVIATION = /(?<!\p{L})\p{L}\.(?:\p{L}\.){0,3}\p{L}?(?!\p{L})/gu

const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** A word of a text. */
interface Word {
  readonly start: number
  readonly end: number
  /** Bit i = it is word i of the name, or contains it. */
  readonly parts: number
}

/**
 * A counterpart's name or account number, to be removed from texts: literally, in either case and
 * with any white space; and wherever its words stand side by side in any order, compared in both
 * normal forms of the free-text search (ü is u or ue), also as parts of longer words, which are
 * then removed as a whole. The legal form of a company may be missing. Of more than
 * {@link WORDS_MAX} words the first are searched.
 */
export class HiddenText {
  readonly #literal: RegExp | undefined
  readonly #words: readonly NormalForms[]
  readonly #lacksLegalForm: boolean
  readonly #parts = new Map<string, number>()

  constructor(
    hidden: string,
    private readonly mask: string,
  ) {
    const bare = hidden.trim()
    const isHidden = bare.length >= NAME_UNITS_MIN
    const isShort = bare.length <= LITERAL_UNITS_MAX
    this.#literal = isHidden && isShort ? literalOf(bare) : undefined
    const words = isHidden ? (joined(bare).match(WORDS) ?? []) : []
    const kept = withoutLegalForm(words)
    this.#lacksLegalForm = kept.length < words.length
    this.#words = kept.slice(0, WORDS_MAX).map(normalForms)
  }

  /** The text with the mask in each place of the hidden one. Linear in the length of the text. */
  removedFrom(text: string): string {
    const rest = this.#literal === undefined ? text : text.replace(this.#literal, this.mask)
    if (this.#words.length === 0 || !this.#hasAllWords(rest)) return rest
    const words = this.#wordsOf(rest)
    let kept = ''
    let from = 0
    for (let i = 0; i + this.#words.length <= words.length; i++) {
      const first = words[i]
      const last = words[i + this.#words.length - 1]
      if (first === undefined || last === undefined || first.parts === 0) continue
      if (!areAll(words.slice(i, i + this.#words.length))) continue
      kept += rest.slice(from, first.start) + this.mask
      from = last.end
      i += this.#words.length - 1
    }
    return kept + rest.slice(from)
  }

  /** Most texts do not have them: one check of the whole is cheaper than one for each word. */
  #hasAllWords(text: string): boolean {
    const { first, second } = normalForms(text)
    return this.#words.every((word) => first.includes(word.first) || second.includes(word.second))
  }

  #wordsOf(text: string): Word[] {
    const words: Word[] = []
    for (const { 0: written, index } of text.matchAll(WORDS)) {
      let parts = this.#parts.get(written)
      if (parts === undefined) {
        parts = this.#partsOf(normalForms(written))
        this.#parts.set(written, parts)
      }
      // Between the words of a name as well: Müller GmbH Baustoffe.
      const isLeftOut = this.#lacksLegalForm && parts === 0 && isLegalForm(written)
      if (!isLeftOut) words.push({ start: index, end: index + written.length, parts })
    }
    return words
  }

  #partsOf(word: NormalForms): number {
    let parts = 0
    for (const [i, { first, second }] of this.#words.entries()) {
      const isPart =
        (first.length >= PART_UNITS_MIN && word.first.includes(first)) ||
        (second.length >= PART_UNITS_MIN && word.second.includes(second))
      if (isPart || word.first === first || word.second === second) parts |= 1 << i
    }
    return parts
  }
}

function isLegalForm(word: string): boolean {
  return LEGAL_FORMS.has(word.toLowerCase())
}

/** The name with legal forms as one word each, without their points. */
function joined(name: string): string {
  return name.replace(ABBREVIATION, (written) => {
    const word = written.replaceAll('.', '')
    return isLegalForm(word) ? word : written
  })
}

/** The words that distinguish a company; all words, if the others alone are too short. */
function withoutLegalForm(words: readonly string[]): readonly string[] {
  const rest = words.filter((word) => !isLegalForm(word))
  return rest.join(' ').length < NAME_UNITS_MIN ? words : rest
}

/**
 * Whether each word of the name can be assigned a word of its own among as many words of a text: a
 * matching by augmenting paths (Kuhn 1955).
 */
function areAll(words: readonly Word[]): boolean {
  if (words.some(({ parts }) => parts === 0)) return false
  const wordOfPart = new Map<number, number>()
  const place = (word: number, tried: Set<number>): boolean => {
    const parts = words[word]?.parts ?? 0
    for (let part = 0; part < words.length; part++) {
      if ((parts & (1 << part)) === 0 || tried.has(part)) continue
      tried.add(part)
      const holder = wordOfPart.get(part)
      if (holder !== undefined && !place(holder, tried)) continue
      wordOfPart.set(part, word)
      return true
    }
    return false
  }
  return words.every((_, word) => place(word, new Set()))
}

/** The name as written: letters in either case, white space of any length. */
function literalOf(bare: string): RegExp {
  const quoted = bare.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')
  return new RegExp(quoted, 'giu')
}
