import type { EpochMs } from '../instant.js'

/** Whether a key works; what is revoked and has expired is `revoked`. */
export type KeyState = 'active' | 'expired' | 'revoked'

/** How a key of either kind is. */
export function keyStateOf(
  key: { readonly expiresAt: EpochMs | null; readonly revokedAt: EpochMs | null },
  nowMs: EpochMs,
): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= nowMs ? 'expired' : 'active'
}
