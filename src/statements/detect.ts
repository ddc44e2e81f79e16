import { isBai2 } from './bai2/bai2.js'
import { type CamtMessage, camtFormatOf } from './camt/camt-message.js'
import { isCfonb120, isCfonb240 } from './cfonb120/cfonb120-records.js'
import { isCoda } from './coda/coda-records.js'
import { profileOfHeader } from './csv/csv-profiles.js'
import { bareLayoutOf } from './csv/csv-profiles-bare.js'
import { CSV_DELIMITERS, headRecords } from './csv/csv-records.js'
import { isNorma43 } from './norma43/norma43-records.js'
import { isQif } from './qif/qif.js'

/** The formats that can be imported. */
export type StatementFormat =
  | CamtMessage['format']
  | 'mt940'
  | 'mt942'
  | 'csv'
  | 'ofx'
  | 'qif'
  | 'coda'
  | 'cfonb120'
  | 'norma43'
  | 'bai2'
  | 'ndjson'

/**
 * The type of a file: a format; a known type that cannot be imported, with its name and the remedy;
 * or unknown, with a message.
 */
export type DetectedFormat =
  | { readonly kind: 'format'; readonly format: StatementFormat }
  | { readonly kind: 'unsupported'; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string }

/**
 * Beginnings of files that are not statements, in lower case, read as windows-1252 or, where that
 * differs, as damaged UTF-8.
 */
const SIGNATURES: readonly { readonly begins: readonly string[]; readonly message: string }[] = [
  {
    begins: ['%pdf-'],
    message: 'a PDF document; export the statement as CAMT, MT940, OFX or CSV instead',
  },
  {
    begins: ['pk\u0003\u0004'],
    message: 'a ZIP archive; unpack it and import the files in it',
  },
  {
    begins: ['ðï\u0011à', '\ufffd\ufffd\u0011\ufffd'],
    message: 'an old Office document (XLS); save the sheet as CSV first',
  },
  {
    begins: ['\u001f‹', '\u001f\u008b', '\u001f\ufffd'],
    message: 'a gzip archive; unpack it and import the file in it',
  },
  {
    begins: ['{\\rtf'],
    message: 'an RTF document; export the statement as CSV instead',
  },
  {
    begins: ['<!doctype html', '<html'],
    message: 'a web page; the bank may have answered with its sign-in page; download it again',
  },
  {
    begins: ['una:+', 'unb+'],
    message: 'an EDIFACT message; export the statement as CAMT or MT940 instead',
  },
]

const NDJSON_EXTENSIONS: readonly string[] = ['ndjson', 'jsonl', 'json']

const UNNAMED_NDJSON =
  'JSON lines (NDJSON), which must be named explicitly because they can change existing ' +
  'data; rename the file to end in .ndjson, or use --format ndjson'

const CFONB240 =
  'CFONB240, details of transfers and direct debits without balances; import the account ' +
  'statement of the same days, as CFONB120 or CAMT'

/** Other XML documents of ISO 20022, by the element of the message. */
const MESSAGES: readonly { readonly element: RegExp; readonly message: string }[] = [
  {
    element: /<(?:[\w.-]+:)?Cstmr(?:CdtTrf|DrctDbt)Initn[\s/>]|:pain\.\d{3}\./u,
    message: 'a pain message, which is a payment order; import the CAMT.053 or MT940 statement',
  },
]

/**
 * Detects the format from the first few KB of decoded text. The content decides. The name is used
 * for CSV without a known header, and for NDJSON: as it can change existing rows, it is never
 * detected by mistake.
 * @param head the beginning of the file, 4 KB or more, or all of it
 * @param fileName name or path, may be empty; undefined = a pipe, which may be NDJSON
 */
export function detectFormat(head: string, fileName: string | undefined): DetectedFormat {
  const text = withoutPadding(head)
  const extension = /\.([a-z0-9]+)$/iu.exec(fileName ?? '')?.[1]?.toLowerCase() ?? ''
  if (text === '') return { kind: 'unknown', message: 'the file is empty' }
  const foreign = foreignMessage(text, extension)
  if (foreign !== undefined) return unsupported(foreign)
  if (isOfx(text)) return detected('ofx')
  if (text.startsWith('<')) return detectXml(text)
  if (isQif(text)) return detected('qif')
  if (isBai2(text)) return detected('bai2')
  if (isSwift(text)) return detectSwift(text)
  if (text.startsWith('{') || text.startsWith('[')) {
    const detected = detectJson(text)
    const isNdjson = detected.kind === 'format'
    const isNamedSo = fileName === undefined || NDJSON_EXTENSIONS.includes(extension)
    return isNdjson && !isNamedSo ? unsupported(UNNAMED_NDJSON) : detected
  }
  if (isCoda(text)) return detected('coda')
  if (isCfonb120(text)) return detected('cfonb120')
  if (isCfonb240(text)) return unsupported(CFONB240)
  if (isNorma43(text)) return detected('norma43')
  return detectTable(text, extension)
}

