import { type CodePage, textOfBytes } from './code-pages.js'

/** The likeliest code page of a text whose bytes are not UTF-8. */
export interface CodePageGuess {
  readonly codePage: CodePage
  /** Warning about the guess; absent when windows-1252 reads the text well. */
  readonly warning?: string
}

/** In the order of preference where two read the same letters. */
const OTHERS = ['cp850', 'cp852', 'cp437', 'macintosh'] as const satisfies readonly CodePage[]

const NAMES: Readonly<Record<CodePage, string>> = {
  'windows-1252': 'windows-1252',
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
const ALL_ALPHABETS = (1 << ALPHABETS.length) - 1

/**
 * Signs of windows-1252 that stand next to letters in good texts: quotes and dashes, the space that
 * does not break, signs of brands and measures.
 */
const USUAL_SIGNS = new Set('€…’‘–—•™\u00a0§©\u00ad®°´·')

/** Signs that stand between letters where a blank is missing. */
const GLUED_SIGNS = new Set('“”«»ªº×²½¼¾')

/** Quotes that stand between letters where a blank is missing; they never decide. */
const SLOPPY_SIGNS = new Set('‚„‹›')

/** Accents written after their letter, and signs that a blank may be missing at. */
const RARE_SIGNS = new Set('ˆ˜¨¯¸³¿¡')

/** A figure or the code of a currency follows them, but no word. */
const CURRENCY_SIGNS = new Set('¢£¤¥ƒ')

// What a reading of one byte costs. A cost of IMPOSSIBLE is alone enough to look for another code
// page: no good text of windows-1252 has a control character, a š among capitals, or a sign such as
// ¢ or ‡ among small letters.
const OTHER_LANGUAGE = 1
const UNUSUAL = 2
const WRONG = 3
const IMPOSSIBLE = 6

/** Words that are judged, each once: a standing text in every booking proves no more than one. */
const WORDS_MAX = 2_000
const WORD_CHARS_MAX = 60

/** A word with at least one byte from 80 on and one letter a to z, one character a byte. */
const WORD = /[A-Za-z\u{80}-\u{ff}]+/gu

/** What the reading of all words by one code page costs. */
interface Reading {
  readonly codePage: CodePage
  readonly cost: number
  /** The cost of what no sloppy writing explains. */
  readonly hardCost: number
  /** The cost of what is wrong in any language. */
  readonly wrongCost: number
  readonly words: readonly string[]
}

/**
 * Tells CP850, CP852, CP437 and Mac Roman from windows-1252 by what their letters make of words:
 * letters of one alphabet, capitals in their places, no signs within. The other code page must be
 * right in nearly all that windows-1252 has wrong, and windows-1252 must have something that no
 * good text has, or several wrong words, and more than quotes without blanks. Otherwise, and where
 * two others differ, the text stays windows-1252. A word counts once.
 * @param bytes of a text that is not UTF-8, one character a byte: the part that is judged
 */
export function guessCodePage(bytes: string): CodePageGuess {
  const words = wordsOf(bytes)
  const usual = readingOf(words, 'windows-1252')
  if (usual.cost < WRONG) return { codePage: 'windows-1252' }
  const others = OTHERS.map((codePage) => readingOf(words, codePage))
  const best = others.reduce((least, each) => (each.cost < least.cost ? each : least))
  const rivals = others.filter(({ cost }) => cost === best.cost)
  const isClear = rivals.every((rival) => rival.words.every((word, i) => word === best.words[i]))
  const isBetter = usual.cost - best.cost >= IMPOSSIBLE && usual.cost >= 4 * best.cost
  if (isClear && isBetter && usual.hardCost >= WRONG) {
    return { codePage: best.codePage, warning: warningOfGuess(usual, best) }
  }
  const isDoubtful = usual.wrongCost >= (best.cost === 0 ? WRONG : IMPOSSIBLE)
  return isDoubtful
    ? { codePage: 'windows-1252', warning: warningOfDoubt(usual) }
    : { codePage: 'windows-1252' }
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
  const language = mostOften(alphabetsOfWords)
  for (const alphabets of alphabetsOfWords) {
    if (alphabets !== 0 && (alphabets & language) === 0) cost += OTHER_LANGUAGE
  }
  return { codePage, cost, hardCost, wrongCost, words: read }
}

/** The alphabets that have all letters of the word; 0 when none has. */
function alphabetsOf(word: string): number {
  let alphabets = ALL_ALPHABETS
  for (const character of word.toLowerCase()) {
    if (character < '\u{80}' || !isLetter(character)) continue
    alphabets &= ALPHABETS_OF.get(character) ?? 0
  }
  return alphabets
}

/** The alphabet that fits the most words, as a bit set of one bit. */
function mostOften(alphabetsOfWords: readonly number[]): number {
  let best = 0
  let bestCount = -1
  for (let i = 0; i < ALPHABETS.length; i += 1) {
    const count = alphabetsOfWords.filter((alphabets) => (alphabets & (1 << i)) !== 0).length
    if (count > bestCount) best = i
    bestCount = Math.max(count, bestCount)
  }
  return 1 << best
}

/** What the signs in a word and its capitals cost: what sloppy writing explains, and what not. */
interface Shape {
  readonly hardCost: number
  readonly softCost: number
  /** The part of `softCost` for quotes without blanks. */
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
    const cost = isLetter(character)
      ? costOfLetter(before, character, after, codePage)
      : costOfSign(before, character, after, codePage)
    if (cost >= WRONG) hardCost += cost
    else softCost += cost
  }
  return { hardCost, softCost: softCost + sloppyCost, sloppyCost }
}

/** In other code pages than windows-1252 signs next to letters speak against the guess. */
function costOfSign(before: string, sign: string, after: string, codePage: CodePage): number {
  const isUsual = codePage === 'windows-1252'
  if (sign <= '\u{9f}') return IMPOSSIBLE
  if (isUsual ? USUAL_SIGNS.has(sign) : sign === '\u{a0}' || sign === '’') return 0
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

/** Capitals of few languages: before a small letter they are hardly the begin of a glued word. */
const RARE_CAPITALS = new Set('ŠŒŽŸ')

/** Small letters that no keyboard writes among capitals. */
const RARE_SMALL_LETTERS = new Set('šž')

/**
 * Small letters among capitals, and capitals among small letters. `ß` has no usual capital, and
 * French writers have no key for É: `SOCIéTé` is good windows-1252.
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

function warningOfDoubt(usual: Reading): string {
  const doubtful = usual.words.find((word) => {
    const { hardCost, sloppyCost } = costOfShape(word, 'windows-1252')
    return hardCost + sloppyCost > 0
  })
  return (
    `the encoding is not known, windows-1252 is assumed and reads ` +
    `${JSON.stringify(doubtful ?? usual.words[0] ?? '')}; if that is wrong, name the encoding, ` +
    'for example --encoding cp850'
  )
}
