import { compactCode } from '../../iban.js'
import { parseAmount } from '../../money.js'
import { isMeantAsIban } from '../account-text.js'
import { type SepaFields, splitReference } from '../sepa-keywords.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { LINE_LENGTH, LOST_BLANK, withBlanks } from './mt940-wrap.js'

const KEYS =
  'TRTP|RTYP|IBAN|BBAN|ACCW|BIC|NAME|REMI|EREF|MARF|CSID|ORDP|BENM|CNTP|ISDT|PREF|NRTX|RTRN|' +
  'PIND|ADDR|ID|UDTR|UCRD|PURP|SVCL|OCMT|CHGS|EXCH|KREF|IREF'
const KEY = new RegExp(`/(${KEYS})(?=/)`, 'g')
const OPENING = new RegExp(`^\\s?/(${KEYS})/`)

/** The longest key with its slashes; a wrap may be anywhere in it. */
const KEY_LENGTH_MAX = 6

/** A line that is shorter by more than this was ended by the bank, not by the width. */
const RAGGED_CHARS_MAX = 8

/** Whether a key is split between the two lines. */
function splitsKey(line: string, next: string): boolean {
  const tail = line.slice(-KEY_LENGTH_MAX)
  const around = `${tail}${next.slice(0, KEY_LENGTH_MAX)}`
  return [...around.matchAll(KEY)].some(({ index, 0: key }) => {
    const end = index + key.length + 1
    return index < tail.length && end > tail.length
  })
}

/** Whether a text ends at the end of a line, so that the next line is separate. */
function endsText(line: string, next: string): boolean {
  if (line.endsWith(LOST_BLANK) || line.length >= LINE_LENGTH - 1) return false
  if (splitsKey(line, next)) return false
  if (next.startsWith('/')) return true
  if (line.length >= LINE_LENGTH - RAGGED_CHARS_MAX) return false
  // If a short line splits a number, the line has lost other text.
  const isSplitNumber = /\d$/.test(line) && /^\d/.test(next)
  return !isSplitNumber && /^[\p{L}\p{N}]/u.test(next)
}

/**
 * Joins the lines of structured text: a wrapped line continues in the next one, a shorter one ends
 * with a line break.
 */
export function joinSlashLines(lines: readonly string[]): string {
  const pieces = lines.map((line, i) => {
    const next = lines[i + 1]
    return next !== undefined && endsText(line, next) ? `${line}\n` : line
  })
  return withBlanks(pieces.join(''))
}

