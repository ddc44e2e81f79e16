import { ENCODING_NAMES } from '../statements/encoding-names.js'

/** Flags of `kontor import` that import.json has as members, with patterns of their values. */
const FLAG_VALUES = {
  account: String.raw`IBAN\b|[A-Z]{2}\d{2}[A-Z\d]{1,30}\b|\d{1,34}\b`,
  currency: String.raw`[A-Z]{3}\b`,
  columns: String.raw`'[^'\n]{1,20000}'|\w{1,40}=[^\s;]{1,20000}`,
  encoding: `(?:${ENCODING_NAMES.join('|')})\\b`,
  include: String.raw`notifications\b`,
  lenient: '(?!)',
} as const

const FLAGS = new RegExp(
  Object.entries(FLAG_VALUES)
    .map(([name, value]) => `--${name}\\b(?: (?:${value}))?`)
    .join('|'),
  'g',
)

/** Example that replaces the placeholder `IBAN` of a sentence. */
const IBAN_EXAMPLE = 'DE89370400440532013000'

/**
 * Rewrites a message of an import for senders, who use import.json in place of flags: a flag with a
 * value becomes the member to paste, as in `"currency": "EUR" in import.json`.
 */
export function reasonForFolder(reason: string): string {
  return reason
    .replace(FLAGS, memberText)
    .replace('specify it, for example --format', 'specify it, for example with --format')
    .replace('(--help lists', '(kontor import --help lists')
    .replaceAll(' --format ', ' kontor import --format ')
}

function memberText(flag: string): string {
  const end = flag.indexOf(' ')
  const name = flag.slice(2, end < 0 ? undefined : end)
  if (name === 'lenient') return '"lenient": true in import.json'
  if (end < 0) return `"${name}" in import.json`
  const written = flag.slice(end + 1).replace(/^'(.*)'$/, '$1')
  const value = written === 'IBAN' ? IBAN_EXAMPLE : written
  return `"${name}": ${JSON.stringify(value)} in import.json`
}
