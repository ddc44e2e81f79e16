import type { EpochMs } from '../instant.js'

/** Whether a key works; a key both revoked and expired is `revoked`. */
export type KeyState = 'active' | 'expired' | 'revoked'

/** The state of a key of either kind. */
export function keyStateOf(
  key: { readonly expiresAt: EpochMs | null; readonly revokedAt: EpochMs | null },
  nowMs: EpochMs,
): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= nowMs ? 'expired' : 'active'
}
