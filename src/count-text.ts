/** Digits in groups of three: `1,234,567`. @param digits nothing else */
export function groupedDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A count with grouped digits. @param count a whole number from 0 */
export function countText(count: number): string {
  return groupedDigits(String(count))
}

/** A count with its noun: `1 row`, `20,000 rows`. @param one the singular */
export function countedText(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

/** Bytes in the unit that leaves one to three digits before the point: `1.5 MB`; decimal units. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let unit = 0
  let value = bytes
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000
    unit += 1
  }
  const digits = unit === 0 || value >= 10 ? Math.round(value) : Math.round(value * 10) / 10
  return `${digits} ${units[unit]}`
}

const SPAN_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** A length of time in the largest unit that has a whole number of it: `15 minutes`. */
export function spanText(ms: number): string {
  const [name, unitMs] =
    SPAN_UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? SPAN_UNITS[3]
  return countedText(Math.round(ms / unitMs), name)
}
