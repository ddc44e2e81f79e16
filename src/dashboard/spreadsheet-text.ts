/**
 * Where a spreadsheet may begin a formula, = + - @ (wide ones too), a tab or a line break: at the
 * beginning of a text, and behind a semicolon, a tab or a line break. A spreadsheet whose list
 * separator is the semicolon, as everywhere in Germany, cuts the lines of a file with commas there,
 * whatever is quoted.
 */
const BEGINS = /^["' ]*[=+\-@＝＋－＠]|^[\t\r\n]/
const BEHIND_SEPARATOR = /[;\t\r\n]["' ]*(?=[=+\-@＝＋－＠])/g

/**
 * The text with an apostrophe wherever a spreadsheet might take what follows for a formula.
 * Strangers write the texts of transactions: a purpose may be `=HYPERLINK(…)`, or have one behind a
 * semicolon.
 */
export function withoutFormulas(text: string): string {
  const guarded = text.replace(BEHIND_SEPARATOR, "$&'")
  return BEGINS.test(text) ? `'${guarded}` : guarded
}
