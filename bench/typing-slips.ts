import type { Random } from '../src/demo/random.js'

/** Rows of a German keyboard. */
const KEYS = ['qwertzuiopü', 'asdfghjklöä', 'yxcvbnm']

/** The keys next to each key: beside it, above and below. */
const NEIGHBOURS = new Map(
  KEYS.flatMap((row, y) =>
    Array.from(row, (key, x): [string, string[]] => [
      key,
      [row[x - 1], row[x + 1], KEYS[y - 1]?.[x], KEYS[y - 1]?.[x + 1], KEYS[y + 1]?.[x - 1]]
        .concat(KEYS[y + 1]?.[x])
        .filter((near) => near !== undefined),
    ]),
  ),
)

const LETTER = /\p{L}/u

/** Kinds of slips: one edit each. */
export const SLIPS = ['neighbour', 'swapped', 'missing', 'added', 'doubled'] as const

export type Slip = (typeof SLIPS)[number]

/** The text with a slip at a random letter; undefined = it has no letter for it. */
export function slipped(text: string, slip: Slip, random: Random): string | undefined {
  const letters = [...text]
  const places = [...letters.keys()].filter((at) => isPlaceOf(slip, letters, at))
  if (places.length === 0) return undefined
  const at = random.pick(places)
  const letter = letters[at] ?? ''
  const near = NEIGHBOURS.get(letter.toLowerCase()) ?? []
  if (slip === 'neighbour') letters[at] = random.pick(near)
  else if (slip === 'swapped') letters.splice(at, 2, letters[at + 1] ?? '', letter)
  else if (slip === 'missing') letters.splice(at, 1)
  else letters.splice(at, 0, slip === 'added' ? random.pick(near) : letter)
  return letters.join('')
}

function isPlaceOf(slip: Slip, letters: readonly string[], at: number): boolean {
  const letter = letters[at] ?? ''
  const next = letters[at + 1] ?? ''
  if (!LETTER.test(letter)) return false
  if (slip === 'swapped') return LETTER.test(next) && next.toLowerCase() !== letter.toLowerCase()
  return slip === 'missing' || slip === 'doubled' || NEIGHBOURS.has(letter.toLowerCase())
}

/**
 * The text in another spelling of its umlauts and double letters: ä as ae or a, ß as ss, one of two
 * equal letters missing, or one doubled; undefined = it has none of them.
 */
export function respelled(text: string, random: Random): string | undefined {
  const spellings = [
    text.replace(/[äöü]/g, (umlaut) => `${PLAIN.get(umlaut)}e`),
    text.replace(/[äöü]/g, (umlaut) => PLAIN.get(umlaut) ?? ''),
    text.replace('ß', 'ss'),
    text.replace(/(\p{L})\1/u, '$1'),
    slipped(text, 'doubled', random) ?? text,
  ].filter((spelling) => spelling !== text)
  return spellings.length === 0 ? undefined : random.pick(spellings)
}

const PLAIN = new Map([
  ['ä', 'a'],
  ['ö', 'o'],
  ['ü', 'u'],
])
