import type { Random } from '../../src/demo/random.js'
import { type MatchTexts, NO_TEXTS } from './candidate.js'
import { purposeWith } from './context.js'
import type { Expectation } from './question.js'
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

/** What shows that a text nobody planted holds a reference all the same. */
export interface Trace {
  /**
   * `digits`: the text's digit key contains it, or a field ends with all but the last of it;
   * `group`: a group of digits equals it, or two neighbours together; `invoice`: it stands after a
   * word for an invoice; `compact`: the text's letters and digits in upper case contain it.
   */
  readonly kind: 'digits' | 'group' | 'invoice' | 'compact'
  readonly text: string
}

/** A query, and the transactions to be put into the window for it. */
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
  /** How many times as many questions as a class usually has. */
  readonly weight?: number
  plant(random: Random): Planting
}

/** Makes a query or a text of a reference. */
export type Write = (reference: Reference, random: Random) => string

/** Slips that the decoys of every question have, one each. */
const DECOY_SLIPS: readonly Slip[] = [substituted, swapped, appended, shortened]

/** Slips tried before a digit is exchanged instead. */
const SLIP_TRIES = 20

/** The parts of a {@link Noise} that most of them are made of. */
export interface FoundNoise {
  readonly group: string
  readonly expectation?: Expectation
  /** Default {@link anyReference}. */
  readonly reference?: (random: Random) => Reference
  /** What is asked; default as printed. */
  readonly ask?: Write
  /** How the true transaction has the reference; default as printed. */
  readonly write?: Write
  /** What stands around it; default {@link purposeWith}. */
  readonly around?: (text: string, random: Random) => string
  /** Which field has it; default the purpose. */
  readonly field?: keyof MatchTexts
  /** How decoys have their references; default as printed. */
  readonly writeDecoy?: Write
  readonly trace?: (reference: Reference) => Trace
  /** Transactions that have it; default 1. */
  readonly truthCount?: number
}

/** A class whose reference is in the window, with decoys of other numbers beside it. */
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

/** A class whose query has a slip; the transaction that was meant is in the window. */
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
 * A slip that does not only leave off the last digit, or add one to a text that ends there: that
 * could be a reference that a field was too short for.
 */
function distinctlySlipped(reference: Reference, slip: Slip, random: Random): Reference {
  if (slip === appended) return slipped(reference, slip, random)
  const own = printed(reference)
  for (let tries = 0; tries < SLIP_TRIES; tries++) {
    const other = slipped(reference, slip, random)
    const text = printed(other)
    if (!own.startsWith(text) && !text.startsWith(own)) return other
  }
  // 7777 with a digit less is the beginning of 7777 whichever is left out.
  return slipped(reference, substituted, random)
}

/** Four other references, each one slip away. */
export function neighboursOf(reference: Reference, random: Random): MatchTexts[] {
  return [substituted, substituted, swapped, lengthened].map((slip) => {
    const neighbour = printed(distinctlySlipped(reference, slip, random))
    return { ...NO_TEXTS, purpose: purposeWith(neighbour, random) }
  })
}

/** A reference is where its digits are. */
export function digitTrace({ parts }: Reference): Trace {
  const groups = parts.flatMap((part) => part.match(/\d+/g) ?? [])
  return { kind: 'digits', text: groups.map((group) => group.replace(/^0+(?=.)/, '')).join('') }
}

/** A short number of an invoice is where somebody calls it one. */
export function invoiceTrace({ parts }: Reference): Trace {
  return { kind: 'invoice', text: parts.join('').replace(/^0+(?=.)/, '') }
}

/** A reference of letters and few digits is where its characters are. */
export function compactTrace({ prefix, parts }: Reference): Trace {
  return { kind: 'compact', text: compactText(prefix + parts.join('')) }
}

/** Letters and digits in upper case. */
export function compactText(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
}
