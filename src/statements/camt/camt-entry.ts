import { type EpochMs, formatInstant } from '../../instant.js'
import { type Amount, addAmounts, compareAmounts, negateAmount } from '../../money.js'
import { readSlashKeywords } from '../mt940/slash-keywords.js'
import { nameOfGvc } from '../mt940/transaction-types.js'
import { presentOnly } from '../present.js'
import { fillFromKeywords, readSepaKeywords, type SepaFields } from '../sepa-keywords.js'
import type { StatementAccount, StatementCounterpart, StatementTransaction } from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts, OVERLONG_UNITS } from '../text-field.js'
import { elementAt, textAt, type XmlElement } from './camt-cut.js'
import {
  type CamtDetail,
  type CamtParty,
  fullLengthOf,
  isEmptyDetail,
  readCharges,
  readDetail,
  readOriginals,
} from './camt-detail.js'
import {
  type CamtAmount,
  type CamtFault,
  isFault,
  readCamtDay,
  readSignedAmount,
} from './camt-fields.js'

/** The day that replaces a booking date, and its description: `the end of the period`. */
export interface AssumedDay {
  readonly at: EpochMs
  readonly what: string
}

/** An entry as transactions, each with the bank's reference where it has one. */
export interface ReadEntry {
  readonly total: CamtAmount
  /** Absent when the entry only has a value date; a day of the statement when it has neither. */
  readonly bookedAt?: EpochMs
  readonly valuedAt?: EpochMs
  /** The bank's reference of the entry as a whole. */
  readonly reference?: string
  /** The assumption for an absent booking date, as the end of a sentence. */
  readonly assumption?: string
  readonly booked: readonly {
    readonly transaction: StatementTransaction
    readonly reference?: string
  }[]
  /** Number of details that do not add up to the entry, which is then read as one transaction. */
  readonly strayCount?: number
  /** Charges of a split entry, which are in none of its transactions; never empty. */
  readonly sharedCharges?: readonly string[]
}

/** An entry's text up to this length, next to a purpose, is the bank's booking text. */
const TYPE_LENGTH_MAX = 100

/** `NTRF+166+00931+000`: SWIFT type, German transaction code, primanota, text key. */
const GERMAN_CODE = /^N[A-Z0-9]{3}\+(\d{3})(?:\+([^+]{1,10}))?/

/**
 * The amount of a detail in the entry's currency, with the sign of the detail, else of the entry;
 * undefined = none.
 */
function partOf(detail: CamtDetail, entry: CamtAmount): Amount | undefined {
  const found = detail.amounts.find(({ currency }) => currency === entry.currency)
  if (found === undefined) return undefined
  const isOutgoing =
    detail.direction === undefined ? entry.amount.unscaled < 0 : detail.direction === 'DBIT'
  return isOutgoing ? negateAmount(found.amount) : found.amount
}

/** The amounts of the details, when all are present and sum to the entry's. */
function partsOf(details: readonly CamtDetail[], entry: CamtAmount): Amount[] | undefined {
  const parts: Amount[] = []
  let sum: Amount | undefined = { unscaled: 0, scale: 0 }
  for (const detail of details) {
    const part = partOf(detail, entry)
    if (part === undefined || sum === undefined) return undefined
    parts.push(part)
    sum = addAmounts(sum, part)
  }
  return sum !== undefined && compareAmounts(sum, entry.amount) === 0 ? parts : undefined
}

function hasContent(party: CamtParty): boolean {
  return Object.keys(party).length > 0
}

/**
 * The counterpart. Never the side whose account or name is the own one. Else the debtor of incoming
 * money and the creditor of outgoing money, the other way round for a reversal, whose parties keep
 * their first roles; where that side is empty, the other, if it has an account or the entry is a
 * reversal, and unless its name is the own one.
 */
function otherSideOf(
  detail: CamtDetail,
  { isIncoming, isReversal }: { isIncoming: boolean; isReversal: boolean },
  own: StatementAccount,
): CamtParty {
  const { debtor, creditor } = detail
  const isOwn = ({ iban, accountNumber }: CamtParty): boolean =>
    (iban !== undefined && iban === own.iban) ||
    (accountNumber !== undefined && accountNumber === own.accountNumber)
  if (isOwn(debtor) && !isOwn(creditor)) return creditor
  if (isOwn(creditor) && !isOwn(debtor)) return debtor
  const sides = isIncoming === isReversal ? [creditor, debtor] : [debtor, creditor]
  const [expected = {}, other = {}] = sides
  if (hasContent(expected)) return expected
  const isOwnName = other.name !== undefined && other.name === own.holderName
  const isAccount = other.iban !== undefined || other.accountNumber !== undefined
  return (isAccount || isReversal) && !isOwnName ? other : expected
}

