/**
 * Places where a spreadsheet may begin a formula, = + - @ (wide ones too), a tab or a line break:
 * at the beginning of a text, and after a semicolon, a tab or a line break. A spreadsheet whose
 * list separator is the semicolon, as everywhere in Germany, splits the lines of a file with commas
 * there, quoted or not.
 */
const BEGINS = /^["' ]*[=+\-@＝＋－＠]|^[\t\r\n]/
const BEHIND_SEPARATOR = /[;\t\r\n]["' ]*(?=[=+\-@＝＋－＠])/g

/**
 * The text with an apostrophe wherever a spreadsheet might parse a formula. Texts of transactions
 * are written by strangers: a purpose may be `=HYPERLINK(…)`, or have one after a semicolon.
 */
export function withoutFormulas(text: string): string {
  const guarded = text.replace(BEHIND_SEPARATOR, "$&'")
  return BEGINS.test(text) ? `'${guarded}` : guarded
}
