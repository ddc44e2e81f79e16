import { crc32 } from 'node:zlib'
import type { OperationResult } from './operation.js'

/**
 * The strong entity-tag of an answer by what it says, body and fields, instead of the state of the
 * workspace that it was made of: it stays while nothing of it changes, so it tells a credential
 * nothing of accounts that it may not see. A tag is only ever compared with tags of its own URL and
 * credential, so a checksum does: 12 µs for a page of 60 KB, where SHA-256 takes 33.
 * @param accessTag of the credential, as an access has it
 */
export function contentTag(
  accessTag: string,
  { bytes, page }: Pick<OperationResult, 'bytes' | 'page'>,
): string {
  const half = bytes.length >>> 1
  // Where the page lies is in fields, of which the total alone does not come from the URL.
  const begin = crc32(`${accessTag}\n${page?.total ?? ''}\n${bytes.length}`)
  const sums = [crc32(bytes.subarray(0, half), begin), crc32(bytes.subarray(half), begin)]
  return `"${sums.map((sum) => sum.toString(36)).join('-')}"`
}
