import type { EpochMs } from '../instant.js'
import type { Random } from './random.js'

/** A calendar day, UTC. */
export interface Day {
  /** Days since 1970-01-01. */
  readonly number: number
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly dayOfMonth: number
}

const DAY_MS = 86_400_000

/** The day of a count of days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date"). */
export function dayOf(number: number): Day {
  const shifted = number + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return { number, year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth }
}

/** The day number of an instant at or after midnight UTC of that day. */
export function dayNumberOf(ms: EpochMs): number {
  return Math.floor(ms / DAY_MS)
}

/** Midnight UTC of the day. */
export function midnightOf(dayNumber: number): EpochMs {
  return dayNumber * DAY_MS
}

/** 0 = Monday to 6 = Sunday. */
export function weekdayOf(dayNumber: number): number {
  return (dayNumber + 3) % 7 // 1970-01-01 was a Thursday
}

/** Day of March (over 31: of April) of Easter Sunday (Gauss, for 1900 to 2099). */
function easterFromMarch(year: number): number {
  const fullMoon = (19 * (year % 19) + 24) % 30
  const toSunday = (2 * (year % 4) + 4 * (year % 7) + 6 * fullMoon + 5) % 7
  const day = 22 + fullMoon + toSunday
  const late = day === 57 || (fullMoon === 28 && toSunday === 6 && year % 19 > 10)
  return late ? day - 7 : day
}

/** Whether banks book: no weekend and no closing day of the European payment system T2. */
export function isBankingDay(day: Day): boolean {
  if (weekdayOf(day.number) > 4) return false
  const date = day.month * 100 + day.dayOfMonth
  if (date === 101 || date === 501 || date === 1225 || date === 1226) return false
  if (day.month !== 3 && day.month !== 4) return true
  const fromMarch = day.dayOfMonth + (day.month === 4 ? 31 : 0)
  const easter = easterFromMarch(day.year)
  return fromMarch !== easter - 2 && fromMarch !== easter + 1
}

/** The banking days from `first` to `last`, both included, ascending. */
export function bankingDays(first: number, last: number): Day[] {
  const days: Day[] = []
  for (let number = first; number <= last; number++) {
    const day = dayOf(number)
    if (isBankingDay(day)) days.push(day)
  }
  return days
}

/**
 * The banking day `steps` banking days after `dayNumber`, or before it when `steps` is negative.
 */
export function bankingDayFrom(dayNumber: number, steps: number): number {
  const direction = steps < 0 ? -1 : 1
  let number = dayNumber
  for (let left = Math.abs(steps); left > 0; ) {
    number += direction
    if (isBankingDay(dayOf(number))) left -= 1
  }
  return number
}

/** `07`: the number with at least two digits. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** `03.05.2024` */
export function germanDate(day: Day): string {
  return `${twoDigits(day.dayOfMonth)}.${twoDigits(day.month)}.${day.year}`
}

/** `2024-05-03` */
export function isoDate(day: Day): string {
  return `${day.year}-${twoDigits(day.month)}-${twoDigits(day.dayOfMonth)}`
}

/** `11:33`, a time at which shops are open. */
export function shopTime(random: Random): string {
  return `${twoDigits(random.between(7, 20))}:${twoDigits(random.below(60))}`
}

/** Rows -> calendar days they are spread over: twenty a banking day at first, then growing. */
const PERIOD: readonly (readonly [transactions: number, days: number])[] = [
  [0, 0],
  [20_000, 4 * 365],
  [1_000_000, 10 * 365],
  [5_000_000, 12 * 365],
]

/**
 * The calendar days that a company needs for that many bookings, at least one. A big file is a
 * bigger company rather than an older one: SEPA, and with it these rows, began in 2014.
 */
export function periodDays(transactions: number): number {
  let from = PERIOD[0] as (typeof PERIOD)[number]
  for (const to of PERIOD) {
    if (transactions > to[0]) {
      from = to
      continue
    }
    const part = ((transactions - from[0]) * (to[1] - from[1])) / Math.max(1, to[0] - from[0])
    return Math.max(1, Math.round(from[1] + part))
  }
  return from[1]
}
