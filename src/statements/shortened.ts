/**
 * The text up to a length in UTF-16 units, of which the ellipsis at a cut is one; no code point is
 * cut in half. A cut text is a copy, so that the long one is not kept in memory.
 */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const head = text.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')
  return Buffer.from(`${head}…`, 'utf16le').toString('utf16le')
}
