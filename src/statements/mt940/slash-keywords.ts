import { compactCode } from '../../iban.js'
import { parseAmount } from '../../money.js'
import { isMeantAsIban } from '../account-text.js'
import {
  fillField,
  leadingBic,
  leadingIban,
  looksLikeCreditorId,
  type SepaFields,
  splitReference,
} from '../sepa-keywords.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { LINE_LENGTH, LOST_BLANK, withBlanks } from './mt940-wrap.js'

const KEYS =
  'TRTP|RTYP|IBAN|BBAN|ACCW|BIC|NAME|REMI|EREF|MARF|CSID|ORDP|BENM|CNTP|ISDT|PREF|NRTX|RTRN|' +
  'PIND|ADDR|ID|UDTR|UCRD|PURP|SVCL|OCMT|CHGS|EXCH|KREF|IREF|TRCD'
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

/** @returns the text after the account */
function takeAccount(text: string, fields: SepaFields): string {
  const found = leadingIban(text)
  const end = text.search(/[\n/]/)
  const name = end === -1 ? text : text.slice(0, end)
  const compact = compactCode(name)
  if (isMeantAsIban(compact)) {
    const isLeading = found !== undefined && isMeantAsIban(found.iban)
    const iban = isLeading ? found.iban : compact
    const rest = isLeading ? found.rest : text.slice(name.length)
    return leftOf('IBAN', fillField(fields, 'iban', iban) ? '' : iban, rest)
  }
  const account = cleanText(name)
  const isTaken = account === undefined || fillField(fields, 'accountNumber', account)
  return leftOf('BBAN', isTaken ? '' : account, text.slice(name.length))
}

/** The text of a key that is in no field: a value with its key, and the text after the value. */
function leftOf(key: string, value: string, rest: string): string {
  const text = rest.replace(/^[\s/]+/, '')
  return `${value === '' ? '' : `/${key}/${value} `}${withoutClosing(text)}`
}

/** Reads `/CNTP/account/BIC/name/place`: the Dutch form of a counterpart. @returns other text */
function takeCounterparty(text: string, fields: SepaFields): string {
  const [account = '', bic = '', name = '', ...rest] = text.split('/')
  const others = [takeAccount(account, fields), takeBic(bic, fields), takeName(name, fields)]
  return [...others, withoutClosing(rest.join('/'))].join(' ')
}

/** @returns the text after the BIC */
function takeBic(text: string, fields: SepaFields): string {
  const found = leadingBic(text.replace('/', ' '))
  if (found === undefined) return leftOf('BIC', withoutClosing(text), '')
  return leftOf('BIC', fillField(fields, 'bic', found.bic) ? '' : found.bic, found.rest)
}

/** @returns a name that differs from a known one */
function takeName(text: string, fields: SepaFields): string {
  const name = cleanReference(text)
  return name === undefined || fillField(fields, 'name', name) ? '' : `/NAME/${name}`
}

/**
 * `/BENM/account`, then a line `/name` and further lines of text, each with a slash before it.
 * @returns the text
 */
function takeParty(text: string, fields: SepaFields): string | undefined {
  const [account = '', name = '', ...more] = text.split('\n')
  const isAccount = /^[A-Z0-9 .-]{4,34}$/.test(account) && /\d/.test(account)
  if (!isAccount || !name.startsWith('/')) return withoutClosing(text)
  const others = [takeAccount(account, fields), takeName(name.slice(1), fields)]
  return [...more.map((line) => line.replace(/^\//, '')), ...others].join(' ')
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

/** Takes the purpose code of `/PURP/SALA` and `/PURP/CD/SALA`. @returns other text */
function takePurposeCode(value: string, fields: SepaFields): string {
  const [, code, rest = ''] = /^\/?(?:CD\/|PRTRY\/)?([A-Z0-9]{4})\b(.*)$/s.exec(value) ?? []
  if (code === undefined) return leftOf('PURP', value, '')
  return leftOf('PURP', fillField(fields, 'purposeCode', code) ? '' : code, rest)
}

/** Takes the creditor identifier, which other text may follow. @returns other text */
function takeCreditorId(value: string, fields: SepaFields): string {
  const isWhole = looksLikeCreditorId(compactCode(value)) && !/[a-z]/.test(value)
  const end = isWhole ? -1 : value.search(/[\s/]/)
  const id = cleanReference(compactCode(end === -1 ? value : value.slice(0, end)))
  const isTaken = id === undefined || fillField(fields, 'creditorId', id)
  return leftOf('CSID', isTaken ? '' : id, end === -1 ? '' : value.slice(end))
}

/** Takes the name of an ultimate party, which a number may follow. @returns other text */
function takeUltimate(key: 'UDTR' | 'UCRD', value: string, fields: SepaFields): string {
  const [text = '', ...rest] = value.split('/')
  const field = key === 'UDTR' ? 'ultimateDebtor' : 'ultimateCreditor'
  const name = cleanReference(text)
  if (name !== undefined) fields[field] ??= name
  const isTaken = name === undefined || fields[field] === name
  return leftOf(key, isTaken ? '' : name, rest.join('/'))
}

/** Values of keys that are dates, counts and numeric codes of the bank, and no text. */
const FIGURES: Readonly<Record<string, RegExp>> = {
  ISDT: /^\d{4}-?\d{2}-?\d{2}(?![^\s/])/,
  NRTX: /^\d{1,6}(?![^\s/])/,
  TRCD: /^\d{1,5}(?![^\s/])/,
}

/** The value of a key without a field, without its figures. */
function withoutFigures(key: string, value: string): string {
  const figures = FIGURES[key]?.exec(value)?.[0]
  return figures === undefined
    ? leftOf(key, value, '')
    : leftOf(key, '', value.slice(figures.length))
}

/** @returns text without a field; an unread value keeps its key */
function takeValue(key: string, text: string, fields: SepaFields): string | undefined {
  const value = withoutClosing(text)
  if (key in REFERENCES) return takeReference(key as keyof typeof REFERENCES, text, fields)
  if (key === 'REMI') return remittanceOf(text)
  if (value === '') return undefined
  switch (key) {
    case 'RTRN':
      return `Return ${value}`
    case 'OCMT':
      return takeOriginalAmount(text, fields)
    case 'CHGS':
      return `Charges ${value}`
    case 'EXCH':
      return `Exchange rate ${value}`
    case 'BENM':
    case 'ORDP':
      return takeParty(text, fields)
    case 'CNTP':
      return takeCounterparty(text, fields)
    case 'IBAN':
    case 'BBAN':
      return takeAccount(value, fields)
    case 'BIC':
      return takeBic(value, fields)
    case 'TRTP':
    case 'RTYP': {
      const type = cleanText(value)
      return type === undefined || fillField(fields, 'type', type) ? undefined : `/${key}/${type}`
    }
    case 'NAME':
      return takeName(value, fields)
    case 'CSID':
      return takeCreditorId(value, fields)
    case 'PURP':
      return takePurposeCode(value, fields)
    case 'UDTR':
    case 'UCRD':
      return takeUltimate(key, value, fields)
    case 'ACCW': {
      const [account = '', bic = '', ...rest] = value.split(',')
      return [takeAccount(account, fields), bic && takeBic(bic, fields), ...rest].join(' ')
    }
    default:
      return withoutFigures(key, value)
  }
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
 * without a field, for example after an amount or a party, is part of the purpose; so are
 * addresses and numbers of parties, with their keys. Dates, counts and numeric codes are left out.
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
