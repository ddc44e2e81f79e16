// The classes in which the groups of a number decide: blanks between them, other groups, siblings.
import type { Random } from '../../src/demo/random.js'
import { type MatchTexts, NO_TEXTS } from './candidate.js'
import { date, purposeWith } from './context.js'
import { absent, found, type Noise, purposeOf, type Trace, type Write } from './noise.js'
import { numberOf, printed, type Reference } from './reference.js'

function digitsOf(reference: Reference): string {
  return numberOf(reference).replace(/\D/g, '')
}

function compactDigits(reference: Reference): Trace {
  return { kind: 'compact', text: digitsOf(reference) }
}

/** Widths of the groups of numbers that are printed in groups. */
const WIDTHS: readonly (readonly number[])[] = [
  [3, 7, 7],
  [3, 3, 3],
  [4, 6],
  [2, 3, 4],
  [5, 4, 3],
  [4, 4, 3],
  [2, 7, 2],
  [6, 3],
  [3, 4, 5],
]

function grouped(random: Random): Reference {
  const parts = random.pick(WIDTHS).map((width) => random.digits(width))
  return { prefix: '', prefixGap: '', parts, gap: ' ' }
}

/** The same digits, other groups; never the same groups. */
function regroupedParts({ parts }: Reference, random: Random): string[] {
  const digits = parts.join('')
  for (;;) {
    const cuts = parts.slice(1).map(() => random.between(1, digits.length - 1))
    const places = [0, ...new Set(cuts.sort((a, b) => a - b)), digits.length]
    const others = places.slice(1).map((to, i) => digits.slice(places[i], to))
    if (others.length === parts.length && others.join(' ') !== parts.join(' ')) return others
  }
}

/** The groups stand in blanks; decoys have the digits in other groups, or one digit off. */
const inBlanks: Noise = {
  group: 'groups_in_blanks',
  expectation: 'found',
  plant: (random) => {
    const reference = grouped(random)
    const gap = random.pick([' ', ' ', '-', '.', '/'])
    const written = (parts: readonly string[]): MatchTexts =>
      purposeOf(purposeWith(parts.join(gap), random))
    const last = reference.parts.at(-1) ?? ''
    const off = String((Number(last.slice(-1)) + random.between(1, 9)) % 10)
    const wrong = reference.parts.with(-1, last.slice(0, -1) + off)
    const decoys = [regroupedParts(reference, random), regroupedParts(reference, random), wrong]
    return {
      query: printed(reference),
      truths: [written(reference.parts)],
      decoys: decoys.map(written),
      trace: compactDigits(reference),
    }
  },
}

/** Splits digits into groups. @param widths the last one repeats */
function inGroups(digits: string, widths: readonly number[]): string[] {
  const groups: string[] = []
  for (let at = 0, i = 0; at < digits.length; i++) {
    const width = widths[Math.min(i, widths.length - 1)] ?? 1
    groups.push(digits.slice(at, at + width))
    at += width
  }
  return groups
}

/** Digits, some of them zeros at the head. */
function longDigits(random: Random, count: number): string {
  const zeros = random.chance(400) ? random.between(1, 8) : 0
  return '0'.repeat(zeros) + random.digits(count - zeros)
}

/** Long numbers that are printed in groups: Swiss, Belgian, Nordic, of cards and of acquirers. */
const LONG_NUMBERS: readonly ((random: Random) => string[])[] = [
  (random) => inGroups(longDigits(random, 27), [2, 5]),
  (random) => inGroups(longDigits(random, 27), [2, 5]),
  (random) => inGroups(longDigits(random, 16), [4]),
  (random) => inGroups(random.digits(23), [4]),
  (random) => inGroups(longDigits(random, 12), [3, 4, 5]),
  (random) => inGroups(longDigits(random, 20), [5]),
  (random) => inGroups(random.digits(16), [4]),
  (random) => inGroups(longDigits(random, 15), [3]),
  (random) => inGroups(random.digits(14), [2, 4]),
  (random) => inGroups(`RF${random.digits(18)}`, [4]),
]

function longNumber(random: Random): Reference {
  return { prefix: '', prefixGap: '', parts: random.pick(LONG_NUMBERS)(random), gap: ' ' }
}

const LABELS = ['', '', 'ESR ', 'QRR ', 'ARN ', 'Ref. ', 'OGM ', 'KID ', 'Karte ', 'Referenz ']

const withLabel: Write = (reference, random) => `${random.pick(LABELS)}${printed(reference)}`

const joined: Write = ({ parts }) => parts.join('')

/** Some digits of a long number as payments have them: the last ones, or one alone. */
function fragments(reference: Reference, random: Random): MatchTexts[] {
  const { parts } = reference
  const last = parts.at(-1) ?? ''
  return [
    purposeOf(`Kartenzahlung ${date(random)} Filiale ${last}`),
    purposeOf(`Buchung ${last.slice(-1)} von ${last.slice(-1)}`),
    purposeOf(`${parts.slice(0, 2).join(' ')} ${random.digits(5)}`),
  ]
}

