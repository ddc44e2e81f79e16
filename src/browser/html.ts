/**
 * A piece of HTML that may stand in a page as it is. Made by {@link html}; by hand only of what is
 * constant.
 */
export class Html {
  /** @param text well-formed HTML in which everything that others supplied is escaped */
  constructor(readonly text: string) {}
}

/** What {@link html} takes: a text is escaped, a piece of HTML is not, undefined is nothing. */
export type HtmlValue = string | number | Html | readonly Html[] | undefined

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // The parser takes NUL for U+FFFD in some places and drops it in others.
  '\0': '\ufffd',
}

function escaped(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => ESCAPES[character] ?? '')
}

function rendered(value: HtmlValue): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return escaped(String(value))
}

/**
 * Tag of a template: HTML whose values are escaped, for text and for values in double quotes.
 * Never put a value into a script, a style, an unquoted attribute, or an attribute that is a URL
 * and was not made here.
 */
export function html(template: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = template[0] ?? ''
  values.forEach((value, i) => {
    text += rendered(value) + (template[i + 1] ?? '')
  })
  return new Html(text)
}
