import { AMOUNT_DIGITS_MAX, AMOUNT_SCALE_MAX } from './limits.js'

/**
 * An exact decimal: `unscaled / 10 ** scale`. `unscaled` is a safe integer of at most 15 digits,
 * never -0; `scale` is 0 to 5 and as small as it can be (no trailing zeros), so two equal amounts
 * have equal fields.
 */
export interface Amount {
  readonly unscaled: number
  readonly scale: number
}

/** The reason why a text is no amount, as the end of a sentence that begins with the text. */
export type AmountFault =
  | 'is not a decimal number'
  | 'has more than 15 digits'
  | 'has more than 5 decimals'

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Parses a decimal text with a point (`-1234.50`, `.5`, `7.`, `1.5e3`) without passing a double.
 * @returns the amount in its smallest scale, or the reason why it is none
 */
export function parseAmount(text: string): Amount | AmountFault {
  const match = DECIMAL.exec(text)
  const whole = match?.[2] ?? ''
  const decimals = match?.[3] ?? ''
  if (match === null || whole.length + decimals.length === 0) return 'is not a decimal number'
  let digits = (whole + decimals).replace(/^0+/, '')
  let scale = decimals.length - Number(match[4] ?? '0')
  const significant = withoutLastZeros(digits)
  scale -= digits.length - significant.length
  digits = significant
  if (digits === '') return { unscaled: 0, scale: 0 }
  if (scale < 0) {
    if (digits.length - scale > AMOUNT_DIGITS_MAX) return 'has more than 15 digits'
    digits = digits.padEnd(digits.length - scale, '0')
    scale = 0
  }
  if (scale > AMOUNT_SCALE_MAX) return 'has more than 5 decimals'
  if (digits.length > AMOUNT_DIGITS_MAX) return 'has more than 15 digits'
  const magnitude = Number(digits)
  return { unscaled: match[1] === '-' ? -magnitude : magnitude, scale }
}

/**
 * The digits without their trailing zeros; `''` for zeros alone. A loop, because `/0+$/` restarts
 * at each zero of a run that another character follows: quadratic in the length of the run.
 */
export function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/**
 * The amount as the shortest exact JSON number: `-1234.5`, `0`, `0.00001`; never an exponent,
 * never `-0`.
 * @param unscaled safe integer   @param scale 0 to 5; trailing zeros are dropped
 */
export function formatAmount(unscaled: number, scale: number): string {
  const { unscaled: digits, scale: decimals } = smallestScale({ unscaled, scale })
  if (decimals === 0) return String(digits)
  const text = String(Math.abs(digits)).padStart(decimals + 1, '0')
  const point = text.length - decimals
  return `${digits < 0 ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}`
}

/** The same value in its smallest scale, so that equal amounts have equal fields. */
export function smallestScale(amount: Amount): Amount {
  let { unscaled, scale } = amount
  while (scale > 0 && unscaled % 10 === 0) {
    unscaled /= 10
    scale -= 1
  }
  return { unscaled: unscaled === 0 ? 0 : unscaled, scale }
}

/**
 * Orders two amounts by value, exactly, whatever their scales.
 * @returns negative when `a` is less, 0 when equal, positive when greater
 */
export function compareAmounts(a: Amount, b: Amount): number {
  if (a.scale === b.scale) return a.unscaled - b.unscaled
  if (Math.sign(a.unscaled) !== Math.sign(b.unscaled)) return a.unscaled - b.unscaled
  const scale = Math.max(a.scale, b.scale)
  const left = BigInt(a.unscaled) * 10n ** BigInt(scale - a.scale)
  const right = BigInt(b.unscaled) * 10n ** BigInt(scale - b.scale)
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * A number that orders amounts exactly: equal for equal ones whatever their scales, less for lesser
 * ones. It has no other use.
 */
export function amountSortKey({ unscaled, scale }: Amount): number {
  // Both operands are exact, so this is the double nearest to the amount; and no two decimals of up
  // to 15 digits have the same nearest double.
  return unscaled / 10 ** scale
}

/** The exact sum, or undefined when it does not fit an {@link Amount}. */
export function addAmounts(a: Amount, b: Amount): Amount | undefined {
  const scale = Math.max(a.scale, b.scale)
  const sum =
    BigInt(a.unscaled) * 10n ** BigInt(scale - a.scale) +
    BigInt(b.unscaled) * 10n ** BigInt(scale - b.scale)
  const text = sum.toString()
  const parsed = parseAmount(scale === 0 ? text : `${text}e-${scale}`)
  return typeof parsed === 'string' ? undefined : parsed
}

/** The amount with the opposite sign. */
export function negateAmount(amount: Amount): Amount {
  return { unscaled: amount.unscaled === 0 ? 0 : -amount.unscaled, scale: amount.scale }
}

/** A sum of amounts, of any size: `Sum / 10 ** 5`, exact. */
export type Sum = bigint

const SUM_UNIT = 10n ** BigInt(AMOUNT_SCALE_MAX)

/** An amount, or the total of several of one scale, as a sum. */
export function sumOf(unscaled: bigint, scale: number): Sum {
  return unscaled * 10n ** BigInt(AMOUNT_SCALE_MAX - scale)
}

/** The sum as the shortest exact decimal, in the format of {@link formatAmount}. */
export function formatSum(sum: Sum): string {
  const magnitude = sum < 0n ? -sum : sum
  const decimals = withoutLastZeros(String(magnitude % SUM_UNIT).padStart(AMOUNT_SCALE_MAX, '0'))
  const whole = `${sum < 0n ? '-' : ''}${magnitude / SUM_UNIT}`
  return decimals === '' ? whole : `${whole}.${decimals}`
}

/**
 * The sum as a number that prints as the very same decimal, or as text when a number cannot hold
 * all its digits.
 */
export function sumValue(sum: Sum): number | string {
  return decimalValue(formatSum(sum))
}

/** The number of a printed sum, or its text where the number would round it. */
export function decimalValue(text: string): number | string {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length <= AMOUNT_DIGITS_MAX ? Number(text) : text
}
