import { hash, timingSafeEqual } from 'node:crypto'

/** SHA-256 in base64url: 32 bytes are 43 characters, the last of which has two bits to spare. */
const CHALLENGE = /^[-\w]{42}[AEIMQUYcgkosw048]$/

const VERIFIER = /^[-\w.~]{43,128}$/

/** Whether a text can be an S256 challenge (RFC 7636, 4.2). */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text)
}

/** Whether the verifier has its shape (RFC 7636, 4.1) and the challenge is its S256. */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  const made = Buffer.from(hash('sha256', verifier, 'base64url'))
  const wanted = Buffer.from(challenge)
  return made.length === wanted.length && timingSafeEqual(made, wanted)
}
