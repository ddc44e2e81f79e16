// The classes of numbers in lists and ranges that are written short: `37082, -83, -84`.
import type { Random } from '../../src/demo/random.js'
import type { MatchTexts } from './candidate.js'
import { purposeWith } from './context.js'
import { absent, type Noise, purposeOf, type Trace } from './noise.js'

/**
 * A list of numbers.
 *
 *   FIELD     HOLDS
 *   words     the word for them in the text
 *   head      what all numbers begin with: `2024-`, `24/`, or nothing
 *   numbers   ascending, equally wide
 */
interface NumberList {
  readonly words: string
  readonly head: string
  readonly numbers: readonly number[]
  readonly width: number
}

const WORDS = [
  ...['Rg. ', 'Rgn. ', 'RE ', 'Re.-Nr. ', 'Rechnungen ', 'Rechnung Nr. ', 'RG-', 'Rechnungsnr. '],
  ...[
    'Invoices ',
    'INV-',
    'Inv. ',
    'Invoice no. ',
    'Factures ',
    'Fact. ',
    'Facturen ',
    'fakturor ',
  ],
  ...['Facturas ', 'Fatture ', 'faktury ', 'R-', 'Belege ', 'RE-'],
]

/** @param most maximum step between neighbours */
function listOf(random: Random, count: number, most: number): NumberList {
  const width = random.pick([4, 5, 5, 6, 6, 7])
  const year = random.between(2018, 2027)
  const heads = ['', '', '', `${year}-`, `${year}/`, `${year % 100}/`, `${year % 100}-`]
  const numbers = [random.between(10 ** (width - 1), 9 * 10 ** (width - 1))]
  const isNeighbours = random.chance(500)
  while (numbers.length < count) {
    const step = isNeighbours ? 1 : random.between(1, most)
    numbers.push((numbers.at(-1) ?? 0) + step)
  }
  return { words: random.pick(WORDS), head: random.pick(heads), numbers, width }
}

/** The last digits of a number, as many as differ from the one before, but two at least. */
function shortOf(number: number, before: number): string {
  const [text, other] = [String(number), String(before)]
  let same = 0
  while (text.charAt(same) === other.charAt(same)) same += 1
  return text.slice(Math.min(same, text.length - 2))
}

/** How a list is joined: between two members, before the last one, and before each short one. */
const JOINTS: readonly (readonly [between: string, last: string, sign: string])[] = [
  [', ', ', ', '-'],
  [', ', ' und ', '-'],
  [', ', ' u. ', '-'],
  [', ', ' and ', '-'],
  [' ', ' ', '-'],
  [',', ',', '-'],
  ['/', '/', ''],
  ['/', '/', ''],
  [' / ', ' / ', ''],
  [', ', ', ', ''],
  [', ', ' et ', ''],
  [', ', ' & ', ''],
  [', ', ' y ', ''],
  [', ', ' en ', ''],
  [',', ',', ''],
  ['+', '+', ''],
  [' + ', ' + ', ''],
  [' u. ', ' u. ', ''],
  [', ', ' u. ', '..'],
  ['; ', '; ', '-'],
]

/** The list as people write it short. */
function written({ words, head, numbers }: NumberList, random: Random): string {
  const [between, last, sign] = random.pick(JOINTS)
  let text = `${words}${head}${numbers[0]}`
  for (let i = 1; i < numbers.length; i++) {
    const joint = i === numbers.length - 1 ? last : between
    text += `${joint}${sign}${shortOf(numbers[i] ?? 0, numbers[i - 1] ?? 0)}`
  }
  return text
}

const RANGES: readonly ((first: string, last: string, short: string) => string)[] = [
  (first, last) => `${first} - ${last}`,
  (first, last) => `${first}-${last}`,
  (first, last) => `${first} bis ${last}`,
  (first, last) => `${first} – ${last}`,
  (first, _last, short) => `${first}-${short}`,
  (first, _last, short) => `${first} bis ${short}`,
  (first, last) => `${first} to ${last}`,
  (first, last) => `${first} t/m ${last}`,
  (first, last) => `${first}..${last}`,
]

/** The range from the first to the last number. */
function writtenRange({ words, head, numbers }: NumberList, random: Random): string {
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
  const range = random.pick(RANGES)(String(first), String(last), shortOf(last, first))
  return `${words}${head}${range}`
}

