import { createHash, randomBytes } from 'node:crypto'

/** A new credential: the prefix and 256 random bits in base64url (decisions, "Credentials"). */
export function createSecret(prefix: 'sk-'): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** SHA-256 of a credential, the only form that is stored. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