/** Names of ultimate parties that differ from the known names. */
function ultimatesOf(detail: CamtDetail, own: StatementAccount): Record<string, string> {
  const { debtor, creditor } = detail
  const isNews = (party: CamtParty): party is CamtParty & { ultimate: string } =>
    party.ultimate !== undefined &&
    party.ultimate !== party.name &&
    party.ultimate !== own.holderName
  return {
    ...(isNews(debtor) ? { ultimateDebtor: debtor.ultimate } : {}),
    ...(isNews(creditor) ? { ultimateCreditor: creditor.ultimate } : {}),
  }
}

/**
 * Sets the original amount: the first one in another currency, or of a return one that differs,
 * with the entry's sign.
 */
function fillOriginal(
  transaction: StatementTransaction,
  originals: readonly CamtAmount[],
  isReturn: boolean,
): void {
  const { amount, currency } = transaction
  const isOutgoing = amount.unscaled < 0
  const size = isOutgoing ? negateAmount(amount) : amount
  const original = originals.find(
    (each) => each.currency !== currency || (isReturn && compareAmounts(each.amount, size) !== 0),
  )
  if (original === undefined) return
  transaction.originalAmount = isOutgoing ? negateAmount(original.amount) : original.amount
  transaction.originalCurrency = original.currency
}

/** The summary of a batch without details. */
function batchText(entry: XmlElement): string | undefined {
  const batch = elementAt(entry, 'NtryDtls', 'Btch')
  if (batch === undefined) return undefined
  const name = cleanReference(textAt(batch, 'PmtInfId') ?? textAt(batch, 'MsgId'))
  const count = textAt(batch, 'NbOfTxs')
  return cleanText(['Batch', name, count && `${count} transactions`].filter(Boolean).join(' '))
}

/** `AddtlNtryInf`: Dutch banks repeat everything in it, and have the booking text only there. */
interface EntryText {
  readonly slashed: SepaFields | undefined
  /** Absent where it is `slashed`. */
  readonly freeText: string | undefined
}

function readEntryText(entry: XmlElement): EntryText {
  const text = cleanText(textAt(entry, 'AddtlNtryInf'))
  const slashed = readSlashKeywords(text ?? '')
  // A longer one is refused in each of many transactions, and need not be searched in each.
  const freeText = text?.slice(0, OVERLONG_UNITS + 1)
  return { slashed, freeText: slashed === undefined ? freeText : undefined }
}

/** A transaction's place in its entry. */
interface EntryPart {
  readonly entry: XmlElement
  readonly entryText: EntryText
  readonly detail: CamtDetail
  /** The entry has no detail that adds to it. */
  readonly isWhole: boolean
  /** The entry has several parts. */
  readonly isPart: boolean
}

/** Reads type and purpose from the texts and codes of entry and detail. */
function fillTexts(
  transaction: StatementTransaction,
  { entry, entryText, detail, isWhole, isPart }: EntryPart,
  own: StatementAccount,
): void {
  const code = detail.bankCode ?? cleanText(textAt(entry, 'BkTxCd', 'Prtry', 'Cd'))
  const german = GERMAN_CODE.exec(code ?? '')
  fillText(transaction, 'primanota', german?.[2])
  const keywords = readSepaKeywords(detail.unstructured, fullLengthOf(detail.unstructured))
  const remittance = joinTexts([keywords.purpose, ...detail.structured])

  const { slashed, freeText } = entryText
  // Next to a purpose a short text is the booking text; alone it is the purpose.
  const isType = remittance !== undefined && (freeText?.length ?? 0) <= TYPE_LENGTH_MAX
  fillText(transaction, 'type', slashed?.type ?? (isType ? freeText : undefined))
  const purpose = joinTexts([
    remittance ?? slashed?.purpose,
    isType ? undefined : freeText,
    detail.additional === transaction.type ? undefined : detail.additional,
    detail.returned,
    ...detail.charges,
    // Charges belong to the batch as a whole, not to one of its parts.
    ...(isPart ? [] : readCharges(entry)),
    isWhole ? batchText(entry) : undefined,
  ])
  fillText(transaction, 'purpose', purpose)
  fillFromKeywords(transaction, { ...keywords, ...ultimatesOf(detail, own) })
  // The text describes the entry as a whole, not one of its parts.
  if (isPart) fillText(transaction.counterpart, 'customerReference', slashed?.customerReference)
  else if (slashed !== undefined) fillFromKeywords(transaction, slashed)
  const domain = elementAt(entry, 'BkTxCd', 'Domn')
  const codes = [
    textAt(domain, 'Cd'),
    textAt(domain, 'Fmly', 'Cd'),
    textAt(domain, 'Fmly', 'SubFmlyCd'),
  ]
  fillText(transaction, 'type', nameOfGvc(german?.[1] ?? ''))
  // Proprietary codes that are words are clearer than the domain's; numbers are less so.
  fillText(transaction, 'type', /[A-Za-z]{4}/.test(code ?? '') ? code : undefined)
  fillText(transaction, 'type', cleanText(codes.filter(Boolean).join('-')) ?? code)
}

