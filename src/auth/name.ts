import { NAME_CODE_POINTS_MAX } from '../credential-limits.js'

/** Control characters, halves of characters, and what makes a line break or turns text around. */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/**
 * What is wrong with a name that people will read (of a key, an integration, a client, an
 * operator), as the end of a sentence; or undefined.
 */
export function nameFault(name: string): string | undefined {
  const length = [...name].length
  if (length > NAME_CODE_POINTS_MAX) return `must have at most ${NAME_CODE_POINTS_MAX} characters`
  if (name.trim() === '') return 'must have at least one visible character'
  if (REFUSED.test(name)) return 'must not have control characters in it'
  return undefined
}
