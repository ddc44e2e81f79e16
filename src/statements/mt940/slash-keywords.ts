import { compactCode, looksLikeIban } from '../../iban.js'
import type { SepaFields } from '../sepa-keywords.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'

const KEYS =
  'TRTP|RTYP|IBAN|BIC|NAME|REMI|EREF|MARF|CSID|ORDP|BENM|CNTP|ISDT|PREF|NRTX|RTRN|PIND|ADDR|ID|' +
  'UDTR|UCRD|PURP|SVCL|OCMT|CHGS|EXCH|KREF|IREF'
const KEY = new RegExp(`/(${KEYS})(?=/)`, 'g')
const OPENING = new RegExp(`^\\s?/(${KEYS})/`)

/** `/CNTP/account/BIC/name/place`: the Dutch form of the counterpart under one key. */
function takeCounterparty(text: string, fields: SepaFields): void {
  const [account, bic, name] = text.split('/')
  const compact = compactCode(account ?? '')
  if (looksLikeIban(compact)) fillText(fields, 'iban', compact)
  fillText(fields, 'bic', cleanText(bic))
  fillText(fields, 'name', cleanText(name))
}

function takeValue(key: string, text: string, fields: SepaFields): void {
  if (key === 'TRTP' || key === 'RTYP') fillText(fields, 'type', cleanText(text))
  if (key === 'IBAN') fillText(fields, 'iban', cleanText(compactCode(text)))
  if (key === 'BIC') fillText(fields, 'bic', cleanText(compactCode(text)))
  if (key === 'NAME') fillText(fields, 'name', cleanReference(text))
  if (key === 'EREF') fillText(fields, 'endToEndReference', cleanReference(text))
  if (key === 'MARF') fillText(fields, 'mandateReference', cleanReference(text))
  if (key === 'CSID') fillText(fields, 'creditorId', cleanReference(compactCode(text)))
  if (key === 'PREF' || key === 'KREF') {
    fillText(fields, 'customerReference', cleanReference(text))
  }
  if (key === 'PURP') fillText(fields, 'purposeCode', /[A-Z0-9]{4}/.exec(text)?.[0])
  if (key === 'UDTR') fillText(fields, 'ultimateDebtor', cleanReference(text.split('/')[0]))
  if (key === 'UCRD') fillText(fields, 'ultimateCreditor', cleanReference(text.split('/')[0]))
  if (key === 'CNTP') takeCounterparty(text, fields)
}

/** `USTD//text/` is the unstructured form of the remittance, `STRD/issuer/reference` the other. */
function remittanceOf(text: string): string | undefined {
  const clean = cleanReference(text)
  return cleanText(clean?.replace(/^(USTD|STRD)\/{1,2}/, '').replace(/^\/|\/$/g, ''))
}

/**
 * Splits the structured text of Dutch banks, `/TRTP/…/IBAN/…/NAME/…/REMI/…/EREF/…`.
 * @param text on one line
 * @returns undefined when the text does not begin with one of the keys
 */
export function readSlashKeywords(text: string): SepaFields | undefined {
  if (!OPENING.test(text)) return undefined
  const fields: SepaFields = {}
  let remittance: string | undefined
  let returned: string | undefined
  const matches = [...text.matchAll(KEY)]
  matches.forEach((match, i) => {
    const key = match[1] ?? ''
    const value = text.slice(match.index + match[0].length + 1, matches[i + 1]?.index)
    takeValue(key, value, fields)
    if (key === 'REMI') remittance ??= remittanceOf(value)
    if (key === 'RTRN') returned ??= cleanReference(value)
  })
  const purpose = joinTexts([remittance, returned === undefined ? '' : `Return ${returned}`])
  if (purpose !== undefined) fields.purpose = purpose
  return fields
}