/** Removes the slashes that close a value, `/EREF/value//`; no reference may end in one. */
function withoutClosing(text: string): string {
  let end = text.length
  while (end > 0 && /[\s/]/.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

function takeAccount(text: string, fields: SepaFields): void {
  const compact = compactCode(text)
  if (isMeantAsIban(compact)) fillText(fields, 'iban', compact)
  else fillText(fields, 'accountNumber', cleanText(text))
}

/** Reads `/CNTP/account/BIC/name/place`: the Dutch form of a counterpart. */
function takeCounterparty(text: string, fields: SepaFields): void {
  const [account = '', bic, name] = text.split('/')
  takeAccount(account, fields)
  fillText(fields, 'bic', cleanText(bic))
  fillText(fields, 'name', cleanText(name))
}

/**
 * `/BENM/account`, then a line `/name` and further lines of text, each with a slash before it.
 * @returns the text
 */
function takeParty(text: string, fields: SepaFields): string | undefined {
  const [account = '', name = '', ...more] = text.split('\n')
  const isAccount = /^[A-Z0-9 .-]{4,34}$/.test(account) && /\d/.test(account)
  if (!isAccount || !name.startsWith('/')) return withoutClosing(text)
  takeAccount(account, fields)
  fillText(fields, 'name', cleanText(name.slice(1)))
  return more.map((line) => line.replace(/^\//, '')).join(' ')
}

/** Moves `EUR11,85` into the original amount. @returns the text after it */
function takeOriginalAmount(text: string, fields: SepaFields): string {
  const match = /^([A-Z]{3})(\d{1,18}(?:,\d{0,9})?)(?:\/|$)/.exec(text)
  const amount = parseAmount((match?.[2] ?? '').replace(',', '.'))
  if (match?.[1] === undefined || typeof amount === 'string') return `/OCMT/${withoutClosing(text)}`
  fields.originalAmount ??= amount
  fields.originalCurrency ??= match[1]
  return text.slice(match[0].length)
}

const REFERENCES = {
  EREF: 'endToEndReference',
  MARF: 'mandateReference',
  PREF: 'customerReference',
  KREF: 'customerReference',
} as const

function takeReference(key: keyof typeof REFERENCES, text: string, fields: SepaFields): string {
  const value = withoutClosing(text)
  const parts = [...value.matchAll(/[\n/]/g)].map(({ index }) => index)
  const found = splitReference(value, parts)
  const reference = cleanReference(found?.reference)
  const known = fields[REFERENCES[key]]
  const isRepeated = known === undefined || reference === undefined || known === reference
  if (found === undefined || !isRepeated) return `/${key}/${value}`
  fillText(fields, REFERENCES[key], reference)
  return found.rest.replace(/^\//, '')
}

/** @returns text without a field */
function takeValue(key: string, text: string, fields: SepaFields): string | undefined {
  const value = withoutClosing(text)
  if (key in REFERENCES) return takeReference(key as keyof typeof REFERENCES, text, fields)
  if (key === 'REMI') return remittanceOf(text)
  if (key === 'RTRN') return value === '' ? undefined : `Return ${value}`
  if (key === 'OCMT') return takeOriginalAmount(text, fields)
  if (key === 'CHGS') return value === '' ? undefined : `Charges ${value}`
  if (key === 'EXCH') return value === '' ? undefined : `Exchange rate ${value}`
  if (key === 'BENM' || key === 'ORDP') return takeParty(text, fields)
  if (key === 'CNTP') takeCounterparty(text, fields)
  if (key === 'IBAN' || key === 'BBAN') takeAccount(value, fields)
  if (key === 'BIC') fillText(fields, 'bic', cleanText(compactCode(value)))
  if (key === 'TRTP' || key === 'RTYP') fillText(fields, 'type', cleanText(value))
  if (key === 'NAME') fillText(fields, 'name', cleanReference(value))
  if (key === 'CSID') fillText(fields, 'creditorId', cleanReference(compactCode(value)))
  if (key === 'PURP') fillText(fields, 'purposeCode', /[A-Z0-9]{4}/.exec(text)?.[0])
  if (key === 'UDTR') fillText(fields, 'ultimateDebtor', cleanReference(text.split('/')[0]))
  if (key === 'UCRD') fillText(fields, 'ultimateCreditor', cleanReference(text.split('/')[0]))
  if (key === 'ACCW') {
    const [account = '', bic] = value.split(',')
    takeAccount(account, fields)
    fillText(fields, 'bic', cleanText(compactCode(bic ?? '')))
  }
  return undefined
}

/**
 * The remittance: `USTD//text/` is unstructured, `STRD/issuer/reference` structured, and
 * `/CDTRREFTP//CD/SCOR/ISSR/issuer/CDTRREF/reference` is the form of Rabobank.
 */
function remittanceOf(text: string): string | undefined {
  const structured = /^\/?CDTRREFTP\/.{0,80}\/CDTRREF\/(.*)$/s.exec(text)
  const clean = cleanReference(structured?.[1] ?? text)
  return cleanText(clean?.replace(/^(USTD|STRD)\/{1,2}/, '').replace(/^\/|\/$/g, ''))
}

/**
 * Splits the structured text of Dutch and other banks, `/TRTP/…/IBAN/…/NAME/…/REMI/…/EREF/…`. Text
 * without a field, for example after an amount or a party, is part of the purpose; dates, addresses
 * and counts are left out.
 * @param text as {@link joinSlashLines} joins it
 * @returns undefined when the text does not begin with one of the keys
 */
export function readSlashKeywords(text: string): SepaFields | undefined {
  if (!OPENING.test(text)) return undefined
  const fields: SepaFields = {}
  const remittances: (string | undefined)[] = []
  const others: (string | undefined)[] = []
  const matches = [...text.matchAll(KEY)]
  matches.forEach((match, i) => {
    const key = match[1] ?? ''
    const value = text.slice(match.index + match[0].length + 1, matches[i + 1]?.index)
    const left = takeValue(key, value, fields)
    if (key === 'REMI') remittances.push(left)
    else others.push(left)
  })
  const purpose = joinTexts([...remittances, ...others])
  if (purpose !== undefined) fields.purpose = purpose
  return fields
}
