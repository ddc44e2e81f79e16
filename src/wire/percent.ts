/**
 * Decodes percent-encoded UTF-8, strictly: a `%` without two hexadecimal digits, a byte sequence
 * that is not UTF-8 (overlong forms and surrogates included) and a character that a URI must
 * encode (controls, space, everything beyond ASCII) are refused.
 * @returns the text, or undefined when it is malformed
 */
export function decodePercent(text: string): string | undefined {
  if (OUTSIDE_URI.test(text)) return undefined
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** As {@link decodePercent}, and `+` is a space, as HTML forms and most clients write it. */
export function decodeFormText(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', '%20'))
}

const OUTSIDE_URI = /[^!-~]/

/**
 * Text for the inside of a URI reference: allowed characters stay, `%` included, and every other
 * character (controls, space, `"#<>[\]^{|}` and backtick, everything beyond ASCII) is
 * percent-encoded. The result holds no character that ends a Link target or a field line.
 */
export function safeUriText(text: string): string {
  if (!UNSAFE_IN_URI.test(text)) return text
  // A lone surrogate has no UTF-8 form and is converted to U+FFFD.
  return Buffer.from(text).toString().replace(UNSAFE_IN_URI_ALL, encodeURIComponent)
}

const UNSAFE_IN_URI = /[^!$-;=?-Z_a-z~]/
const UNSAFE_IN_URI_ALL = new RegExp(UNSAFE_IN_URI.source, 'gu')
