import { strict as assert } from 'node:assert'
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** Least code points of an operator's password (NIST SP 800-63B, 3.1.1.2). */
export const PASSWORD_CODE_POINTS_MIN = 8

/** UTF-8 bytes of an operator's password: longer than any phrase, short enough to hash. */
export const PASSWORD_BYTES_MAX = 1_024

/**
 * scrypt's N, r and p: 32 MB and some 230 ms of CPU a guess (OWASP, "Password Storage":
 * 2^15, 8, 3).
 */
const SCRYPT_COST = { N: 32_768, r: 8, p: 3 } as const

/** Memory that one scrypt may take: a little more than the 128 N r bytes it needs. */
const SCRYPT_MEMORY_BYTES_MAX = 67_108_864

assert(128 * SCRYPT_COST.N * SCRYPT_COST.r < SCRYPT_MEMORY_BYTES_MAX)

const SALT_BYTES = 16
const HASH_BYTES = 32

/** The fault of a new password, as the end of a sentence; undefined when it is valid. */
export function passwordFault(password: string): string | undefined {
  if ([...password].length < PASSWORD_CODE_POINTS_MIN) {
    return `must have at least ${PASSWORD_CODE_POINTS_MIN} characters`
  }
  if (Buffer.byteLength(password) > PASSWORD_BYTES_MAX) {
    return `must have at most ${PASSWORD_BYTES_MAX} bytes`
  }
  return /\p{Cc}/u.test(password) ? 'must be one line without control characters' : undefined
}

/**
 * A password in its stored form: `$scrypt$ln=15,r=8,p=3$salt$hash` (the PHC string format).
 * Computed on another thread.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { N, r, p } = SCRYPT_COST
  const derived = await derive(password, salt, SCRYPT_COST)
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${base64(salt)}$${base64(derived)}`
}

/**
 * Whether this is the password that was stored. Without a stored one (the name is unknown) it takes
 * as long and is false.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const parts = STORED.exec(stored ?? '')
  const [, ln = '', r = '', p = '', salt = '', expected = ''] = parts ?? []
  // A longer one was never stored; hashing it would let callers cause needless work.
  const text = Buffer.byteLength(password) > PASSWORD_BYTES_MAX ? '' : password
  const cost = parts === null ? SCRYPT_COST : { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const bytes = parts === null ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64')
  const derived = await derive(text, bytes, cost)
  const known = parts === null ? Buffer.alloc(HASH_BYTES) : Buffer.from(expected, 'base64')
  return known.length === derived.length && timingSafeEqual(derived, known) && parts !== null
}

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

/** One character may be typed as one code point or as several: both are the same password. */
function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: SCRYPT_MEMORY_BYTES_MAX }
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    )
  })
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
