import { hash } from 'node:crypto'

/** Bytes of a digest: no two texts of any workspace share one (2^64 texts until two likely do). */
const DIGEST_BYTES = 16

/**
 * The first half of a text's SHA-256, one character a byte: as a Map key much smaller than the text
 * and than hexadecimal digits.
 */
export function digestOf(text: string): string {
  return hash('sha256', text, 'buffer').toString('latin1', 0, DIGEST_BYTES)
}
