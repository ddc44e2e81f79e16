import { type CodePage, textOfBytes } from './code-pages.js'

/** The likeliest code page of a text whose bytes are not UTF-8. */
export interface CodePageGuess {
  readonly codePage: CodePage
  /** Warning about the guess; absent when windows-1252 reads the text well. */
  readonly warning?: string
}

/** Other code pages, in order of preference where two read the same letters. */
const OTHERS = ['cp850', 'cp852', 'cp437', 'macintosh'] as const satisfies readonly CodePage[]

/** Code pages that a warning proposes: windows-1250 shares too many bytes to be chosen. */
const PROPOSED = [...OTHERS, 'windows-1250'] as const satisfies readonly CodePage[]

const NAMES: Readonly<Record<CodePage, string>> = {
  'windows-1252': 'windows-1252',
  'windows-1250': 'windows-1250 (Central Europe)',
  cp850: 'CP850 (DOS, Western Europe)',
  cp852: 'CP852 (DOS, Central Europe)',
  cp437: 'CP437 (DOS, United States)',
  macintosh: 'Mac Roman',
}

/** Letters other than a to z, by language; those of related languages are together. */
const ALPHABETS: readonly string[] = [
  'äöüß',
  'àâæçéèêëîïôœùûÿ',
  'áéèëïóöü',
  'áéíñóúü',
  'áâãàçéêíóôõúü',
  'àèéìíîòóùú',
  'àçéèíïòóúü',
  'æøåéäöü',
  'åäöé',
  'äõöüšž',
  'áðéíóúýþæö',
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýž',
  'áäčďéíĺľňóôŕšťúýž',
  'áéíóöőúüű',
  'ăâîșțşţ',
  'čćđšžäöü',
]

/** Letter -> bit set of the alphabets that have it. */
const ALPHABETS_OF = new Map<string, number>()
ALPHABETS.forEach((letters, i) => {
  for (const letter of letters) {
    ALPHABETS_OF.set(letter, (ALPHABETS_OF.get(letter) ?? 0) | (1 << i))
  }
})
const HUNGARIAN = 1 << ALPHABETS.indexOf('áéíóöőúüű')
const ALL_ALPHABETS = (1 << ALPHABETS.length) - 1

/**
 * Signs of windows-1252 that occur next to letters in correct texts: quotes and dashes, the
 * no-break space, signs of brands and measures.
 */
const USUAL_SIGNS = new Set('€…’‘–—•™\u00a0§©\u00ad®°´·')

/** Signs that occur between letters where a blank is missing. */
const GLUED_SIGNS = new Set('“”«»ªº×²½¼¾')

/** Quotes that occur between letters where a blank is missing; they never decide. */
const SLOPPY_SIGNS = new Set('‚„‹›')

const DASHES = new Set('–—')
const APOSTROPHES = new Set('’‘')

/** Accents written after their letter, and signs next to which a blank may be missing. */
const RARE_SIGNS = new Set('ˆ˜¨¯¸³¿¡')

/** Marks that begin a question or an exclamation in Spanish. */
const OPENING_MARKS = new Set('¿¡')

/** Currency signs: a figure or a currency code may follow them, but not a word. */
const CURRENCY_SIGNS = new Set('¢£¤¥ƒ')

// Cost of one byte. IMPOSSIBLE alone is enough to try other code pages: correct texts of
// windows-1252 have no control characters, no š among capitals, and no signs such as ¢ or ‡ among
// small letters.
const OTHER_LANGUAGE = 1
const UNUSUAL = 2
const WRONG = 3
const IMPOSSIBLE = 6

/**
 * Maximum number of judged words. Each counts once: a fixed text in every booking proves no more.
 */
const WORDS_MAX = 2_000
const WORD_CHARS_MAX = 60

/** A word, one character a byte; judged ones have a byte from 80 on and a letter a to z. */
const WORD = /[A-Za-z\u{80}-\u{ff}]+/gu

/** Cost of reading all words by one code page. */
interface Reading {
  readonly codePage: CodePage
  readonly cost: number
  /** Cost that typing errors do not explain. */
  readonly hardCost: number
  /** Cost of errors in any language. */
  readonly wrongCost: number
  readonly words: readonly string[]
  /** The alphabets that fit the most words, as a bit set, and the number of these words. */
  readonly languages: number
  readonly languageCount: number
}

/**
 * Distinguishes CP850, CP852, CP437 and Mac Roman from windows-1252 by the words they give: letters
 * of one alphabet, capitals in their places, no signs inside. Each word counts once. Another code
 * page is chosen if
 * - it reads nearly all words correctly that windows-1252 reads wrongly,
 * - windows-1252 gives an impossible character, or several wrong words,
 * - quotes without blanks are not the only errors, and
 * - no third code page is equally good with different words.
 *
 * Otherwise the text stays windows-1252.
 * @param bytes of a text that is not UTF-8, one character a byte: the part that is judged
 */
