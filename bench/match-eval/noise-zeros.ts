// The classes in which zeros decide: at the head of groups, moved, or all that a number has.
import type { Random } from '../../src/demo/random.js'
import { type MatchTexts, NO_TEXTS } from './candidate.js'
import { purposeWith } from './context.js'
import {
  absent,
  digitTrace,
  found,
  type Noise,
  purposeOf,
  type Trace,
  type Write,
} from './noise.js'
import { compacted, numberOf, printed, type Reference } from './reference.js'

const two = (value: number): string => String(value).padStart(2, '0')

/** A year, of four digits or two. */
function year(random: Random): string {
  const value = random.between(2017, 2027)
  return random.chance(750) ? String(value) : two(value % 100)
}

/** A number with one to three leading zeros. */
function zeroHeaded(random: Random, width: number): string {
  return random.digits(width - random.between(1, width - 2)).padStart(width, '0')
}

const PREFIXES = ['VR', 'RE', 'RG', 'INV', 'AR', 'FA', 'F', 'FV', 'KX', 'RNR', 'SR', 'ZT']

/** References with groups that begin with zeros: one in twelve shapes. */
function zeroGrouped(random: Random): Reference {
  const gap = random.pick(['-', '-', '/', '.', ' '])
  const prefix = random.pick([...PREFIXES, '', ''])
  const prefixGap = random.pick(['-', ' ', '', gap])
  const month = two(random.between(1, 9))
  const parts = random.pick<() => readonly string[]>([
    () => [year(random), month, zeroHeaded(random, 4)],
    () => [year(random), month, random.digits(4)],
    () => [year(random), month, zeroHeaded(random, 5)],
    () => [year(random), two(random.between(10, 12)), zeroHeaded(random, 4)],
    () => [`${random.between(18, 27)}${month}`, zeroHeaded(random, 5)],
    () => [year(random), zeroHeaded(random, 6)],
    () => [month, zeroHeaded(random, 4), zeroHeaded(random, 3)],
    () => [random.digits(2), zeroHeaded(random, 7)],
    () => [random.digits(3), zeroHeaded(random, 3), zeroHeaded(random, 3)],
    () => [year(random), zeroHeaded(random, 3), zeroHeaded(random, 4)],
    () => [random.digits(5), zeroHeaded(random, 4), random.digits(2)],
    () => [zeroHeaded(random, 3), random.digits(4), zeroHeaded(random, 4)],
  ])()
  return { prefix, prefixGap, parts, gap }
}

/** A blank, two, or a line end at a place inside the number, or between prefix and number. */
const broken: Write = (reference, random) => {
  const text = random.chance(600) ? compacted(reference) : printed(reference)
  const number = numberOf(reference).length
  const at = text.length - random.between(1, Math.min(number, text.length - 1))
  return `${text.slice(0, at)}${random.pick([' ', ' ', '\n', '\r\n', '  '])}${text.slice(at)}`
}

/** Other gaps than printed, some of them none. */
const regapped: Write = (reference, random) => {
  const gap = random.pick(['', ' ', '-', '/', '.', '_'])
  return printed({ ...reference, gap, prefixGap: random.pick(['', ' ', '-', gap]) })
}

const lowerCompact: Write = (reference) => compacted(reference).toLowerCase()

const FIELDS = [
  'purpose',
  'endToEndReference',
  'customerReference',
  'mandateReference',
  'paypalInvoiceNumber',
] as const

/** The same in each of the fields, with and without separators. */
const inAnyField: Noise = {
  group: 'zeros_any_field',
  expectation: 'found',
  plant: (random) => {
    const field = random.pick(FIELDS)
    const asCompact = random.chance(500)
    const inner = found({
      group: 'zeros_any_field',
      field,
      reference: zeroGrouped,
      ask: asCompact ? compacted : printed,
      write: asCompact ? printed : compacted,
      writeDecoy: asCompact ? printed : compacted,
    })
    return inner.plant(random)
  },
}

/** The digit pair that is moved: `10` and `01`. */
function movable(random: Random): readonly [string, string] {
  const digit = random.pick([1, 1, 1, 2, 3, 4, 5, 7])
  return random.chance(500) ? [`${digit}0`, `0${digit}`] : [`0${digit}`, `${digit}0`]
}

/** A reference and the one in which a zero stands on the other side of a digit. */
function movedPair(random: Random): readonly [Reference, Reference] {
  const gap = random.pick(['-', '-', '/', '.', ' '])
  const prefix = random.pick([...PREFIXES, ''])
  const prefixGap = random.pick(['-', ' ', '', gap])
  const [one, other] = movable(random)
  const number = random.pick([zeroHeaded(random, 4), random.digits(4), zeroHeaded(random, 5)])
  const y = year(random)
  const shape = random.pick<(moved: string) => readonly string[]>([
    (moved) => [y, moved, number],
    (moved) => [y, moved, number],
    (moved) => [`${y}${moved}`, number],
    (moved) => [y, `${moved}${number}`],
    (moved) => [moved, number, y],
    (moved) => [number, moved],
    (moved) => [y, `${number.slice(0, 2)}${moved}`],
  ])
  const made = (moved: string): Reference => ({ prefix, prefixGap, gap, parts: shape(moved) })
  return [made(one), made(other)]
}

