/**
 * A text of ASCII characters only, and the origin of each of its UTF-16 units.
 *
 *   FIELD     HOLDS
 *   text      the text; letters keep their case where they were ASCII
 *   origins   unit of `text` -> first unit of the original character that it came from; undefined
 *             when the text was ASCII and is the same
 */
export interface PlainText {
  readonly text: string
  readonly origins: readonly number[] | undefined
}

const NOT_ASCII = /[\u0080-\uffff]/
/** A run of letters, or another character that is not ASCII. */
const PIECE = /[\p{L}\p{M}]+|[^\0-\x7f]/gu
/** A letter and the marks on it. */
const CLUSTER = /.\p{M}*/gsu
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u
const MARKS = /\p{M}+/gu
const UMLAUT = /^[AOU]\p{M}*\u0308/iu
const DIGIT = /\p{Nd}/u
const WHITE_SPACE = /[\p{White_Space}\p{Cc}]/u
const DASH = /[\p{Pd}\u2212\u2044\u2215]/u
const IGNORED = /[\p{Cf}\p{M}]/u

/** Replaces a character that is no letter, digit, blank or dash. */
const OTHER = ';'

/** Maximum units that NFKD makes of one: only U+FDFA and U+FDFB, which are sentences, have more. */
const GROWTH_MAX = 6

/** Letters that NFKD does not decompose, and the euro sign. */
const SPELLED: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'OE',
  Đ: 'D',
  Ð: 'D',
  Ł: 'L',
  Þ: 'TH',
  Ħ: 'H',
  ẞ: 'SS',
  '€': 'EUR',
}

/** Cyrillic and Greek capitals -> the Latin ones that look the same. */
const LATIN: ReadonlyMap<string, string> = new Map(
  [...'АВЕКМНОРСТХІЅЈУΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'].map((letter, i) => [
    letter,
    'ABEKMHOPCTXISJYABEZHIKMNOPTYX'.charAt(i),
  ]),
)

/**
 * A text for matching: compatibility forms resolved, umlauts written AE OE UE, ß SS, other marks
 * and invisible characters dropped, digits of all scripts as 0 to 9. A run of letters with Cyrillic
 * or Greek ones becomes Latin when each of them looks like a Latin letter, and a gap otherwise.
 */
export function plainTextOf(original: string): PlainText {
  if (!NOT_ASCII.test(original)) return { text: original, origins: undefined }
  const text = hyphenated(original)
  const origins: number[] = []
  let plain = ''
  let done = 0
  const take = (span: string, at: number, step: 0 | 1): void => {
    for (let i = 0; i < span.length; i++) origins.push(at + step * i)
    plain += span
  }
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    take(text.slice(done, index), done, 1)
    if (FOREIGN.test(piece)) {
      take(latinOf(piece.normalize('NFKD')), index, 0)
    } else {
      for (const cluster of piece.matchAll(CLUSTER)) {
        take(plainPiece(cluster[0]), index + cluster.index, 0)
      }
    }
    done = index + piece.length
  }
  take(text.slice(done), done, 1)
  return { text: plain, origins }
}

/** The text of plainTextOf, without the origins. */
export function plainOf(text: string): string {
  if (!NOT_ASCII.test(text)) return text
  if (BEYOND_LATIN.test(text)) return plainTextOf(text).text
  return hyphenated(text).replace(
    LATIN_LETTER,
    (letter) => LATIN_PLAIN[letter.charCodeAt(0)] ?? OTHER,
  )
}

/** The text with a hyphen for each soft one between digits, which banks write for a hyphen. */
function hyphenated(text: string): string {
  return text.includes(SOFT_HYPHEN) ? text.replace(SOFT_HYPHEN_IN_NUMBER, '-') : text
}

const SOFT_HYPHEN = '\u00ad'
const SOFT_HYPHEN_IN_NUMBER = /(?<=\d)\u00ad(?=\d)/g

const BEYOND_LATIN = /[\u0180-\uffff]/
const LATIN_LETTER = /[\u0080-\u017f]/g

function plainPiece(piece: string): string {
  const decomposed = piece.normalize('NFKD')
  if (decomposed.length > GROWTH_MAX * piece.length) return OTHER
  if (FOREIGN.test(decomposed)) return latinOf(decomposed)
  if (UMLAUT.test(decomposed)) {
    // The marks follow their letter, unless a compatibility form held several letters.
    return `${decomposed.charAt(0)}E${asciiOf(decomposed.slice(1))}`
  }
  return asciiOf(decomposed)
}

/** Character up to U+017F, none of them a mark -> its plain text. */
const LATIN_PLAIN: readonly string[] = Array.from({ length: 0x180 }, (_, unit) =>
  plainPiece(String.fromCharCode(unit)),
)

function latinOf(decomposed: string): string {
  let latin = ''
  for (const letter of decomposed.replace(MARKS, '').toUpperCase()) {
    const alike = LATIN.get(letter) ?? asciiOf(letter)
    if (alike === OTHER) return OTHER
    latin += alike
  }
  return latin
}

function asciiOf(decomposed: string): string {
  let ascii = ''
  for (const character of decomposed.toUpperCase()) {
    if (character < '\u0080') ascii += character
    else if (SPELLED[character] !== undefined) ascii += SPELLED[character]
    else if (IGNORED.test(character)) continue
    else if (WHITE_SPACE.test(character)) ascii += ' '
    else if (DASH.test(character)) ascii += '-'
    else if (DIGIT.test(character)) ascii += digitOf(character)
    else ascii += OTHER
  }
  return ascii
}

/** The decimal digits of a script are consecutive, from 0 to 9. */
function digitOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(point - value - 1))) value += 1
  return String(value)
}