export function guessCodePage(bytes: string): CodePageGuess {
  const words = wordsOf(bytes)
  const usual = readingOf(words, 'windows-1252')
  const hungarian = hungarianWarning(words, usual)
  if (hungarian !== undefined) return { codePage: 'windows-1252', warning: hungarian }
  if (usual.cost < WRONG) return { codePage: 'windows-1252' }
  const others = OTHERS.map((codePage) => readingOf(words, codePage))
  const best = others.reduce((least, each) => (each.cost < least.cost ? each : least))
  const rivals = others.filter(({ cost }) => cost === best.cost)
  const isClear = rivals.every((rival) => rival.words.every((word, i) => word === best.words[i]))
  const isBetter = usual.cost - best.cost >= IMPOSSIBLE && usual.cost >= 4 * best.cost
  if (isClear && isBetter && usual.hardCost >= WRONG) {
    return { codePage: best.codePage, warning: warningOfGuess(usual, best) }
  }
  const proposed = PROPOSED.map((codePage) => readingOf(words, codePage))
  const likeliest = proposed.reduce((least, each) => (each.cost < least.cost ? each : least))
  const isUnlikely = usual.wrongCost >= (best.cost === 0 ? WRONG : IMPOSSIBLE)
  return isUnlikely
    ? { codePage: 'windows-1252', warning: warningOfAssumption(usual, likeliest) }
    : { codePage: 'windows-1252' }
}

/** Words that only the Hungarian alphabet fits, from which on a text is taken for Hungarian. */
const HUNGARIAN_WORDS_MIN = 6

/**
 * The warning for a text of Hungarian, of which windows-1252 reads nothing wrongly but `ő` and `ű`
 * as `õ` and `û`; undefined = other words, or none with these letters.
 */
function hungarianWarning(words: readonly string[], usual: Reading): string | undefined {
  const central = readingOf(words, 'windows-1250')
  const isHungarian = central.languages === HUNGARIAN && central.cost === 0
  if (!isHungarian || usual.cost === 0) return undefined
  // The words without these letters prove the language by themselves.
  const shared = words.filter((_, i) => central.words[i] === usual.words[i])
  const { languages, languageCount } = readingOf(shared, 'windows-1252')
  const isProved = languages === HUNGARIAN && languageCount >= HUNGARIAN_WORDS_MIN
  return isProved ? warningOfAssumption(usual, central) : undefined
}

function wordsOf(bytes: string): string[] {
  const words = new Set<string>()
  for (const [word] of bytes.matchAll(WORD)) {
    if (word.length > WORD_CHARS_MAX || !/[A-Za-z]/.test(word)) continue
    if (/[\u{80}-\u{ff}]/u.test(word)) words.add(word)
    if (words.size === WORDS_MAX) break
  }
  return [...words]
}

function readingOf(words: readonly string[], codePage: CodePage): Reading {
  const read = words.map((word) => textOfBytes(word, codePage))
  const alphabetsOfWords: number[] = []
  let [cost, hardCost, wrongCost] = [0, 0, 0]
  for (const word of read) {
    const shape = costOfShape(word, codePage)
    const alphabets = alphabetsOf(word)
    alphabetsOfWords.push(alphabets)
    cost += shape.hardCost + shape.softCost + (alphabets === 0 ? UNUSUAL : 0)
    hardCost += shape.hardCost
    wrongCost += shape.hardCost + shape.sloppyCost
  }
  const { languages, count: languageCount } = mostOften(alphabetsOfWords)
  // Of alphabets that fit equally many words, the first one.
  const language = languages & -languages
  for (const alphabets of alphabetsOfWords) {
    if (alphabets !== 0 && (alphabets & language) === 0) cost += OTHER_LANGUAGE
  }
  return { codePage, cost, hardCost, wrongCost, words: read, languages, languageCount }
}

/** The alphabets that contain all letters of the word; 0 = none. */
function alphabetsOf(word: string): number {
  let alphabets = ALL_ALPHABETS
  for (const character of word.toLowerCase()) {
    if (character < '\u{80}' || !isLetter(character)) continue
    alphabets &= ALPHABETS_OF.get(character) ?? 0
  }
  return alphabets
}

/** The alphabets that fit the most words, as a bit set, and the number of these words. */
function mostOften(alphabetsOfWords: readonly number[]): { languages: number; count: number } {
  let languages = 0
  let count = -1
  for (let i = 0; i < ALPHABETS.length; i += 1) {
    const fitting = alphabetsOfWords.filter((alphabets) => (alphabets & (1 << i)) !== 0).length
    if (fitting > count) languages = 0
    if (fitting >= count) languages |= 1 << i
    count = Math.max(count, fitting)
  }
  return { languages, count }
}

/** Cost of the signs and capitals of a word, with and without typing errors as explanation. */
interface Shape {
  readonly hardCost: number
  readonly softCost: number
  /** The part of `softCost` for quotes and dashes without blanks. */
  readonly sloppyCost: number
}

