import { formatAmount } from '../../money.js'
import { looksLikeCreditorId } from '../sepa-keywords.js'
import { cleanReference, cleanText, fillText } from '../text-field.js'
import { childrenOf, elementAt, textAt, type XmlElement } from './camt-cut.js'
import {
  type CamtAmount,
  isFault,
  readAccountId,
  readAmount,
  readBic,
  readPartyName,
} from './camt-fields.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** One side of a payment. */
export interface CamtParty {
  readonly name?: string
  readonly iban?: string
  readonly accountNumber?: string
  readonly bic?: string
  readonly bankName?: string
  /** SEPA creditor identifier. */
  readonly creditorId?: string
  /** The ultimate party. */
  readonly ultimate?: string
}

/** A `TxDtls`, reduced to the parts that a transaction needs. */
export interface CamtDetail {
  readonly line: number
  /** The amount of this part of the entry, by preference `Amt`, `TxAmt`, `InstdAmt`. */
  readonly amounts: readonly CamtAmount[]
  readonly direction?: string
  /** Ordered amounts, and amounts before exchange. */
  readonly originals: readonly CamtAmount[]
  readonly debtor: CamtParty
  readonly creditor: CamtParty
  readonly servicerReference?: string
  readonly transactionId?: string
  readonly endToEndReference?: string
  readonly customerReference?: string
  readonly mandateReference?: string
  readonly purposeCode?: string
  /** `Ustrd`, as the bank cut it. */
  readonly unstructured: readonly string[]
  /** References and numbers of `Strd`. */
  readonly structured: readonly string[]
  /** The reason of a return, `Return MS03`. */
  readonly returned?: string
  readonly charges: readonly string[]
  readonly additional?: string
  /** The bank's own code, `BkTxCd/Prtry/Cd`. */
  readonly bankCode?: string
  readonly isReturn: boolean
}

function creditorIdOf(party: XmlElement | undefined, hasMandate: boolean): string | undefined {
  const id = elementAt(party, 'Id') ?? elementAt(party, 'Pty', 'Id')
  for (const kind of ['PrvtId', 'OrgId']) {
    for (const other of childrenOf(elementAt(id, kind), 'Othr')) {
      const value = cleanText(textAt(other, 'Id'))
      const scheme = textAt(other, 'SchmeNm', 'Prtry') ?? textAt(other, 'SchmeNm', 'Cd')
      if (value === undefined) continue
      if (scheme === 'SEPA' || hasMandate || looksLikeCreditorId(value)) return value
    }
  }
  return undefined
}

function readParty(detail: XmlElement, side: 'Dbtr' | 'Cdtr', hasMandate: boolean): CamtParty {
  const parties = elementAt(detail, 'RltdPties')
  const party = elementAt(parties, side)
  const account = elementAt(parties, `${side}Acct`)
  const institution = elementAt(detail, 'RltdAgts', `${side}Agt`, 'FinInstnId')
  const found: Mutable<CamtParty> = readAccountId(elementAt(account, 'Id'))
  fillText(found, 'name', cleanReference(readPartyName(party) ?? textAt(account, 'Nm')))
  fillText(found, 'bic', readBic(institution))
  fillText(found, 'bankName', cleanText(textAt(institution, 'Nm')))
  fillText(found, 'ultimate', cleanReference(readPartyName(elementAt(parties, `Ultmt${side}`))))
  if (side === 'Cdtr') fillText(found, 'creditorId', creditorIdOf(party, hasMandate))
  return found
}

/**
 * `Chrgs` in its old form (the amount inside) and its new one (`Rcrd`), as text. An amount credited
 * there is a discount, not a charge: `Charges credited 0.2 CHF`.
 */
export function readCharges(element: XmlElement): string[] {
  const records = childrenOf(element, 'Chrgs').flatMap((charges) => {
    const inner = childrenOf(charges, 'Rcrd')
    return inner.length > 0 ? inner : [charges]
  })
  return records.flatMap((record) => {
    const found = readAmount(elementAt(record, 'Amt') ?? elementAt(record, 'TtlChrgsAndTaxAmt'))
    if (found === undefined || isFault(found) || found.amount.unscaled === 0) return []
    const { amount, currency } = found
    const what = textAt(record, 'CdtDbtInd') === 'CRDT' ? 'Charges credited' : 'Charges'
    return [`${what} ${formatAmount(amount.unscaled, amount.scale)} ${currency}`]
  })
}

