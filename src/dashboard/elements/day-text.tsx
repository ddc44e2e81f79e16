import type { VNode } from '../../browser/jsx.js'
import { type EpochMs, formatInstant } from '../../instant.js'

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A calendar day for display: `7 Jul 2026`. UTC. */
function dayText(ms: EpochMs): string {
  const [year, month, day] = formatInstant(ms).slice(0, 10).split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
}

/** A bank's calendar day. @param ms its midnight UTC */
export function DayText({ ms }: { readonly ms: EpochMs }): VNode {
  return (
    <time class="day" dateTime={formatInstant(ms).slice(0, 10)}>
      {dayText(ms)}
    </time>
  )
}

/** A moment, to the minute, UTC. */
export function InstantText({ ms }: { readonly ms: EpochMs }): VNode {
  const iso = formatInstant(ms)
  return (
    <time class="day" dateTime={iso} title={iso}>
      {dayText(ms)}, {iso.slice(11, 16)} UTC
    </time>
  )
}
