import { keyStateOf } from '../auth/key-state.js'
import { type EpochMs, formatInstant } from '../instant.js'
import type { ApiKeyRow } from '../store/api-key-rows.js'

/** The fields that API keys and MCP keys share. */
type KeyLife = Pick<
  ApiKeyRow,
  'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation' | 'ipAllow'
>

/** State, times and addresses of a key, as listed; absent ones are left out. */
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

/** The time and operation of a key's last use, in a few words. */
export function lastUseText({ lastUsedAt, lastUsedOperation }: DescribedLife): string {
  return lastUsedAt === undefined ? 'never' : `${lastUsedAt} ${lastUsedOperation}`
}

/** The networks a key may be used from, separated by commas; `any` when none is set. */
export function networksText({ ipAllow }: DescribedLife): string {
  return ipAllow?.join(',') ?? 'any'
}
