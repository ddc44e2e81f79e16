import { createHmac } from 'node:crypto'
import { ibansIn } from '../../iban.js'
import type { Item } from './compact.js'
import { HiddenText } from './hidden-text.js'
import type { MaskedKind } from './masked-values.js'

/** Values that are hidden from an integration. */
export interface Masks {
  readonly ibans: boolean
  /** undefined = names are shown. */
  readonly names: Pseudonyms | undefined
  /** Receives each mask of a name or an IBAN with its value; absent = none is looked up later. */
  remember?(kind: MaskedKind, mask: string, value: string): void
}

/** The pseudonym of a counterpart's name: equal names have equal pseudonyms. */
export type Pseudonyms = (name: string) => string

/**
 * An item without the values hidden from its integration. Of IBANs, and of the account numbers of
 * the item, the last four characters stay, wherever they occur in it: enough to distinguish
 * accounts and to name one to a person. A counterpart's name becomes a pseudonym, which is enough
 * to count and to group by; it is removed from other texts of the item as well. Names of others in
 * these texts stay.
 */
export function maskItem(item: Item, masks: Masks): Item {
  const { names } = masks
  const name = names === undefined ? undefined : counterpartName(item)
  // An item without a counterpart is an account.
  const ibanKind: MaskedKind = 'counterpart' in item ? 'counterpartIban' : 'accountIban'
  const hidden = { masks, ibanKind, numbers: masks.ibans ? accountNumbersOf(item) : [] }
  if (name === undefined || names === undefined) {
    return maskedMembers(item, { ...hidden, name: undefined })
  }
  const pseudonym = names(name)
  masks.remember?.('name', pseudonym, name)
  const masked = maskedMembers(item, { ...hidden, name: new HiddenText(name, pseudonym) })
  return { ...masked, counterpart: { ...Object(masked['counterpart']), name: pseudonym } }
}

interface Hiding {
  readonly masks: Masks
  /** Whose IBANs those of the members are. */
  readonly ibanKind: MaskedKind
  readonly name: HiddenText | undefined
  readonly numbers: readonly HiddenText[]
}

/** Fewer digits occur in references by chance. */
const HIDDEN_DIGITS_MIN = 6

/** Account numbers in members of the item, as its texts may repeat them. */
function accountNumbersOf(item: Item): HiddenText[] {
  return [item, item['counterpart'], item['account']].flatMap((side) => {
    const { accountNumber } = Object(side)
    if (typeof accountNumber !== 'string') return []
    const digits = accountNumber.replace(/^0+/, '')
    return digits.length < HIDDEN_DIGITS_MIN
      ? []
      : [new HiddenText(digits, maskedNumber(accountNumber))]
  })
}

function maskedMembers(value: object, hiding: Hiding): Item {
  const masked: Item = {}
  for (const [name, held] of Object.entries(value)) masked[name] = maskedValue(name, held, hiding)
  return masked
}

function maskedValue(name: string, value: unknown, hiding: Hiding): unknown {
  if (Array.isArray(value)) return value.map((held) => maskedValue(name, held, hiding))
  if (typeof value === 'object' && value !== null) {
    return maskedMembers(
      value,
      name === 'account' ? { ...hiding, ibanKind: 'accountIban' } : hiding,
    )
  }
  if (typeof value !== 'string') return value
  const { masks, numbers } = hiding
  const visible = hiding.name === undefined ? value : hiding.name.removedFrom(value)
  if (!masks.ibans) return visible
  if (name === 'iban') return maskedIban(visible, hiding)
  if (name === 'accountNumber') return maskedNumber(visible)
  return numbers.reduce((text, number) => number.removedFrom(text), maskedText(visible, hiding))
}

function maskedIban(written: string, { masks, ibanKind }: Hiding): string {
  const mask = maskedNumber(written)
  // One IBAN, however a text spells it, is one value.
  masks.remember?.(ibanKind, mask, compactNumber(written).toUpperCase())
  return mask
}

function counterpartName({ counterpart }: Item): string | undefined {
  if (typeof counterpart !== 'object' || counterpart === null) return undefined
  return 'name' in counterpart && typeof counterpart.name === 'string'
    ? counterpart.name
    : undefined
}

/** Of shorter numbers four characters would reveal too much. */
const SHOWN_LENGTH_MIN = 8
const SHOWN_CHARS = 4

function maskedNumber(written: string): string {
  const number = compactNumber(written)
  return number.length < SHOWN_LENGTH_MIN ? '…' : `…${number.slice(-SHOWN_CHARS)}`
}

function compactNumber(written: string): string {
  return written.replace(/[\s._/-]/g, '')
}

function maskedText(text: string, hiding: Hiding): string {
  let masked = ''
  let from = 0
  for (const { start, end } of ibansIn(text)) {
    masked += text.slice(from, start) + maskedIban(text.slice(start, end), hiding)
    from = end
  }
  return masked + text.slice(from)
}

/** Hex digits of a pseudonym: no two of some thousand names share one. */
const PSEUDONYM_CHARS = 10

/** Each pseudonym within a text. */
export const PSEUDONYM = new RegExp(`Counterpart [0-9a-f]{${PSEUDONYM_CHARS}}`, 'g')

/** Each masked IBAN within a text. */
export const MASKED_IBAN = new RegExp(`…[0-9A-Za-z]{${SHOWN_CHARS}}`, 'g')

/** Pseudonyms that cannot be recomputed without the secret; another process has others. */
export function pseudonymsOf(secret: Uint8Array): Pseudonyms {
  return (name) => {
    const digest = createHmac('sha256', secret).update(name.toLowerCase()).digest('hex')
    return `Counterpart ${digest.slice(0, PSEUDONYM_CHARS)}`
  }
}
