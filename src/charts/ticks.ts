/** A line across a plot, or a name next to it. */
export interface AxisLabel {
  /** From the left on a horizontal axis, from above on a vertical one. */
  readonly position: number
  readonly text: string
}

/** Approximate minimum of round amounts. */
const TICK_COUNT = 5

/**
 * Round amounts, ascending, from the greatest one at or below both bounds to the least one above.
 * @param least 0 or less   @param greatest 0 or more
 */
export function ticksBetween(least: number, greatest: number): number[] {
  const step = roundStep((greatest - least) / TICK_COUNT)
  const [first, last] = [Math.floor(least / step), Math.max(1, Math.ceil(greatest / step))]
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

/** The greatest of 1, 2 and 5 times a power of ten that is at most the length; 1 for length 0. */
function roundStep(length: number): number {
  if (length === 0) return 1
  const power = 10 ** Math.floor(Math.log10(length))
  const factor = [5, 2].find((one) => one * power <= length) ?? 1
  return factor * power
}

let amounts: Intl.NumberFormat | undefined

/** A round amount in few characters: `−20K`. */
export function amountText(amount: number): string {
  // Made on demand: making it loads locale data.
  amounts ??= new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
  // -0 prints as a text of its own, and a hyphen is no minus sign.
  return amounts.format(amount + 0).replace('-', '−')
}

/** Maximum names of columns, as `2026-01`, next to each other. */
const COLUMN_NAMES_MAX = 10

/** Names of columns, as many as fit next to each other. @param positionOf of the i-th */
export function columnNames(
  names: readonly string[],
  positionOf: (place: number) => number,
): AxisLabel[] {
  const stride = Math.ceil(names.length / COLUMN_NAMES_MAX)
  return names.flatMap((text, i) => (i % stride === 0 ? [{ position: positionOf(i), text }] : []))
}
