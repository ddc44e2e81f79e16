/** Control characters, line ends of Unicode and direction marks as JSON escapes them. */
export function escaped(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A text of several lines, each {@link escaped}, for a terminal or a file of text. */
export function escapedLines(text: string): string {
  return text.split('\n').map(escaped).join('\n')
}
