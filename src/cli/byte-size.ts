import { CommandError } from '../errors.js'

/** Parses a size in bytes, `512MB` or `4GB` (decimal units); undefined when it is none. */
export function parseByteSize(text: string): number | undefined {
  const match = /^(\d{1,9})(MB|GB)$/i.exec(text)
  if (match === null) return undefined
  const unit = match[2]?.toUpperCase() === 'GB' ? 1_000_000_000 : 1_000_000
  const bytes = Number(match[1]) * unit
  return bytes > 0 ? bytes : undefined
}

/** Reads a size that a flag names. @throws CommandError usage */
export function readByteSize(flag: string, text: string): number {
  const bytes = parseByteSize(text)
  if (bytes !== undefined) return bytes
  const wanted = 'a whole number of MB or GB is expected, such as 512MB or 4GB'
  throw new CommandError('usage', `${flag} ${JSON.stringify(text)}: ${wanted}`)
}
