import type { EpochMs } from '../instant.js'
import type { AccountRow } from '../store/columns.js'
import { emptyAccountRow } from '../store/empty-rows.js'
import type { OpenWorkspace } from '../store/workspace-writer.js'
import { ibanOf } from './check-digits.js'
import type { Party } from './counterparts.js'
import { trimScale } from './draft.js'
import type { Bank, OwnAccountsWords, OwnAccountWords } from './words.js'

/** An account of the company while its history is being generated. */
export interface DemoAccount {
  readonly row: AccountRow
  /** The account as the company's other accounts see it; null = it has no IBAN. */
  readonly asParty: Party | null
  balanceCents: number
}

/** The four accounts. */
export interface DemoAccounts {
  /** EUR current account for the daily business. */
  readonly giro: DemoAccount
  /** EUR savings at a second bank. */
  readonly savings: DemoAccount
  /** EUR, without IBAN. */
  readonly paypal: DemoAccount
  /** USD account of a payment card, settled from the current account every month. */
  readonly card: DemoAccount
}

/** Money on each account before the first booking. */
const OPENING_CENTS = { giro: 4_512_733, savings: 6_000_000, paypal: 81_244, card: 0 }

/** The overdraft limit of the current account. */
const OVERDRAFT_CENTS = 5_000_000

/** Writes the four accounts, without balances: those are known at the end. */
export function insertOwnAccounts(
  open: OpenWorkspace,
  own: OwnAccountsWords,
  banks: readonly Bank[],
  openedAt: EpochMs,
): DemoAccounts {
  const insert = (words: OwnAccountWords, openingCents: number): DemoAccount => {
    const bank = banks.find((entry) => entry.name === words.bank)
    const iban =
      bank === undefined ? null : ibanOf(bank.country, bank.code + words.number.padStart(10, '0'))
    const row: AccountRow = {
      ...emptyAccountRow(words.currency, openedAt),
      id: 0,
      holderName: own.holderName,
      accountNumber: words.number,
      name: words.name,
      bankName: words.bankName ?? null,
      iban,
      bic: bank?.bic ?? null,
      blz: bank?.code ?? null,
    }
    row.id = open.insertAccount({ ...row, id: null })
    return {
      row,
      asParty: iban === null ? null : { name: own.holderName, iban, bic: null, bankName: null },
      balanceCents: openingCents,
    }
  }
  return {
    giro: insert(own.giro, OPENING_CENTS.giro),
    savings: insert(own.savings, OPENING_CENTS.savings),
    paypal: insert(own.paypal, OPENING_CENTS.paypal),
    card: insert(own.card, OPENING_CENTS.card),
  }
}

/** Writes the balances after all bookings; PayPal has no available funds. */
export function updateBalances(
  open: OpenWorkspace,
  accounts: DemoAccounts,
  updatedAt: EpochMs,
): void {
  const { giro, savings, paypal, card } = accounts
  for (const account of [giro, savings, paypal, card]) {
    const { row, balanceCents } = account
    ;[row.balanceUnscaled, row.balanceScale] = trimScale(balanceCents, 2)
    row.updatedAt = updatedAt
    if (account === paypal) continue
    const overdraftCents = account === giro ? OVERDRAFT_CENTS : 0
    const available = trimScale(balanceCents + overdraftCents, 2)
    ;[row.availableFundsUnscaled, row.availableFundsScale] = available
    if (account === giro) {
      ;[row.overdraftUnscaled, row.overdraftScale] = trimScale(overdraftCents, 2)
    }
  }
  for (const account of [giro, savings, paypal, card]) open.updateAccount(account.row)
}
