import { hash, randomBytes } from 'node:crypto'

/** A new credential: the prefix and 256 random bits in base64url (decisions, "Credentials"). */
export function createSecret(prefix: 'sk-'): string {
  return prefix + randomBytes(32).toString('base64url')
}

/**
 * SHA-256 of a credential in hex digits. In one call, a fifth of the time of a Hash object's
 * three.
 */
export function hexHashOfSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** SHA-256 of a credential, 32 bytes: the only form that is stored. */
export function hashOfSecret(secret: string): Buffer {
  return Buffer.from(hexHashOfSecret(secret), 'hex')
}
