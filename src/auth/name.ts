import { NAME_CODE_POINTS_MAX } from '../credential-limits.js'

/**
 * Control characters, halves of characters, line breaks, and what is not seen: it turns text
 * around, or makes two names look alike. What joins letters or chooses how one is drawn may stay.
 */
const REFUSED = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029\u2800]/u

/** At least one character that leaves something to see. */
const VISIBLE = /(?!\p{DI})[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * What is wrong with a name that people will read (of a key, an integration, a client, an
 * operator), as the end of a sentence; or undefined.
 */
export function nameFault(name: string): string | undefined {
  const length = [...name].length
  if (length > NAME_CODE_POINTS_MAX) return `must have at most ${NAME_CODE_POINTS_MAX} characters`
  if (!VISIBLE.test(name) && !REFUSED.test(name)) return 'must have at least one visible character'
  if (REFUSED.test(name)) return 'must not have control characters or invisible ones in it'
  return undefined
}
