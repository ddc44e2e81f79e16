import type { ApiKey } from '../admin/api-keys.js'
import { formatInstant } from '../instant.js'

/** The fields that API keys and MCP keys share. */
type KeyLife = Pick<
  ApiKey,
  'state' | 'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation' | 'ipAllow'
>

/** State, times and addresses of a key, as listed; absent ones are left out. */
export function keyLifeOf(key: KeyLife) {
  const { expiresAt, revokedAt, lastUsedAt, lastUsedOperation, ipAllow } = key
  return {
    state: key.state,
    createdAt: formatInstant(key.createdAt),
    ...(expiresAt === null ? {} : { expiresAt: formatInstant(expiresAt) }),
    ...(revokedAt === null ? {} : { revokedAt: formatInstant(revokedAt) }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: formatInstant(lastUsedAt), lastUsedOperation }),
    ...(ipAllow === null ? {} : { ipAllow }),
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
