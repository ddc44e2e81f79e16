/** A statement as PostgreSQL expects it. */
export interface NumberedText {
  /** With the parameters `$1`, `$2`, …. */
  readonly text: string
  /** Their names, in the order of their numbers. */
  readonly names: readonly string[]
}

/**
 * Strings and quoted names, which are copied; a parameter; `rowid`; and refused tokens, which begin
 * a comment, a string with escapes or another statement, or are another kind of parameter.
 */
const TOKEN = /(?<![\w&])'(?:[^'\\]|'')*'|(?<!&)"[^"]*"|@(\w+)|\browid\b|--|\/\*|[$?;:\\@'"]/g

/**
 * Replaces each `@name` by a number, the same for each use of the name, and `rowid` by the column
 * `number`, which has SQLite's order of insertion.
 * @throws Error when the statement has a comment, an escaped string or several statements
 */
export function numberParameters(sql: string): NumberedText {
  const names: string[] = []
  const text = sql.replace(TOKEN, (token: string, name: string | undefined, at: number) => {
    if (name !== undefined) {
      if (!names.includes(name)) names.push(name)
      return `$${names.indexOf(name) + 1}`
    }
    if (token === 'rowid') return 'number'
    if (token.length > 1 && /^['"]/.test(token)) return token
    throw new Error(`a statement has no ${token}, as at ${at} of ${sql}`)
  })
  return { text, names }
}