/** A member as a query asks for it. */
function asked({ words, head }: NumberList, number: number, random: Random): string {
  const [word = ''] = words.split(/[ .-]/)
  return random.pick([
    `${head}${number}`,
    `${words}${head}${number}`,
    `${word} ${head}${number}`,
    `${word}-${head}${number}`,
    `Rechnung ${head}${number}`,
  ])
}

function traceOf({ head }: NumberList, number: number): Trace {
  return { kind: 'compact', text: `${head}${number}`.replace(/\D/g, '') }
}

/** The same list, every number higher. */
function shifted(list: NumberList, by: number): NumberList {
  return { ...list, numbers: list.numbers.map((number) => number + by) }
}

function purpose(text: string, random: Random): MatchTexts {
  return purposeOf(purposeWith(text, random))
}

const STEP_MAX = 12

/** @param place of the asked member: 0 is the first   @param write of the whole list */
function member(group: string, place: (random: Random, count: number) => number): Noise {
  return {
    group,
    expectation: 'found',
    plant: (random) => {
      const list = listOf(random, random.between(2, 5), random.pick([2, 9, STEP_MAX]))
      const number = list.numbers[place(random, list.numbers.length)] ?? 0
      const decoys = [shifted(list, 40), shifted(list, 100), shifted(list, 1_000)]
      return {
        query: asked(list, number, random),
        truths: [purpose(written(list, random), random)],
        decoys: decoys.map((one) => purpose(written(one, random), random)),
        trace: traceOf(list, number),
      }
    },
  }
}

/** Not in the list: after its end, before its begin, or between two members. */
const absentMember = absent({
  group: 'absent_list_member',
  weight: 5,
  plant: (random) => {
    const list = listOf(random, random.between(2, 4), 1)
    const [first = 0, last = 0] = [list.numbers[0], list.numbers.at(-1)]
    const outside = random.pick([last + 1, last + 2, last + 5, first - 1, first - 2, last + 10])
    const withHole = { ...list, numbers: [first, first + 1, first + 3, first + 4] }
    const [number, given] = random.pick([
      [outside, list],
      [first + 2, withHole],
    ] as const)
    return {
      query: asked(list, number, random),
      decoys: [purpose(written(given, random), random)],
      trace: traceOf(list, number),
    }
  },
})

/** @param asks a number of a range, given its first and last */
function inRange(group: string, asks: (list: NumberList, random: Random) => number): Noise {
  return {
    group,
    expectation: 'found',
    plant: (random) => {
      const list = listOf(random, random.between(3, 9), 1)
      const range = { ...list, numbers: list.numbers.map((_, i) => (list.numbers[0] ?? 0) + i) }
      const number = asks(range, random)
      const decoys = [shifted(range, 40), shifted(range, 200)]
      return {
        query: asked(range, number, random),
        truths: [purpose(writtenRange(range, random), random)],
        decoys: decoys.map((one) => purpose(writtenRange(one, random), random)),
        trace: traceOf(range, number),
      }
    },
  }
}

/** Shortly outside of a range. */
const absentOfRange = absent({
  group: 'absent_range_outside',
  weight: 3,
  plant: (random) => {
    const list = listOf(random, 2, 1)
    const first = list.numbers[0] ?? 0
    const range = { ...list, numbers: [first, first + random.between(2, 8)] }
    const last = range.numbers.at(-1) ?? 0
    const number = random.pick([last + 1, last + 3, first - 1, first - 4])
    return {
      query: asked(range, number, random),
      decoys: [purpose(writtenRange(range, random), random)],
      trace: traceOf(range, number),
    }
  },
})

/** All classes of this file. */
export const LISTS_NOISE: readonly Noise[] = [
  member('short_list', (random, count) => random.between(1, count - 1)),
  { ...member('short_list_last', (_, count) => count - 1) },
  member('short_list_first', () => 0),
  absentMember,
  inRange('range_short_ends', ({ numbers }, random) => {
    return random.pick([numbers[0] ?? 0, numbers.at(-1) ?? 0, numbers.at(-1) ?? 0])
  }),
  inRange('range_between', ({ numbers }, random) => random.pick(numbers.slice(1, -1))),
  absentOfRange,
]
