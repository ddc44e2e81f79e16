import { escaped } from '../text/escaped.js'

/**
 * Fields of an event besides its message; undefined values are left out. `err` is any thrown value,
 * and is written by `loggedError`. Never a credential, a query or a row's text.
 */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * A line of JSON as text: instant, level unless it is `info`, message, and the fields as
 * `key=value`, nested ones as `err.message=…`. No value contains a line break.
 * @param json as pino writes it @returns ends with a line feed
 */
export function textLine(json: string): string {
  const { level, time, component: _, msg, ...fields } = JSON.parse(json) as LogFields
  const shownLevel = level === 'info' ? '' : `${String(level).toUpperCase()} `
  return `${String(time)} ${shownLevel}${escaped(String(msg))}${fieldsText(fields)}\n`
}

/** The fields as ` key=value key=value`, without undefined ones. */
export function fieldsText(fields: LogFields = {}, prefix = ''): string {
  let text = ''
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value)
    text += isNested
      ? fieldsText(value as LogFields, `${prefix}${name}.`)
      : ` ${prefix}${name}=${valueText(value)}`
  }
  return text
}

function valueText(value: unknown): string {
  if (typeof value === 'string' && /^[-\w.:/@+]+$/.test(value)) return value
  return escaped(JSON.stringify(value))
}