const WRITES: readonly Write[] = [printed, printed, compacted, regapped]

/** The number is not there, the one with the zero elsewhere is. */
const absentMoved = absent({
  group: 'absent_zero_moved',
  weight: 8,
  plant: (random) => {
    const [reference, other] = movedPair(random)
    const written = random.pick(WRITES)(other, random)
    return {
      query: random.pick(WRITES)(reference, random),
      decoys: [purposeOf(purposeWith(written, random))],
      trace: { kind: 'compact', text: numberOf(reference).replace(/\D/g, '') },
    }
  },
})

/** Both are there. */
const besideMoved: Noise = {
  group: 'zero_moved',
  expectation: 'found',
  plant: (random) => {
    const [reference, other] = movedPair(random)
    const write = random.pick(WRITES)
    const of = (one: Reference): MatchTexts => purposeOf(purposeWith(write(one, random), random))
    return {
      query: random.pick(WRITES)(reference, random),
      truths: [of(reference)],
      decoys: [of(other)],
      trace: { kind: 'compact', text: numberOf(reference).replace(/\D/g, '') },
    }
  },
}

/** A small running number, by its digits and the width it is padded to. */
function runningNumber(random: Random): Reference {
  const digits = random.pick([1, 1, 2, 2, 3])
  const width = digits + random.between(2, 5)
  const prefix = random.pick(['INV', 'RE', 'RG', 'FA', 'R', 'INVOICE', 'Rechnung', 'Factuur', 'FV'])
  const number = random.digits(digits).padStart(width, '0')
  return { prefix, prefixGap: random.pick(['-', '-', ' ', '']), parts: [number], gap: '' }
}

function bareOf({ parts }: Reference): string {
  return parts.join('').replace(/^0+/, '')
}

/** Traces a running number by the word for an invoice before it, zeros or not. */
function runningTrace(reference: Reference): Trace {
  return { kind: 'invoice', text: bareOf(reference) }
}

/** The texts in which only the last digits of a running number stand. */
function smallNumbers(bare: string, random: Random): MatchTexts[] {
  const purposes = [
    `Filiale ${bare} Kiel`,
    `Miete Wohnung ${bare}`,
    `Abschlag ${bare} Bauvorhaben Hafenstrasse`,
    `Ticket ${bare}/2 Konzert`,
    `Tor ${bare}, Lager Sued`,
    `Kasse ${bare} Bon ${random.digits(4)}`,
    `Mitgliedsbeitrag ${bare} Quartal`,
    `${bare} x Kaffee`,
    `Termijn ${bare} van 12`,
    `Zahlung 0${bare}`,
  ]
  const fields = ['endToEndReference', 'customerReference', 'mandateReference'] as const
  const whole = { ...NO_TEXTS, [random.pick(fields)]: random.pick([bare, `0${bare}`]) }
  const texts = [0, 1, 2].map(() => purposeOf(random.pick(purposes)))
  return [...texts, { ...whole, purpose: 'Danke' }]
}

/** Nobody paid it: `INV-00007`. */
const absentRunning = absent({
  group: 'absent_running_number',
  weight: 6,
  plant: (random) => {
    const reference = runningNumber(random)
    return {
      query: printed(reference),
      decoys: smallNumbers(bareOf(reference), random),
      trace: runningTrace(reference),
    }
  },
})

/** It was paid, with its zeros and its prefix, or with one of the two. */
const running: Noise = {
  group: 'running_number',
  expectation: 'found',
  plant: (random) => {
    const reference = runningNumber(random)
    const written = random.pick([
      printed(reference),
      printed(reference),
      printed({ ...reference, prefixGap: random.pick(['', ' ', '. ', ' Nr. ', ': ']) }),
      printed({ ...reference, parts: [bareOf(reference)], prefixGap: ' ' }),
    ])
    const other = String(Number(bareOf(reference)) + random.pick([1, 2, 10]))
    const width = reference.parts.join('').length
    const decoy = printed({ ...reference, parts: [other.padStart(width, '0')] })
    const rows = [...smallNumbers(bareOf(reference), random), purposeOf(purposeWith(decoy, random))]
    return {
      query: printed(reference),
      truths: [purposeOf(purposeWith(written, random))],
      decoys: rows,
      trace: runningTrace(reference),
    }
  },
}

const traced = { reference: zeroGrouped, trace: digitTrace }

/** All classes of this file. */
export const ZEROS_NOISE: readonly Noise[] = [
  found({ group: 'zeros_doc_compact', ...traced, write: compacted, writeDecoy: compacted }),
  found({ group: 'zeros_compact', ...traced, ask: compacted }),
  found({ group: 'zeros_lower', ...traced, ask: lowerCompact, write: regapped }),
  found({ group: 'zeros_doc_broken', ...traced, write: broken, writeDecoy: compacted }),
  found({ group: 'zeros_broken', ...traced, ask: broken, write: regapped }),
  inAnyField,
  absentMoved,
  besideMoved,
  absentRunning,
  running,
]
