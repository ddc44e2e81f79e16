import { hash } from 'node:crypto'

/** Bytes of a digest: two texts of a workspace never share one (likely only from 2^64 texts on). */
const DIGEST_BYTES = 16

/**
 * The first half of a text's SHA-256, one character a byte: takes a third of the time of a Buffer.
 */
export function digestOf(text: string): string {
  return hash('sha256', text, 'binary').slice(0, DIGEST_BYTES)
}
