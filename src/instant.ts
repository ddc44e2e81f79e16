/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * Parses `YYYY-MM-DDTHH:MM:SS.MMMZ`, the contract's one format.
 * @returns undefined when the text has another format or names an instant no calendar has
 */
export function parseInstant(text: string): EpochMs | undefined {
  if (!ISO_INSTANT.test(text)) return undefined
  const ms = Date.parse(text)
  // Date.parse rolls 30 February over into March, and 24:00 into the next day; NaN equals no day.
  return new Date(ms).getUTCDate() === Number(text.slice(8, 10)) ? ms : undefined
}

/**
 * Parses an instant as {@link parseInstant} does, one without milliseconds, or a day, which stands
 * for midnight UTC. @returns undefined for any other text
 */
export function parseInstantOrDay(text: string): EpochMs | undefined {
  if (text.length === ISO_DAY_LENGTH) return parseDay(text)
  return parseInstant(text.length === ISO_SECOND_LENGTH ? `${text.slice(0, -1)}.000Z` : text)
}

const ISO_DAY_LENGTH = 'YYYY-MM-DD'.length
const ISO_SECOND_LENGTH = 'YYYY-MM-DDTHH:MM:SSZ'.length

/** The last parsed day: the entries of a statement mostly share theirs with their neighbours. */
let lastDay = { text: '1970-01-01', ms: 0 as EpochMs }

/** Midnight UTC of `YYYY-MM-DD`, or undefined when no calendar has that day. */
export function parseDay(text: string): EpochMs | undefined {
  if (text === lastDay.text) return lastDay.ms
  if (!ISO_DAY.test(text)) return undefined
  const ms = Date.parse(text)
  // As in parseInstant: a day that rolls over into the next month is none.
  const exists = Number.isFinite(ms) && new Date(ms).getUTCDate() === Number(text.slice(8))
  if (!exists) return undefined
  lastDay = { text, ms }
  return ms
}

/** The last formatted instant, as {@link lastDay}. */
let lastInstant = { ms: 0 as EpochMs, text: '1970-01-01T00:00:00.000Z' }

/** The instant as `YYYY-MM-DDTHH:MM:SS.MMMZ`. @param ms within years 0 to 9999 */
export function formatInstant(ms: EpochMs): string {
  if (ms !== lastInstant.ms) lastInstant = { ms, text: new Date(ms).toISOString() }
  return lastInstant.text
}

/** The present as an HTTP field value, `Sun, 22 Nov 2026 22:47:08 GMT` (RFC 9110, 5.6.7). */
export function httpDateNow(): string {
  return new Date().toUTCString()
}

/** Midnight UTC of a calendar day, or undefined when no calendar has it. @param month 1 to 12 */
export function instantOfDay(year: number, month: number, day: number): EpochMs | undefined {
  const pad = (value: number, width: number): string => String(value).padStart(width, '0')
  return parseDay(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`)
}

/** Calendar periods, UTC. */
export type Period = 'day' | 'month' | 'quarter' | 'year'

/** The first instant of the period of an instant, or of the one so many periods `later`. */
export function startOfPeriod(ms: EpochMs, period: Period, later = 0): EpochMs {
  const date = new Date(ms)
  date.setUTCHours(0, 0, 0, 0)
  const month = date.getUTCMonth()
  if (period === 'day') date.setUTCDate(date.getUTCDate() + later)
  else if (period === 'month') date.setUTCMonth(month + later, 1)
  else if (period === 'quarter') date.setUTCMonth(month - (month % 3) + later * 3, 1)
  else date.setUTCFullYear(date.getUTCFullYear() + later, 0, 1)
  return date.getTime()
}

/** The period of an instant: `2026-10-03`, `2026-10`, `2026-Q4` or `2026`. */
export function formatPeriod(ms: EpochMs, period: Period): string {
  const text = formatInstant(ms)
  if (period === 'day') return text.slice(0, 10)
  if (period === 'month') return text.slice(0, 7)
  const year = text.slice(0, 4)
  return period === 'year' ? year : `${year}-Q${Math.ceil(Number(text.slice(5, 7)) / 3)}`
}
