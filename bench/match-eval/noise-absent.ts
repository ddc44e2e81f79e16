// The classes whose reference is absent from the window, or present with a wrong digit.
import type { Random } from '../../src/demo/random.js'
import { date, money, purposeWith, time } from './context.js'
import {
  conflicting,
  digitTrace,
  type Noise,
  neighboursOf,
  purposeOf,
  type Trace,
} from './noise.js'
import {
  anyReference,
  compacted,
  lengthened,
  numberOf,
  printed,
  type Reference,
  shortened,
  substituted,
  swapped,
  yearInvoice,
} from './reference.js'

/** Name of the class of absent references in the targets. */
export const ABSENT_NEAR = 'absent_near'
export const ABSENT_FAR = 'absent_far'
export const ABSENT_SUBSTRING = 'absent_substring'

/** Name of the class of one wrong digit in the targets. */
export const TYPO_SUBSTITUTED = 'typo_digit_sub'
export const TYPO_SWAPPED = 'typo_digit_swap'

/** A query like that of any other class. */
function asked(reference: Reference, random: Random): string {
  return random.pick([
    printed,
    printed,
    compacted,
    (one: Reference) => `Rechnung ${numberOf(one)}`,
    (one: Reference) => `bitte ${printed(one)} pruefen`,
  ])(reference)
}

const near: Noise = {
  group: ABSENT_NEAR,
  expectation: 'absent',
  weight: 8,
  plant: (random) => {
    const reference = anyReference(random)
    const decoys = neighboursOf(reference, random)
    return { query: asked(reference, random), truths: [], decoys, trace: digitTrace(reference) }
  },
}

const far: Noise = {
  group: ABSENT_FAR,
  expectation: 'absent',
  weight: 8,
  plant: (random) => {
    const reference = anyReference(random)
    return { query: asked(reference, random), truths: [], decoys: [], trace: digitTrace(reference) }
  },
}

/** 14 is not in 1814. */
const substring: Noise = {
  group: ABSENT_SUBSTRING,
  expectation: 'absent',
  weight: 4,
  plant: (random) => {
    const number = random.digits(random.between(4, 8))
    const [before, after] = random.pick([
      [random.digits(2), random.digits(2)],
      ['', random.digits(3)],
      [random.digits(3), ''],
      [random.digits(1), ''],
    ] as const)
    const decoy = purposeWith(`${before}${number}${after}`, random)
    return {
      query: random.pick([number, `Rechnung ${number}`, `RE-${number}`]),
      truths: [],
      decoys: [purposeOf(decoy)],
      trace: traceOf(number),
    }
  },
}

/** The digits are those of a time or an amount. */
const masked: Noise = {
  group: 'absent_masked',
  expectation: 'absent',
  weight: 2,
  plant: (random) => {
    const [clock, amount, day] = [time(random), money(random), date(random)]
    const purpose = `Kartenzahlung ${day}, ${clock} UHR ${amount} EUR`
    const digits = (text: string): string => text.replace(/\D/g, '')
    const query = random.chance(500)
      ? `RE-${day.slice(-4)}-${digits(clock)}`
      : `Rechnung 0${digits(amount)}`
    const trace = { kind: 'digits', text: digits(query).replace(/^0+/, '') } as const
    return { query, truths: [], decoys: [purposeOf(purpose)], trace }
  },
}

/** The parts occur, but in two other numbers. */
const split: Noise = {
  group: 'absent_split',
  expectation: 'absent',
  weight: 2,
  plant: (random) => {
    const reference = yearInvoice(random)
    const [year = '', number = ''] = reference.parts
    const digits = random.digits(4)
    const other = `RE ${year}-${digits === number ? '1234' : digits}`
    const decoys = [`${other}, Kunde ${number}`, `Abschlag ${year}; Beleg ${number}`]
    return {
      query: printed(reference),
      truths: [],
      decoys: decoys.map(purposeOf),
      trace: digitTrace(reference),
    }
  },
}

/** Traces a short number, which occurs by chance in many longer ones. */
function traceOf(number: string): Trace {
  return { kind: number.length < 6 ? 'group' : 'digits', text: number }
}

/** Three or four digits. */
function shortReference(random: Random): Reference {
  const parts = [random.digits(random.between(3, 4))]
  return { prefix: 'RE', prefixGap: ' ', parts, gap: '' }
}

const short = conflicting('typo_digit_short', substituted, shortReference)

/** All classes of this file. */
export const ABSENT_NOISE: readonly Noise[] = [
  { ...conflicting(TYPO_SUBSTITUTED, substituted), weight: 2 },
  { ...conflicting(TYPO_SWAPPED, swapped), weight: 2 },
  conflicting('typo_digit_insert', lengthened),
  conflicting('typo_digit_delete', shortened),
  {
    ...short,
    plant: (random) => {
      const planting = short.plant(random)
      return { ...planting, trace: { kind: 'group', text: planting.query.replace(/\D/g, '') } }
    },
  },
  near,
  far,
  substring,
  masked,
  split,
]