function costOfShape(word: string, codePage: CodePage): Shape {
  let [hardCost, softCost, sloppyCost] = [0, 0, 0]
  for (let i = 0; i < word.length; i += 1) {
    const character = word[i] ?? ''
    if (character < '\u{80}') continue
    const [before, after] = [word[i - 1] ?? '', word[i + 1] ?? '']
    if (SLOPPY_SIGNS.has(character) && codePage === 'windows-1252') {
      const isQuote = !isLetter(before) || !isLetter(after) || isCapital(after)
      sloppyCost += isQuote ? 0 : WRONG
      continue
    }
    if (isDashAmongSmall(before, character, after) && codePage === 'windows-1252') {
      sloppyCost += UNUSUAL
      continue
    }
    const cost = isLetter(character)
      ? costOfLetter(before, character, after, codePage)
      : costOfSign(before, character, after, codePage)
    if (cost >= WRONG) hardCost += cost
    else softCost += cost
  }
  return { hardCost, softCost: softCost + sloppyCost, sloppyCost }
}

/** Whether it is a dash between small letters, where a blank or two are usual. */
function isDashAmongSmall(before: string, sign: string, after: string): boolean {
  return DASHES.has(sign) && [before, after].every((each) => isLetter(each) && !isCapital(each))
}

/** Cost of a sign: next to letters it speaks against code pages other than windows-1252. */
function costOfSign(before: string, sign: string, after: string, codePage: CodePage): number {
  const isUsual = codePage === 'windows-1252'
  if (sign <= '\u{9f}') return IMPOSSIBLE
  // A dash next to an apostrophe, within a word: the ñí of Mac Roman.
  if (isUsual && DASHES.has(sign) && isLetter(before) && APOSTROPHES.has(after)) return WRONG
  if (isUsual ? USUAL_SIGNS.has(sign) : sign === '\u{a0}' || sign === '’') return 0
  if (OPENING_MARKS.has(sign) && before === '') return 0
  const isBetween = isLetter(before) && isLetter(after)
  if (GLUED_SIGNS.has(sign)) return isBetween ? OTHER_LANGUAGE : 0
  if (!isBetween && isUsual && CURRENCY_SIGNS.has(sign)) {
    return isLetter(after) && !isCapital(after) ? WRONG : 0
  }
  const isAmongSmall = isBetween && !isCapital(before) && !isCapital(after)
  if (isAmongSmall && !RARE_SIGNS.has(sign)) return IMPOSSIBLE
  return isBetween || !isUsual ? WRONG : 0
}

/** Letters that belong to an alphabet; `ƒ`, `ª`, `µ` and Greek letters are signs. */
function isLetter(character: string): boolean {
  return /^[A-Za-z]$/.test(character) || ALPHABETS_OF.has(character.toLowerCase())
}

function isCapital(letter: string): boolean {
  return letter !== letter.toLowerCase()
}

/** Capitals of few languages: before a small letter, they rarely begin a word without a blank. */
const RARE_CAPITALS = new Set('ŠŒŽŸ')

/** Small letters that keyboards never write among capitals. */
const RARE_SMALL_LETTERS = new Set('šž')

/**
 * Small letters among capitals, and capitals among small letters. `ß` has no usual capital, and
 * French keyboards have no key for É: `SOCIéTé` is correct windows-1252.
 */
function costOfLetter(before: string, letter: string, after: string, codePage: CodePage): number {
  if (letter === 'ß') return 0
  const [isAfterLetter, isBeforeLetter] = [isLetter(before), isLetter(after)]
  const isBeforeSmall = isBeforeLetter && !isCapital(after)
  if (isCapital(letter)) {
    if (!isAfterLetter) return 0
    if (isBeforeSmall && RARE_CAPITALS.has(letter)) return WRONG
    if (!isCapital(before)) return UNUSUAL
    return isBeforeSmall ? OTHER_LANGUAGE : 0
  }
  // A diaeresis separates two vowels; in its place CP852 has the ő of Hungarian.
  const isMisplaced = letter === 'ï' && !/[aeiouy]/i.test(before)
  if (!isBeforeLetter || isBeforeSmall) return isMisplaced ? UNUSUAL : 0
  if (codePage === 'windows-1252' && !RARE_SMALL_LETTERS.has(letter)) return 0
  if (!isAfterLetter) return WRONG
  return isCapital(before) ? IMPOSSIBLE : UNUSUAL
}

function warningOfGuess(usual: Reading, best: Reading): string {
  const at = usual.words.findIndex((word, i) => word !== best.words[i])
  return (
    `the encoding is guessed: ${NAMES[best.codePage]}, which reads ` +
    `${JSON.stringify(best.words[at] ?? '')} where windows-1252 reads ` +
    `${JSON.stringify(usual.words[at] ?? '')}; if that is wrong, name the encoding, for ` +
    'example --encoding windows-1252'
  )
}

function warningOfAssumption(usual: Reading, likeliest: Reading): string {
  const unlikely = usual.words.find((word) => {
    const { hardCost, sloppyCost } = costOfShape(word, 'windows-1252')
    return hardCost + sloppyCost > 0
  })
  const changed = usual.words.find((word, i) => word !== likeliest.words[i])
  return (
    `the encoding is not known, windows-1252 is assumed and reads ` +
    `${JSON.stringify(unlikely ?? changed ?? '')}; if that is wrong, name the encoding, ` +
    `for example --encoding ${likeliest.codePage}`
  )
}
