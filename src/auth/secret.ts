import { hash, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto'

/**
 * The prefixes of credentials (docs/contract/credentials.md, "Authorization field"): REST key, MCP
 * key, access token, refresh token, authorization code, client secret.
 */
export type SecretPrefix = 'sk-' | 'mcp-' | 'at-' | 'rt-' | 'ac-' | 'cs-'

const RANDOM_BYTES = 32
const RANDOM_CHARS = Math.ceil((RANDOM_BYTES * 4) / 3)

/**
 * A new credential: the prefix and 256 random bits in base64url (docs/contract/credentials.md,
 * "Authorization field").
 */
export function createSecret(prefix: SecretPrefix): string {
  return prefix + createRandomText()
}

/** 256 random bits in base64url, 43 characters: a session token, for one. */
export function createRandomText(): string {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  const bytes = pool.subarray(taken, taken + RANDOM_BYTES)
  taken += RANDOM_BYTES
  const text = bytes.toString('base64url')
  bytes.fill(0)
  return text
}

// Most of the cost of a few random bytes is the call: many are drawn in one, as randomUUID does.
const pool = Buffer.alloc(RANDOM_BYTES * 128)
let taken = pool.length

/**
 * A new id of an integration or a client: 80 random bits in hex digits, which no shell and no flag
 * parser misreads.
 */
export function createPublicId(): string {
  return randomBytes(10).toString('hex')
}

/** Whether the text has the prefix of that kind of credential: other texts need no look-up. */
export function hasPrefix(secret: string, prefix: SecretPrefix): boolean {
  return secret.length === prefix.length + RANDOM_CHARS && secret.startsWith(prefix)
}

/**
 * SHA-256 of a credential in hex digits. In one call, a fifth of the time of a Hash object's
 * three.
 */
export function hexHashOfSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** The credential as a text of its own: one cut from a field would keep the whole field alive. */
export function detached(secret: string): string {
  return Buffer.from(secret, 'latin1').toString('latin1')
}

/** SHA-256 of a credential, 32 bytes: the only form that is stored. */
export function hashOfSecret(secret: string): Buffer {
  return Buffer.from(hexHashOfSecret(secret), 'hex')
}

/** Whether a credential is the one of the hash. In constant time. */
export function isSecretOf(secret: string, secretHash: Buffer): boolean {
  return timingSafeEqual(hashOfSecret(secret), secretHash)
}

/** The text with everything that looks like a credential removed, except its prefix. */
export function withoutSecrets(text: string): string {
  return text.replace(/\b(sk|mcp|at|rt|ac|cs)-[-\w]{43,}/g, '$1-…')
}
