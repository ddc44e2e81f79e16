import type { EpochMs } from '../instant.js'
import { instantOfDay } from '../instant.js'

/** The order in which a day is written: `31.12.2024` dmy, `12/31/2024` mdy, `2024-12-31` ymd. */
export type DayOrder = 'dmy' | 'mdy' | 'ymd'

/** An example of a day in each order, for messages. */
export const DAY_EXAMPLE: Readonly<Record<DayOrder, string>> = {
  dmy: '31.12.2024',
  mdy: '12/31/2024',
  ymd: '2024-12-31',
}

// A time of day may follow, or the point that Hungarian writes; the calendar day is not converted.
const DAY = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?(?:[T ]+\d{1,2}[:.]\d{2}[\d:.+\-Z APM]*)?$/u
// `05/01-2024`, as Danish banks write it: always the day first.
const DANISH_DAY = /^(\d{1,2})\/(\d{1,2})-(\d{4})$/u
// `12-Dec-2019`, `7 Apr 26`, `Feb 13, 2018`: the name of the month decides the order.
const NAMED_DAY_FIRST = /^(\d{1,2})[ .-]{1,2}(\p{L}{3,9})[ .-]{1,2}(\d{4}|\d{2})$/u
const NAMED_MONTH_FIRST = /^(\p{L}{3,9})[ .]{1,2}(\d{1,2})[ ,]{1,2}(\d{4}|\d{2})$/u

/** The first letters of the months, English and German. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  ['jan jän', 'feb', 'mar mär mrz', 'apr', 'may mai', 'jun', 'jul', 'aug', 'sep', 'oct okt', 'nov']
    .concat('dec dez')
    .flatMap((names, i) => names.split(' ').map((name) => [name, i + 1] as const)),
)

const DAY_COMPACT = /^(\d{4})(\d{2})(\d{2})$/u

/**
 * Midnight UTC of the written day. Years of two digits are 2000 to 2099: no bank offered such files
 * earlier.
 * @returns undefined when the text has another shape or the day does not exist
 */
export function readDay(text: string, order: DayOrder): EpochMs | undefined {
  const compact = order === 'ymd' ? DAY_COMPACT.exec(text) : null
  if (compact !== null) {
    return instantOfDay(Number(compact[1]), Number(compact[2]), Number(compact[3]))
  }
  const match = DAY.exec(text) ?? (order === 'dmy' ? danishDay(text) : null)
  if (match === null) return order === 'ymd' ? undefined : readNamedDay(text)
  const [, first = '', , second = '', third = ''] = match
  if (order === 'ymd') {
    if (first.length !== 4 || third.length > 2) return undefined
    return instantOfDay(Number(first), Number(second), Number(third))
  }
  if (first.length > 2 || (third.length !== 2 && third.length !== 4)) return undefined
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  return instantOfDay(fullYear(third), Number(month), Number(day))
}

/** The parts of a Danish day, as those of {@link DAY}. */
function danishDay(text: string): readonly string[] | null {
  const [whole, day = '', month = '', year = ''] = DANISH_DAY.exec(text) ?? []
  return whole === undefined ? null : [whole, day, '/', month, year]
}

function readNamedDay(text: string): EpochMs | undefined {
  const [, day, name, year] = NAMED_DAY_FIRST.exec(text) ?? []
  const [, firstName, secondDay, lastYear] = NAMED_MONTH_FIRST.exec(text) ?? []
  const month = MONTHS.get((name ?? firstName ?? '').slice(0, 3).toLowerCase())
  if (month === undefined) return undefined
  return instantOfDay(fullYear(year ?? lastYear ?? ''), month, Number(day ?? secondDay))
}

function fullYear(written: string): number {
  return written.length === 2 ? 2000 + Number(written) : Number(written)
}

/**
 * The order of day, month and year that one written day proves. Points between the parts mean day
 * first, everywhere; slashes and dashes are decided only by a part above 12. A day with the name of
 * its month is read the same in either order, and counts as day first.
 * @returns the order; `ambiguous` for `01/02/2024`; undefined when the text is not a day
 */
export function dayOrderOf(text: string): DayOrder | 'ambiguous' | undefined {
  if (readDay(text, 'ymd') !== undefined) return 'ymd'
  const dmy = readDay(text, 'dmy') !== undefined
  const mdy = readDay(text, 'mdy') !== undefined
  const mark = DAY.exec(text)?.[2]
  if (dmy && (!mdy || mark === '.' || mark === undefined)) return 'dmy'
  if (!dmy && mdy) return 'mdy'
  return dmy && mdy ? 'ambiguous' : undefined
}
