import { formatInstant } from '../instant.js'
import { formatSum } from '../money.js'
import type { Group, GroupField } from '../query/summary.js'

/** Groups of transactions as a JSON array (docs/extensions/sums.md, "Groups"). */
export function groupsJson(groups: readonly Group[], groupBy: readonly GroupField[]): Uint8Array {
  return Buffer.from(`[${groups.map((group) => groupJson(group, groupBy)).join(',')}]`)
}

/** Members without a value are left out. */
function groupJson(group: Group, groupBy: readonly GroupField[]): string {
  const { values, currency, count, incoming, outgoing, firstBookedMs, lastBookedMs } = group
  const members = groupBy.flatMap((field, place) =>
    values[place] === undefined ? [] : [`"${field}":${JSON.stringify(values[place])}`],
  )
  members.push(
    `"currency":${JSON.stringify(currency)},"count":${count}`,
    `"in":${formatSum(incoming)},"out":${formatSum(outgoing)}`,
    `"net":${formatSum(incoming + outgoing)}`,
  )
  if (firstBookedMs !== undefined && lastBookedMs !== undefined) {
    members.push(
      `"firstBookingDate":"${formatInstant(firstBookedMs)}"`,
      `"lastBookingDate":"${formatInstant(lastBookedMs)}"`,
    )
  }
  return `{${members.join(',')}}`
}