/**
 * The type of a file whose first bytes are not those of a statement, with the remedy, or undefined.
 * @param text the beginning of the file, also of one that is not text, read as windows-1252
 * @param extension of the file's name, lower case; may be empty
 */
export function foreignMessage(text: string, extension: string): string | undefined {
  const start = text.slice(0, 32).toLowerCase()
  for (const { begins, message } of SIGNATURES) {
    if (!begins.some((signature) => start.startsWith(signature))) continue
    const isSheet = text.startsWith('PK') && (extension === 'xlsx' || text.includes('xl/'))
    return isSheet ? 'an Excel workbook (XLSX); save the sheet as CSV first' : message
  }
  return undefined
}

/** Removes the byte order mark, white space, and the SOH that some banks write before MT940. */
function withoutPadding(head: string): string {
  let begin = 0
  while (begin < head.length && /\s/u.test(head.charAt(begin).replace('\u0001', ' '))) begin += 1
  return head.slice(begin)
}

function detected(format: StatementFormat): DetectedFormat {
  return { kind: 'format', format }
}

function unsupported(message: string): DetectedFormat {
  return { kind: 'unsupported', message }
}

/** Whether a text has the header of OFX 1, also in a comment, or the element OFX. */
function isOfx(text: string): boolean {
  let at = 0
  while (text.startsWith('<', at)) {
    if (/^<(?:\?OFX\s|OFX>|!--\s*OFXHEADER\s*:)/iu.test(text.slice(at, at + 80))) return true
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : undefined
    const found = end === undefined ? -1 : text.indexOf(end, at)
    if (end === undefined || found === -1) return false
    at = found + end.length
    while (/\s/u.test(text.charAt(at))) at += 1
  }
  return /^OFXHEADER\s*:/iu.test(text.slice(at, at + 80))
}

function detectXml(text: string): DetectedFormat {
  const markup = text.replace(/<!--[\s\S]*?(?:-->|$)/gu, '')
  const camt = camtFormatOf(markup)
  if (camt !== undefined) return detected(camt)
  for (const { element, message } of MESSAGES) {
    if (element.test(markup)) return unsupported(message)
  }
  const root = /<([A-Za-z][\w.:-]*)/u.exec(markup)?.[1]
  const what = root === undefined ? 'an XML document' : `an XML document of <${root}>`
  return unsupported(`${what}, which is not a CAMT message`)
}

/** Characters before a statement of SWIFT: envelopes, or a bank's remarks on its example. */
const SWIFT_PREAMBLE_CHARS_MAX = 2_000

/** Whether a line starts with field 20, and another SWIFT field or nothing follows. */
function isSwift(text: string): boolean {
  const reference = /^:20:[^\r\n]*/mu.exec(text)
  if (reference === null || reference.index > SWIFT_PREAMBLE_CHARS_MAX) {
    return /^\{1:[A-Z]\d\d/u.test(text)
  }
  const rest = text.slice(reference.index + reference[0].length).trimStart()
  return rest === '' || /^:\d\d[A-Z]?:|^[^:\n]{0,80}\r?\n:\d\d[A-Z]?:/u.test(rest)
}

function detectSwift(text: string): DetectedFormat {
  const isReport = /^:34F:/mu.test(text) && !/^:60[FM]:/mu.test(text)
  return detected(isReport ? 'mt942' : 'mt940')
}

function detectJson(text: string): DetectedFormat {
  const end = text.search(/\r?\n/u)
  const line = end < 0 ? text : text.slice(0, end)
  // The head may end within a long first line, of which only the beginning is then judged.
  if (/^\{\s*"/u.test(line) && (end < 0 || isJsonObject(line))) return detected('ndjson')
  if (/^[[{]\s*(?:["[\]{}]|$)/u.test(line)) {
    return unsupported('JSON, but not one object on each line (NDJSON)')
  }
  return unknown()
}

function isJsonObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/**
 * Detects a known header or shape; else a table in a file named `.csv` or `.tsv`, or one whose last
 * two records have the same number of cells, at least three.
 */
function detectTable(text: string, extension: string): DetectedFormat {
  const whole = text.replace(/\r\n?/gu, '\n')
  const lines = whole.slice(0, whole.lastIndexOf('\n') + 1) || whole
  for (const delimiter of CSV_DELIMITERS) {
    const records = headRecords(lines, delimiter)
    const isKnown =
      records.some(({ cells }) => profileOfHeader(cells) !== undefined) ||
      bareLayoutOf(records[0]?.cells ?? []) !== undefined
    if (isKnown) return detected('csv')
    const widths = records.map(({ cells }) => cells.length).filter((width) => width > 1)
    const isTable = widths.length > 0 && (widths.length > 1 || records.length === 1)
    const isRegular = isTable && widths.at(-1) === widths.at(-2) && (widths.at(-1) ?? 0) > 2
    if (isTable && ['csv', 'tsv'].includes(extension)) return detected('csv')
    if (isRegular && widths.length >= 2) return detected('csv')
  }
  return unknown()
}

function unknown(): DetectedFormat {
  return {
    kind: 'unknown',
    message: 'unknown format; specify it, for example --format mt940 (--help lists the formats)',
  }
}