/** The amounts in the given elements; unreadable ones are left out. */
function amountsOf(elements: readonly (XmlElement | undefined)[]): CamtAmount[] {
  const amounts: CamtAmount[] = []
  for (const element of elements) {
    const found = readAmount(element)
    if (found !== undefined && !isFault(found)) amounts.push(found)
  }
  return amounts
}

/** Amounts of an entry or a detail that may be in the payment's own currency. */
export function readOriginals(element: XmlElement): CamtAmount[] {
  const details = elementAt(element, 'AmtDtls')
  if (details === undefined) return []
  const names = ['InstdAmt', 'TxAmt', 'CntrValAmt']
  return amountsOf(names.map((name) => elementAt(details, name, 'Amt')))
}

function readStructured(remittance: XmlElement | undefined): string[] {
  return childrenOf(remittance, 'Strd').flatMap((structured) =>
    [
      ...childrenOf(structured, 'CdtrRefInf').map((reference) => textAt(reference, 'Ref')),
      ...childrenOf(structured, 'RfrdDocInf').map((document) => textAt(document, 'Nb')),
      ...childrenOf(structured, 'AddtlRmtInf').map((additional) => additional.text),
    ].flatMap((text) => cleanReference(text) ?? []),
  )
}

function readReturn(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined
  const code = textAt(element, 'Rsn', 'Cd') ?? textAt(element, 'Rsn', 'Prtry')
  const more = childrenOf(element, 'AddtlInf').map(({ text }) => text)
  return cleanText(['Return', code ?? '', ...more].join(' '))
}

/** Whether the detail has no party, text or reference, and so adds nothing to its entry. */
export function isEmptyDetail(detail: CamtDetail): boolean {
  const { debtor, creditor, unstructured, structured, additional, returned } = detail
  const texts = [...unstructured, ...structured, additional, returned]
  const references = [detail.endToEndReference, detail.transactionId, detail.mandateReference]
  const parties = [...Object.values(debtor), ...Object.values(creditor)]
  return [...texts, ...references, ...parties].every((each) => each === undefined || each === '')
}

/**
 * Length of a full part: 35 characters where all parts but the last have it, an old form; else 140.
 */
export function fullLengthOf(parts: readonly string[]): number {
  const isInLines = parts.length > 1 && parts.slice(0, -1).every((part) => part.length === 35)
  return isInLines ? 35 : 140
}

/** Reduces a `TxDtls` to plain fields; missing ones are absent. */
export function readDetail(element: XmlElement): CamtDetail {
  const references = elementAt(element, 'Refs')
  const remittance = elementAt(element, 'RmtInf')
  const mandate = cleanReference(textAt(references, 'MndtId'))
  const returned = readReturn(elementAt(element, 'RtrInf'))
  const detail: Mutable<CamtDetail> = {
    line: element.line,
    amounts: amountsOf([
      elementAt(element, 'Amt'),
      elementAt(element, 'AmtDtls', 'TxAmt', 'Amt'),
      elementAt(element, 'AmtDtls', 'InstdAmt', 'Amt'),
    ]),
    originals: readOriginals(element),
    debtor: readParty(element, 'Dbtr', mandate !== undefined),
    creditor: readParty(element, 'Cdtr', mandate !== undefined),
    unstructured: childrenOf(remittance, 'Ustrd').map(({ text }) =>
      // A line break belongs to the document; without a line break, the bank cut at the blanks.
      /[\r\n]/.test(text) ? (cleanText(text) ?? '') : text,
    ),
    structured: readStructured(remittance),
    charges: readCharges(element),
    isReturn: returned !== undefined,
  }
  const purposeCode = /^[A-Z0-9]{4}$/.exec(textAt(element, 'Purp', 'Cd') ?? '')?.[0]
  fillText(detail, 'direction', textAt(element, 'CdtDbtInd'))
  fillText(detail, 'servicerReference', cleanReference(textAt(references, 'AcctSvcrRef')))
  fillText(detail, 'transactionId', cleanReference(textAt(references, 'TxId')))
  fillText(detail, 'endToEndReference', cleanReference(textAt(references, 'EndToEndId')))
  fillText(detail, 'customerReference', cleanReference(textAt(references, 'PmtInfId')))
  fillText(detail, 'customerReference', cleanReference(textAt(references, 'InstrId')))
  fillText(detail, 'mandateReference', mandate)
  fillText(detail, 'purposeCode', purposeCode)
  fillText(detail, 'returned', returned)
  fillText(detail, 'additional', cleanText(textAt(element, 'AddtlTxInf')))
  fillText(detail, 'bankCode', cleanText(textAt(element, 'BkTxCd', 'Prtry', 'Cd')))
  return detail
}
