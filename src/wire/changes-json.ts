import type { SentChange } from '../query/changed-rows.js'
import type { StaleSegments } from '../snapshot/snapshot.js'
import { rowJson } from '../snapshot/stale-fragments.js'
import type { BodyBuffer } from './body-buffer.js'
import { copyShared } from './page-json.js'

const UPSERT = Buffer.from('{"kind":"upsert","transaction":')
const OPEN = Buffer.from('{"changes":[')
const COMMA = Buffer.from(',')
const END = Buffer.from('}')

/** The end of a page of changes. */
interface ChangesEnd {
  readonly cursor: string
  readonly hasMore: boolean
}

/** A page of changes as JSON. Valid until the buffer's next body. */
export function changesJson(
  buffer: BodyBuffer,
  sent: readonly SentChange[],
  staleFragments: StaleSegments,
  { cursor, hasMore }: ChangesEnd,
): Uint8Array {
  const parts: Uint8Array[] = [OPEN]
  sent.forEach((change, i) => {
    if (i > 0) parts.push(COMMA)
    if ('deletedId' in change) {
      parts.push(Buffer.from(`{"kind":"delete","id":${change.deletedId}}`))
    } else {
      const { segment, ordinal } = change
      parts.push(UPSERT, rowJson(segment, ordinal, staleFragments.get(segment)), END)
    }
  })
  parts.push(Buffer.from(`],"cursor":"${cursor}","hasMore":${hasMore}}`))
  const body = buffer.begin(parts.reduce((sum, part) => sum + part.length, 0))
  let end = 0
  for (const part of parts) end = copyShared(part, 0, part.length, body, end)
  return body.subarray(0, end)
}