function counterpartOf(party: CamtParty, detail: CamtDetail): StatementCounterpart {
  const counterpart: StatementCounterpart = {}
  fillText(counterpart, 'name', party.name ?? party.ultimate)
  fillText(counterpart, 'iban', party.iban)
  fillText(counterpart, 'accountNumber', party.accountNumber)
  fillText(counterpart, 'bic', party.bic)
  fillText(counterpart, 'bankName', party.bankName)
  fillText(counterpart, 'mandateReference', detail.mandateReference)
  fillText(counterpart, 'creditorId', detail.creditor.creditorId)
  fillText(counterpart, 'customerReference', detail.customerReference)
  return counterpart
}

/**
 * The references of the details: each one's own, the payment system's, else the entry's, with the
 * detail's number where there are several. A reference that several details share identifies none
 * of them.
 */
function referencesOf(
  details: readonly CamtDetail[],
  entryReference: string | undefined,
): (string | undefined)[] {
  const [only] = details
  if (only !== undefined && details.length === 1) {
    return [only.servicerReference ?? only.transactionId ?? entryReference]
  }
  const keys = ['servicerReference', 'transactionId'] as const
  const counts = new Map<string, number>()
  for (const detail of details) {
    for (const key of keys) {
      const name = `${key} ${detail[key]}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return details.map((detail, i) => {
    const key = keys.find((each) => {
      return detail[each] !== undefined && counts.get(`${each} ${detail[each]}`) === 1
    })
    if (key !== undefined) return detail[key]
    return entryReference === undefined ? undefined : `${entryReference}/${i + 1}`
  })
}

/**
 * Whether the batch summary of the entry has more than its details: there are no usable details, or
 * a single empty one.
 */
function isDescribedAsBatch(
  entry: XmlElement,
  details: readonly CamtDetail[],
  used: readonly CamtDetail[],
): boolean {
  if (used !== details) return true
  const [only] = details
  const batch = elementAt(entry, 'NtryDtls', 'Btch')
  if (batch === undefined || details.length > 1 || textAt(batch, 'NbOfTxs') === '1') return false
  return only !== undefined && isEmptyDetail(only)
}

/**
 * The days of an entry. Without `BookgDt`, an import uses the value date; without that too, a day
 * of the statement.
 */
function daysOf(
  entry: XmlElement,
  statementDay: AssumedDay | undefined,
): Pick<ReadEntry, 'bookedAt' | 'valuedAt' | 'assumption'> | CamtFault {
  const bookedAt = readCamtDay(elementAt(entry, 'BookgDt'))
  if (typeof bookedAt === 'object') return bookedAt
  const valuedAt = readCamtDay(elementAt(entry, 'ValDt'))
  if (typeof valuedAt === 'object') return valuedAt
  const valued = valuedAt === undefined ? {} : { valuedAt }
  if (bookedAt !== undefined) return { bookedAt, ...valued }
  if (valuedAt !== undefined) return { valuedAt }
  if (statementDay !== undefined) {
    const { at, what } = statementDay
    const day = formatInstant(at).slice(0, 10)
    return { bookedAt: at, assumption: `${what}, ${day}, is assumed` }
  }
  const message =
    'is absent, and neither the entry nor its statement has another date; expected for example ' +
    '<BookgDt><Dt>2024-05-31</Dt></BookgDt>'
  return { field: 'BookgDt', message }
}

/** Remittance texts of details that do not add up, as far as the purpose of one row holds them. */
const STRAY_TEXTS_LENGTH_MAX = 2_000

/**
 * Stands for details that do not add up to the entry: their amounts, names and references may be of
 * another payment, so only their texts are kept.
 */
function strayDetail(entry: XmlElement, details: readonly CamtDetail[]): CamtDetail {
  const texts: string[] = []
  let length = 0
  for (const { unstructured, structured, additional } of details) {
    const text = joinTexts([...unstructured, ...structured, additional])
    if (text === undefined) continue
    length += text.length + 1
    if (length > STRAY_TEXTS_LENGTH_MAX) break
    texts.push(text)
  }
  return { ...emptyDetail(entry), structured: texts }
}

/** The detail of an entry without one. */
function emptyDetail(entry: XmlElement): CamtDetail {
  return readDetail({
    name: 'TxDtls',
    line: entry.line,
    currency: undefined,
    children: [],
    text: '',
  })
}

/** Statement values for all its entries. */
interface EntryContext {
  /** Its currency is that of an `Amt` without one. */
  readonly own: StatementAccount
  /** Position of the entry, for messages. */
  readonly position: string
  /** Replaces the booking date of an entry without any date. */
  readonly statementDay: AssumedDay | undefined
}

/**
 * Makes transactions of a booked `Ntry`: one per detail where the details sum to the entry, else
 * one for the entry.
 * @param entry without its details
 */
export function readCamtEntry(
  entry: XmlElement,
  details: readonly CamtDetail[],
  context: EntryContext,
): ReadEntry | CamtFault {
  const total = readSignedAmount(entry, context.own.currency)
  if (isFault(total)) return total
  const dated = daysOf(entry, context.statementDay)
  if (isFault(dated)) return dated
  const { bookedAt, valuedAt, assumption } = dated

  const parts = details.length > 1 ? partsOf(details, total) : [total.amount]
  const own = details.length === 0 ? [emptyDetail(entry)] : details
  const used = parts === undefined ? [strayDetail(entry, details)] : own
  const isWhole = isDescribedAsBatch(entry, details, used)
  const reference = cleanReference(textAt(entry, 'AcctSvcrRef'))
  const references = referencesOf(used, reference)
  const entryText = readEntryText(entry)
  const booked = (parts ?? [total.amount]).map((amount, i) => {
    const detail = used[i] ?? emptyDetail(entry)
    const part = { entry, entryText, detail, isWhole, isPart: used.length > 1 }
    const transaction = transactionOf(part, { amount, currency: total.currency }, context)
    if (part.isPart) transaction.position += `, detail ${i + 1} (line ${detail.line})`
    if (bookedAt !== undefined) transaction.bookedAt = bookedAt
    if (valuedAt !== undefined) transaction.valuedAt = valuedAt
    const ownReference = references[i]
    return ownReference === undefined ? { transaction } : { transaction, reference: ownReference }
  })
  const read: ReadEntry = {
    ...{ total, booked },
    ...presentOnly({ bookedAt, valuedAt, reference, assumption }),
  }
  if (parts === undefined) return { ...read, strayCount: details.length }
  const charges = used.length > 1 ? readCharges(entry) : []
  return charges.length === 0 ? read : { ...read, sharedCharges: charges }
}

/** The transaction of one part of an entry, without its days. */
function transactionOf(
  part: EntryPart,
  { amount, currency }: CamtAmount,
  { own, position }: EntryContext,
): StatementTransaction {
  const { entry, detail, isPart } = part
  const isReversal = textAt(entry, 'RvslInd') === 'true' || textAt(entry, 'RvslInd') === '1'
  const party = otherSideOf(detail, { isIncoming: amount.unscaled >= 0, isReversal }, own)
  const counterpart = counterpartOf(party, detail)
  const transaction: StatementTransaction = { amount, currency, counterpart, position }
  fillText(transaction, 'endToEndReference', detail.endToEndReference)
  fillText(transaction, 'sepaPurposeCode', detail.purposeCode)
  const entryOriginals = isPart ? [] : readOriginals(entry)
  fillOriginal(transaction, [...detail.originals, ...entryOriginals], detail.isReturn)
  fillTexts(transaction, part, own)
  return transaction
}
