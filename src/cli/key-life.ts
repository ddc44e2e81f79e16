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

type DescribedLife = Omit<ReturnType<typeof keyLifeOf>, 'state' | 'createdAt'>

/** When a key was last used and for what, in a few words. */
export function lastUseText({ lastUsedAt, lastUsedOperation }: DescribedLife): string {
  return lastUsedAt === undefined ? 'never' : `${lastUsedAt} ${lastUsedOperation}`
}

/** The networks a key may be used from, separated by commas; `any` when none is set. */
export function networksText({ ipAllow }: DescribedLife): string {
  return ipAllow?.join(',') ?? 'any'
}
