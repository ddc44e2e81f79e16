import { keyStateOf } from '../auth/key-state.js'
import { type EpochMs, formatInstant } from '../instant.js'
import type { ApiKeyRow } from '../store/api-key-rows.js'

/** What an API key and an MCP key have in common. */
type KeyLife = Pick<
  ApiKeyRow,
  'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation' | 'ipAllow'
>

/** State, times and addresses of a key, as they are listed; what it has not is left out. */
export function keyLifeOf(row: KeyLife, now: EpochMs) {
  const { expiresAt, revokedAt, lastUsedAt, lastUsedOperation, ipAllow } = row
  return {
    state: keyStateOf(row, now),
    createdAt: formatInstant(row.createdAt),
    ...(expiresAt === null ? {} : { expiresAt: formatInstant(expiresAt) }),
    ...(revokedAt === null ? {} : { revokedAt: formatInstant(revokedAt) }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: formatInstant(lastUsedAt), lastUsedOperation }),
    ...(ipAllow === null ? {} : { ipAllow: ipAllow.split(' ') }),
  }
}

/** When a key was last used and for what, in a few words. */
export function lastUseText({ lastUsedAt, lastUsedOperation }: KeyLife): string {
  if (lastUsedAt === null) return 'never used'
  return `${formatInstant(lastUsedAt)} ${lastUsedOperation}`
}
