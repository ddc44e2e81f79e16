import { createHash } from 'node:crypto'
import type { OperationResult } from './operation.js'

/** Characters of base64url that name an answer: 96 bits. */
const TAG_CHARS = 16

/**
 * The strong entity-tag of an answer by what it says, body and fields, instead of the state of the
 * workspace that it was made of: it stays while nothing of it changes, so it tells a credential
 * nothing of accounts that it may not see.
 * @param accessTag of the credential, as an access has it
 */
export function contentTag(
  accessTag: string,
  { bytes, page }: Pick<OperationResult, 'bytes' | 'page'>,
): string {
  const hash = createHash('sha256')
  // Where the page lies is in fields, of which the total alone does not come from the URL.
  hash.update(`${accessTag}\n${page?.total ?? ''}\n`)
  hash.update(bytes)
  return `"${hash.digest('base64url').slice(0, TAG_CHARS)}"`
}
