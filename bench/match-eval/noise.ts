import type { Random } from '../../src/demo/random.js'
import { type MatchTexts, NO_TEXTS } from './candidate.js'
import { purposeWith } from './context.js'
import type { Expectation } from './labelled-query.js'
import {
  anyReference,
  appended,
  lengthened,
  printed,
  type Reference,
  type Slip,
  shortened,
  slipped,
  substituted,
  swapped,
} from './reference.js'

/** Evidence that a text without a planted reference contains it nevertheless. */
export interface Trace {
  /**
   * `digits`: the text's digit key contains it, or a field ends with all but the last of it;
   * `group`: a group of digits equals it, or two neighbours together; `invoice`: it stands after a
   * word for an invoice; `compact`: the text's letters and digits in upper case contain it.
   */
  readonly kind: 'digits' | 'group' | 'invoice' | 'compact'
  readonly text: string
}

/** A query and the transactions to add to the window for it. */
export interface Planting {
  readonly query: string
  readonly truths: readonly MatchTexts[]
  readonly decoys: readonly MatchTexts[]
  readonly trace: Trace
}

/** One way in which queries and texts differ. */
export interface Noise {
  readonly group: string
  readonly expectation: Expectation
  /** Weight: multiple of the usual number of questions of a class. */
  readonly weight?: number
  plant(random: Random): Planting
}

/** Writes a reference as a query or as a text. */
export type Write = (reference: Reference, random: Random) => string

/** Slips in the decoys of every question, one each. */
const DECOY_SLIPS: readonly Slip[] = [substituted, swapped, appended, shortened]

/** Attempts at a slip before a digit is substituted instead. */
const SLIP_TRIES = 20

/** The parts that most {@link Noise} consists of. */
export interface FoundNoise {
  readonly group: string
  readonly expectation?: Expectation
  /** Default {@link anyReference}. */
  readonly reference?: (random: Random) => Reference
  /** Writes the query; default as printed. */
  readonly ask?: Write
  /** Writes the reference in the true transaction; default as printed. */
  readonly write?: Write
  /** Adds the text around it; default {@link purposeWith}. */
  readonly around?: (text: string, random: Random) => string
  /** Field that contains it; default the purpose. */
  readonly field?: keyof MatchTexts
  /** Writes the references of decoys; default as printed. */
  readonly writeDecoy?: Write
  readonly trace?: (reference: Reference) => Trace
  /** Number of transactions with it; default 1. */
  readonly truthCount?: number
}

/** A class whose reference is in the window, with decoys that have other numbers. */
export function found(noise: FoundNoise): Noise {
  const { group, reference = anyReference, ask = printed, write = printed } = noise
  const { around = purposeWith, field = 'purpose', writeDecoy = printed } = noise
  const { trace = digitTrace, truthCount = 1, expectation = 'found' } = noise
  return {
    group,
    expectation,
    plant: (random) => {
      const planted = reference(random)
      const inField = (text: string): MatchTexts => ({ ...NO_TEXTS, [field]: text })
      const surround = field === 'purpose' ? around : (text: string): string => text
      const truth = inField(surround(write(planted, random), random))
      const decoys = DECOY_SLIPS.map((slip) => {
        const decoy = distinctlySlipped(planted, slip, random)
        return inField(surround(writeDecoy(decoy, random), random))
      })
      return {
        query: ask(planted, random),
        truths: Array.from({ length: truthCount }, () => truth),
        decoys,
        trace: trace(planted),
      }
    },
  }
}

/** The parts of a class whose reference is not in the window. */
export interface AbsentNoise {
  readonly group: string
  readonly weight?: number
  /** A query, and the texts that tempt to take them for it. */
  readonly plant: (random: Random) => {
    readonly query: string
    readonly decoys: readonly MatchTexts[]
    readonly trace: Trace
  }
}

/** A class whose reference is not in the window. */
export function absent({ group, weight = 2, plant }: AbsentNoise): Noise {
  return {
    group,
    expectation: 'absent',
    weight,
    plant: (random) => ({ ...plant(random), truths: [] }),
  }
}

/** The texts of a transaction with a purpose only. */
export function purposeOf(purpose: string): MatchTexts {
  return { ...NO_TEXTS, purpose }
}

/** A class whose query has a slip; the intended transaction is in the window. */
export function conflicting(group: string, slip: Slip, reference = anyReference): Noise {
  return {
    group,
    expectation: 'conflict',
    plant: (random) => {
      const planted = reference(random)
      const wrong = distinctlySlipped(planted, slip, random)
      const purpose = purposeWith(printed(planted), random)
      const truths = [{ ...NO_TEXTS, purpose }]
      return { query: printed(wrong), truths, decoys: [], trace: digitTrace(wrong) }
    },
  }
}

/**
 * A slip that does more than drop the last digit or append one to a text that ends there: those
 * could be a reference in a field that was too short for it.
 */
function distinctlySlipped(reference: Reference, slip: Slip, random: Random): Reference {
  if (slip === appended) return slipped(reference, slip, random)
  const own = printed(reference)
  for (let tries = 0; tries < SLIP_TRIES; tries++) {
    const other = slipped(reference, slip, random)
    const text = printed(other)
    if (!own.startsWith(text) && !text.startsWith(own)) return other
  }
  // 7777 without one digit is a prefix of 7777 whichever digit is dropped.
  return slipped(reference, substituted, random)
}

/** Four other references, each one slip away. */
export function neighboursOf(reference: Reference, random: Random): MatchTexts[] {
  return [substituted, substituted, swapped, lengthened].map((slip) => {
    const neighbour = printed(distinctlySlipped(reference, slip, random))
    return { ...NO_TEXTS, purpose: purposeWith(neighbour, random) }
  })
}

/** Traces a reference by its digits. */
export function digitTrace({ parts }: Reference): Trace {
  const groups = parts.flatMap((part) => part.match(/\d+/g) ?? [])
  return { kind: 'digits', text: groups.map((group) => group.replace(/^0+(?=.)/, '')).join('') }
}

/** Traces a short invoice number by the word for an invoice before it. */
export function invoiceTrace({ parts }: Reference): Trace {
  return { kind: 'invoice', text: parts.join('').replace(/^0+(?=.)/, '') }
}

/** Traces a reference of letters and few digits by its characters. */
export function compactTrace({ prefix, parts }: Reference): Trace {
  return { kind: 'compact', text: compactText(prefix + parts.join('')) }
}

/** Letters and digits in upper case. */
export function compactText(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
}
