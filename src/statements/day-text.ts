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
const DAY_COMPACT = /^(\d{4})(\d{2})(\d{2})$/u

/**
 * Midnight UTC of the written day. Years of two digits are 2000 to 2099: no bank offered such files
 * before.
 * @returns undefined when the text has another shape or no calendar has that day
 */
export function readDay(text: string, order: DayOrder): EpochMs | undefined {
  const compact = order === 'ymd' ? DAY_COMPACT.exec(text) : null
  if (compact !== null) {
    return instantOfDay(Number(compact[1]), Number(compact[2]), Number(compact[3]))
  }
  const match = DAY.exec(text)
  const [first, second, third] = [match?.[1] ?? '', match?.[3] ?? '', match?.[4] ?? '']
  if (order === 'ymd') {
    if (first.length !== 4 || third.length > 2) return undefined
    return instantOfDay(Number(first), Number(second), Number(third))
  }
  if (first.length > 2 || (third.length !== 2 && third.length !== 4)) return undefined
  const year = third.length === 2 ? 2000 + Number(third) : Number(third)
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  return instantOfDay(year, Number(month), Number(day))
}

/**
 * The order of the parts that one written day proves. Points between the parts mean day first,
 * everywhere; slashes and dashes are decided only by a part above 12.
 * @returns the order; `ambiguous` for `01/02/2024`; undefined when the text is no day
 */
export function dayOrderOf(text: string): DayOrder | 'ambiguous' | undefined {
  if (readDay(text, 'ymd') !== undefined) return 'ymd'
  const dmy = readDay(text, 'dmy') !== undefined
  const mdy = readDay(text, 'mdy') !== undefined
  if (dmy && (!mdy || DAY.exec(text)?.[2] === '.')) return 'dmy'
  if (!dmy && mdy) return 'mdy'
  return dmy && mdy ? 'ambiguous' : undefined
}
