/** Bytes of a size as people write it, `512MB` or `4GB` (decimal units), or undefined. */
export function parseByteSize(text: string): number | undefined {
  const match = /^(\d{1,9})(MB|GB)$/i.exec(text)
  if (match === null) return undefined
  const unit = match[2]?.toUpperCase() === 'GB' ? 1_000_000_000 : 1_000_000
  const bytes = Number(match[1]) * unit
  return bytes > 0 ? bytes : undefined
}
