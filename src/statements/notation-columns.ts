const VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ['dateFormat', ['dmy', 'mdy', 'ymd']],
  ['decimalMark', ['comma', 'point']],
])

/**
 * Reads a text of `--columns` that names no column, but only the notation of days and amounts:
 * `dateFormat=mdy`, `dateFormat=dmy,decimalMark=comma`, for formats without columns such as QIF.
 * @returns undefined when the text has anything else
 */
export function parseNotation(text: string): ReadonlyMap<string, string> | undefined {
  const settings = new Map<string, string>()
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim())
    if (VALUES.get(name)?.includes(value) !== true || settings.has(name)) return undefined
    settings.set(name, value)
  }
  return settings
}

/** Whether the columns are those of {@link parseNotation}. */
export function isNotationOnly(columns: ReadonlyMap<string, string>): boolean {
  return [...columns.keys()].every((name) => VALUES.has(name))
}
