import type { PaymentEvidence } from '../domain/matched-transaction.js'
import { type Amount, parseAmount, type Sum, sumOf } from '../money.js'
import { normalForms } from '../text/normal-forms.js'

/** The payment that a caller expects for a reference, as far as it is known. */
export interface ExpectedPayment {
  /** Not negative: amounts are compared without their signs. */
  readonly amount?: Amount | undefined
  /** Of the amount; absent = any. */
  readonly currency?: string | undefined
  readonly counterpartName?: string | undefined
  /** Compact, upper case. */
  readonly counterpartIban?: string | undefined
}

/** The rendered rows of a segment, as it has them. */
export interface RenderedRows {
  readonly rowBytes: Uint8Array
  readonly rowOffsets: Uint32Array
}

/** The members of a rendered transaction that are compared with an expected payment. */
interface PaymentRow {
  readonly amount: number
  readonly currency: string
  readonly counterpart: { readonly name?: string; readonly iban?: string }
}

/**
 * The kinds of evidence, the strongest first. A row's evidence is a number of as many bits, the
 * first kind the highest: the greater number has the stronger evidence.
 */
const KINDS: readonly PaymentEvidence[] = [
  'amount_equal',
  'iban_equal',
  'amount_within_discount',
  'name_similar',
]

const AMOUNT_EQUAL = 8
const IBAN_EQUAL = 4
const AMOUNT_WITHIN_DISCOUNT = 2
const NAME_SIMILAR = 1

/** The names of evidence, the strongest first. @param evidence of {@link PaymentComparison} */
export function evidenceNames(evidence: number): PaymentEvidence[] {
  return KINDS.filter((_, i) => ((evidence << i) & AMOUNT_EQUAL) !== 0)
}

/** Compares rows with an expected payment (docs/extensions/batch-match.md, "Evidence"). */
export class PaymentComparison {
  readonly #amount: Sum | undefined
  readonly #name: NameWords | undefined

  constructor(private readonly expected: ExpectedPayment) {
    const { amount, counterpartName } = expected
    this.#amount = amount === undefined ? undefined : sumOfAmount(amount)
    this.#name = counterpartName === undefined ? undefined : nameWords(counterpartName)
  }

  /** The evidence of a row that it is the payment; 0 = none. */
  evidenceOf({ rowBytes, rowOffsets }: RenderedRows, row: number): number {
    const { buffer, byteOffset } = rowBytes
    const start = rowOffsets[row]! // there is an offset more than rows
    const bytes = Buffer.from(buffer, byteOffset + start, rowOffsets[row + 1]! - 1 - start)
    // Rendered by resource-json.ts, which writes exactly these members.
    const { amount, currency, counterpart } = JSON.parse(bytes.toString('utf8')) as PaymentRow
    const { currency: expectedCurrency, counterpartIban } = this.expected
    const isCurrency = expectedCurrency === undefined || expectedCurrency === currency
    let evidence = isCurrency ? this.#evidenceOfAmount(amount) : 0
    if (counterpartIban !== undefined && counterpartIban === counterpart.iban) {
      evidence += IBAN_EQUAL
    }
    if (this.#name !== undefined && counterpart.name !== undefined) {
      if (areSimilar(this.#name, nameWords(counterpart.name))) evidence += NAME_SIMILAR
    }
    return evidence
  }

  #evidenceOfAmount(amount: number): number {
    const expected = this.#amount
    if (expected === undefined) return 0
    // A double has an amount of 15 digits exactly, and prints it again.
    const parsed = parseAmount(String(Math.abs(amount)))
    if (typeof parsed === 'string') return 0
    const paid = sumOfAmount(parsed)
    if (paid === expected) return AMOUNT_EQUAL
    const isLess = paid < expected && paid * 100n >= expected * (100n - DISCOUNT_PERCENT_MAX)
    return isLess ? AMOUNT_WITHIN_DISCOUNT : 0
  }
}

/** The largest discount for early payment: invoices offer 2 or 3 %, hardly any more than 5. */
const DISCOUNT_PERCENT_MAX = 5n

function sumOfAmount({ unscaled, scale }: Amount): Sum {
  return sumOf(BigInt(unscaled), scale)
}

/** The words of a name in both normal forms. */
interface NameWords {
  readonly first: readonly string[]
  readonly second: readonly string[]
}

/** Letters and digits of the shortest word that is compared: shorter ones are in many names. */
const WORD_LENGTH_MIN = 3

const NO_WORD = /[^\p{L}\p{N}]+/u

function nameWords(name: string): NameWords {
  const { first, second } = normalForms(name)
  return { first: wordsOf(first), second: wordsOf(second) }
}

function wordsOf(form: string): string[] {
  return form.split(NO_WORD).filter((word) => word.length >= WORD_LENGTH_MIN)
}

/** Whether all words of one name begin words of the other, in either normal form. */
function areSimilar(a: NameWords, b: NameWords): boolean {
  return areWithin(a.first, b.first) || areWithin(a.second, b.second)
}

function areWithin(a: readonly string[], b: readonly string[]): boolean {
  return beginWordsOf(a, b) || beginWordsOf(b, a)
}

function beginWordsOf(words: readonly string[], others: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => others.some((other) => other.startsWith(word)))
}
