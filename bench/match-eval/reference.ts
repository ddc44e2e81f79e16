import type { Random } from '../../src/demo/random.js'

/** A number as its issuer prints it: `RE-2024-0815` is prefix `RE`, parts `2024` and `0815`. */
export interface Reference {
  /** Letters before the number; may be empty. */
  readonly prefix: string
  /** Between prefix and number. */
  readonly prefixGap: string
  /** Digits, with letters in some of them. */
  readonly parts: readonly string[]
  /** Between the parts. */
  readonly gap: string
}

/** The reference as printed. */
export function printed({ prefix, prefixGap, parts, gap }: Reference): string {
  return `${prefix}${prefix === '' ? '' : prefixGap}${parts.join(gap)}`
}

/** The number alone, as printed. */
export function numberOf({ parts, gap }: Reference): string {
  return parts.join(gap)
}

/** Prefix and number without anything between. */
export function compacted({ prefix, parts }: Reference): string {
  return prefix + parts.join('')
}

/** `RE-2024-0815`, `FA/2023/10482` */
export function yearInvoice(random: Random): Reference {
  const gap = random.pick(['-', '-', '-', '/', '.'])
  return {
    prefix: random.pick(['RE', 'RE', 'RG', 'INV', 'FA', 'RNR', 'GS', 'AB']),
    prefixGap: gap,
    parts: [String(random.between(2019, 2026)), paddedNumber(random, random.pick([4, 4, 5]))],
    gap,
  }
}

/** `INV-0048213`: a count with the zeros of its width. */
export function paddedInvoice(random: Random): Reference {
  const number = String(random.between(10_000, 999_999))
  return {
    prefix: random.pick(['INV', 'RE', 'RG', 'FA', 'BELEG']),
    prefixGap: random.pick(['-', '-', ' ', '']),
    parts: [number.padStart(number.length + random.between(2, 3), '0')],
    gap: '',
  }
}

/** `4400012345`: digits only. */
export function plainNumber(random: Random): Reference {
  return { prefix: '', prefixGap: '', parts: [random.digits(random.between(7, 11))], gap: '' }
}

/** `K46X-20391`, `MUE-48213`: letters other than a keyword belong to the reference. */
export function letteredNumber(random: Random): Reference {
  const prefix = random.chance(500)
    ? `${letters(random, 1)}${random.digits(2)}${letters(random, 1)}`
    : letters(random, 3)
  return { prefix, prefixGap: random.pick(['-', '-', '']), parts: [random.digits(6)], gap: '' }
}

/** `302-4821337-1180422`, `V-482.133.771`: an order or a contract. */
export function groupedNumber(random: Random): Reference {
  if (random.chance(500)) {
    const parts = [random.digits(3), random.digits(7), random.digits(7)]
    return { prefix: '', prefixGap: '', parts, gap: '-' }
  }
  const parts = [random.digits(3), random.digits(3), random.digits(3)]
  return { prefix: random.pick(['V', 'P', 'A']), prefixGap: '-', parts, gap: '.' }
}

/** `MND-K7F2-99A3`: a mandate whose parts mix letters and digits. */
export function mixedMandate(random: Random): Reference {
  const part = (): string => `${letters(random, 1)}${random.digits(2)}${letters(random, 1)}`
  const parts = [`${part()}${random.digits(1)}`, `${random.digits(3)}${letters(random, 1)}`]
  return { prefix: random.pick(['MND', 'MREF', 'SEPA']), prefixGap: '-', parts, gap: '-' }
}

/** `RF18 5390 0754 7034` of ISO 11649; the check digits are not computed. */
export function creditorReference(random: Random): Reference {
  const parts = [random.digits(2), random.digits(4), random.digits(4), random.digits(4)]
  return { prefix: 'RF', prefixGap: '', parts, gap: ' ' }
}

/** A reference of one of the common kinds. */
export function anyReference(random: Random): Reference {
  return random.pick([
    yearInvoice,
    yearInvoice,
    paddedInvoice,
    plainNumber,
    letteredNumber,
    groupedNumber,
  ])(random)
}

/** Letters that do not look like a digit and form no keyword. */
const PLAIN_LETTERS = [...'CEFHJKMNPTUVWXY']

function letters(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(PLAIN_LETTERS)).join('')
}

/** `width` digits; the first may be 0, but not all of them. */
function paddedNumber(random: Random, width: number): string {
  return String(random.between(10, 10 ** width - 1)).padStart(width, '0')
}

/** Ways in which one typing slip turns a reference into another. */
export type Slip = (digits: string, random: Random) => string

/** Substitutes one digit, never one of the leading zeros, which count for little. */
export function substituted(digits: string, random: Random): string {
  const at = random.pick(significantPlaces(digits))
  const other = String((Number(digits.charAt(at)) + random.between(1, 9)) % 10)
  const changed = digits.slice(0, at) + other + digits.slice(at + 1)
  // A first digit of 0 would leave a number that is only shorter.
  return sameNumber(changed.slice(0, at + 1), '0') ? substituted(digits, random) : changed
}

/** Swaps two different neighbours; substitutes a digit where all are equal. */
export function swapped(digits: string, random: Random): string {
  const places = significantPlaces(digits).filter((at) => {
    const next = digits.charAt(at + 1)
    const wouldShorten = next === '0' && at === digits.search(/[1-9]/)
    return next !== '' && next !== digits.charAt(at) && !wouldShorten
  })
  if (places.length === 0) return substituted(digits, random)
  const at = random.pick(places)
  return digits.slice(0, at) + digits.charAt(at + 1) + digits.charAt(at) + digits.slice(at + 2)
}

/** Appends one digit. */
export function appended(digits: string, random: Random): string {
  return digits + String(random.below(10))
}

/** Drops one inner digit; substitutes the only one of a number. */
export function shortened(digits: string, random: Random): string {
  const places = significantPlaces(digits).slice(1)
  if (places.length === 0) return substituted(digits, random)
  const at = random.pick(places)
  return digits.slice(0, at) + digits.slice(at + 1)
}

/** Inserts one inner digit; appends one to the only one of a number. */
export function lengthened(digits: string, random: Random): string {
  const places = significantPlaces(digits).slice(1)
  if (places.length === 0) return appended(digits, random)
  const at = random.pick(places)
  return digits.slice(0, at) + String(random.between(1, 9)) + digits.slice(at)
}

/** Applies a slip to the longest run of digits; never yields the same number. */
export function slipped(reference: Reference, slip: Slip, random: Random): Reference {
  const { parts } = reference
  const runs = parts.flatMap((part, at) =>
    [...part.matchAll(/\d+/g)].map((run) => ({ at, index: run.index, digits: run[0] })),
  )
  const width = Math.max(...runs.map((run) => run.digits.length))
  const run = runs.findLast(({ digits }) => digits.length === width)
  if (run === undefined) throw new RangeError('a reference has digits')
  for (;;) {
    const changed = slip(run.digits, random)
    if (sameNumber(changed, run.digits)) continue
    const part = parts[run.at] ?? ''
    const end = run.index + run.digits.length
    const replaced = part.slice(0, run.index) + changed + part.slice(end)
    return { ...reference, parts: parts.with(run.at, replaced) }
  }
}

function sameNumber(text: string, other: string): boolean {
  return text.replace(/^0+/, '') === other.replace(/^0+/, '')
}

function significantPlaces(digits: string): number[] {
  const first = Math.max(0, digits.search(/[1-9]/))
  return Array.from({ length: digits.length - first }, (_, i) => first + i)
}
