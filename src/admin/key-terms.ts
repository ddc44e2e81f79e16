import { scopesOf } from '../auth/selection.js'
import type { Scope } from '../domain/key-scope.js'
import { type EpochMs, formatInstant } from '../instant.js'

/** Whether a key or a grant works; one both revoked and expired is `revoked`. */
export type KeyState = 'active' | 'expired' | 'revoked'

/** The end of a key or a grant; null = none. */
interface KeyEnds {
  readonly expiresAt: EpochMs | null
  readonly revokedAt: EpochMs | null
}

/** The state of a key or a grant. */
export function keyStateOf({ expiresAt, revokedAt }: KeyEnds, nowMs: EpochMs): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= nowMs ? 'expired' : 'active'
}

/** Whether a key or a grant is revoked. Revoking it twice keeps the first time. */
export function isRevoked({ revokedAt }: Pick<KeyEnds, 'revokedAt'>): boolean {
  return revokedAt !== null
}

/** The terms of a key of either kind. */
export interface KeyTerms {
  readonly state: KeyState
  readonly scopes: readonly Scope[]
  /** Addresses and networks that may use it; null = all. */
  readonly ipAllow: readonly string[] | null
}

interface StoredTerms extends KeyEnds {
  readonly scopes: string
  readonly ipAllow: string | null
}

/** The terms of a stored key. */
export function keyTermsOf(row: StoredTerms, nowMs: EpochMs): KeyTerms {
  const ipAllow = row.ipAllow?.split(' ') ?? null
  return { state: keyStateOf(row, nowMs), scopes: scopesOf(row.scopes), ipAllow }
}

/** The expiry and the addresses of a new key, for the audit log; unrestricted ones are left out. */
export function boundsOf(ipAllow: readonly string[] | undefined, expiresAtMs: EpochMs | null) {
  return {
    ...(expiresAtMs === null ? {} : { expiresAt: formatInstant(expiresAtMs) }),
    ...(ipAllow === undefined ? {} : { ipAllow }),
  }
}
