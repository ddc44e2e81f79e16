/** Code points of a name that a person reads: of a key, an integration, a client, an operator. */
export const NAME_CODE_POINTS_MAX = 200

/**
 * Control characters, lone surrogates, line breaks, and invisible characters: they reverse text, or
 * make two names look alike. Joiners and variation selectors may stay.
 */
const REFUSED = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029\u2800]/u

/** At least one visible character. */
const VISIBLE = /(?!\p{DI})[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * The fault of a name that people will read (of a key, an integration, a client, an operator), as
 * the end of a sentence; undefined when it is valid.
 */
export function nameFault(name: string): string | undefined {
  const length = [...name].length
  if (length > NAME_CODE_POINTS_MAX) return `must have at most ${NAME_CODE_POINTS_MAX} characters`
  if (!VISIBLE.test(name) && !REFUSED.test(name)) return 'must have at least one visible character'
  if (REFUSED.test(name)) return 'must not contain control characters or invisible characters'
  return undefined
}
