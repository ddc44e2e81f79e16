import { countedText } from './elements/count-text.js'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** A length of time in the largest unit that has a whole number of it: `15 minutes`. */
export function spanText(ms: number): string {
  const [name, unitMs] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? UNITS[3]
  return countedText(Math.round(ms / unitMs), name)
}