/** @param ask,write of the number in groups */
function longNoise(group: string, ask: Write, write: Write): Noise {
  return {
    group,
    expectation: 'found',
    plant: (random) => {
      const reference = longNumber(random)
      const inner = found({
        group,
        reference: () => reference,
        ask,
        write,
        writeDecoy: write,
        trace: compactDigits,
      })
      const planting = inner.plant(random)
      return { ...planting, decoys: [...planting.decoys, ...fragments(reference, random)] }
    },
  }
}

/** Long numbers in blocks of letters and digits, as end-to-end ids are read out. */
const blocksOfId: Noise = {
  group: 'id_in_blocks',
  expectation: 'found',
  plant: (random) => {
    const letter = (): string => random.pick([...'ACEFGHJKMNPRTUVWXY'])
    const part = random.pick<() => string>([
      () => `${letter()}${random.digits(1)}${letter()}${random.digits(1)}`,
      () => random.digits(8),
      () => `${letter()}${letter()}${letter()}${letter()}${random.digits(2)}`,
      () => `${random.digits(6)}${letter()}`,
    ])
    const tails = [`${random.digits(2)}${letter()}`, random.digits(7)]
    const parts = [part(), letter() + part(), random.pick(tails)]
    const id = parts.join('')
    const other = (): string => id.slice(0, -2) + random.digits(2)
    const field = random.pick(['purpose', 'endToEndReference', 'customerReference'] as const)
    const inField = (text: string): MatchTexts => {
      return { ...NO_TEXTS, [field]: field === 'purpose' ? purposeWith(text, random) : text }
    }
    const decoys = [other(), other()].filter((text) => text !== id).map(inField)
    const query = parts.join(random.pick([' ', ' ', '-']))
    return { query, truths: [inField(id)], decoys, trace: { kind: 'compact', text: id } }
  },
}

/** A base, and how its siblings are told apart. */
function siblingsOf(random: Random): (number: number) => string {
  const day = `20${random.between(18, 27)}-0${random.between(1, 9)}-${random.between(10, 28)}`
  const compactDay = day.replaceAll('-', '')
  const letters = random.pick(['PMT', 'BATCH', 'E2E', 'TX', 'SCT', 'LOT', 'DD', 'ORD'])
  return random.pick<(number: number) => string>([
    (number) => `${day}-11:02-${number}`,
    (number) => `${day}-${compactDay.slice(4)}:${letters}-${number}`,
    (number) => `${letters}-${compactDay}-0007/${number}`,
    (number) => `${letters}${compactDay}-${number}`,
    (number) => `${compactDay}:${letters}:${number}`,
    (number) => `${letters}/${compactDay.slice(2)}/000${number}`,
    (number) => `${compactDay}.${number}`,
    (number) => `${letters} ${compactDay}-14:37:0${number}`,
    (number) => `${letters}-${compactDay.slice(3)}_${number}`,
  ])
}

/** Siblings are there: the asked one, or all but that. */
function siblings(group: string, isThere: boolean, weight: number): Noise {
  return {
    group,
    expectation: isThere ? 'found' : 'absent',
    weight,
    plant: (random) => {
      const base = random.digits(4)
      const write = siblingsOf(random)
      const of = (number: number): string => `${base}-${write(number)}`
      const [asked, ...others] = random.pick([
        [1, 2, 3],
        [2, 1, 3],
        [3, 1, 2],
        [7, 1, 4],
      ])
      const field = random.pick(['purpose', 'purpose', 'endToEndReference'] as const)
      const inField = (text: string): MatchTexts => {
        return { ...NO_TEXTS, [field]: field === 'purpose' ? purposeWith(text, random) : text }
      }
      const query = of(asked ?? 1)
      return {
        query,
        truths: isThere ? [inField(query)] : [],
        decoys: others.map((number) => inField(of(number))),
        trace: { kind: 'compact', text: query.toUpperCase().replace(/[^\dA-Z]/g, '') },
      }
    },
  }
}

/** All classes of this file. */
export const GROUPS_NOISE: readonly Noise[] = [
  inBlanks,
  found({
    group: 'groups_doc_compact',
    reference: grouped,
    write: joined,
    writeDecoy: joined,
    trace: compactDigits,
  }),
  longNoise('long_groups', printed, joined),
  longNoise('long_groups_label', withLabel, joined),
  longNoise('long_groups_both', printed, withLabel),
  longNoise('long_doc_groups', joined, printed),
  blocksOfId,
  absent({
    group: 'absent_long_groups',
    weight: 4,
    plant: (random) => {
      const reference = longNumber(random)
      const [last = ''] = reference.parts.slice(-1)
      const digits = reference.parts.with(-1, String((Number(last) + 1) % 10 ** last.length))
      const other = digits.with(-1, (digits.at(-1) ?? '').padStart(last.length, '0'))
      const written = random.chance(500) ? other.join('') : other.join(' ')
      return {
        query: random.chance(500) ? printed(reference) : joined(reference, random),
        decoys: [purposeOf(purposeWith(written, random)), ...fragments(reference, random)],
        trace: compactDigits(reference),
      }
    },
  }),
  siblings('siblings', true, 1),
  siblings('absent_sibling', false, 4),
]
