import { accountNumberOfIban, blzOfIban, compactCode, looksLikeIban } from '../../iban.js'
import type { EpochMs } from '../../instant.js'
import { NEW_ACCOUNTS_MAX } from '../../limits.js'
import type { AccountRow } from '../../store/columns.js'
import { emptyAccountRow } from '../../store/empty-rows.js'
import type { NewRow, OpenWorkspace } from '../../store/workspace-writer.js'
import { shortened } from '../shortened.js'
import { type StatementAccount, StatementError } from '../statement.js'
import { ImportedRows } from './imported-rows.js'

/** Fields that a statement may add to an account that lacks them. */
const FILLED_IN = [
  'iban',
  'accountNumber',
  'name',
  'holderName',
  'bankName',
  'bic',
  'blz',
] as const satisfies readonly (keyof StatementAccount & keyof AccountRow)[]

/** The account that a text names: an IBAN when it looks like one, else an account number. */
export function accountNamed(text: string): StatementAccount {
  const compact = compactCode(text)
  return looksLikeIban(compact) ? { iban: compact } : { accountNumber: text.trim() }
}

/** Length of an account number in messages: longer than an IBAN, and leaves room for the rest. */
const SHOWN_NUMBER_LENGTH_MAX = 64

/** The name of an account in messages: its IBAN, else its number. */
export function nameOfAccount(account: StatementAccount | AccountRow): string {
  const number = account.iban ?? account.accountNumber ?? '(without a number)'
  return `account ${shortened(number, SHOWN_NUMBER_LENGTH_MAX)}`
}

function ibanKey(iban: string): string {
  return `IBAN ${iban}`
}

/** Banks write `0532013000` and `532013000` for one account. */
function numberKey(accountNumber: string): string {
  const compact = compactCode(accountNumber)
  const number = /^\d+$/.test(compact) ? compact.replace(/^0+(?=\d)/, '') : compact
  return `number ${number}`
}

/** Whether two accounts with one id are different accounts of a bank: another IBAN, or number. */
export function areDifferentAccounts(one: AccountRow, two: AccountRow): boolean {
  if (one.iban !== null && two.iban !== null) return one.iban !== two.iban
  if (one.accountNumber === null || two.accountNumber === null) return false
  if (numberKey(one.accountNumber) !== numberKey(two.accountNumber)) return true
  return one.blz !== null && two.blz !== null && one.blz !== two.blz
}

function keysOf({ iban, accountNumber }: AccountRow): string[] {
  return [
    ...(iban === null ? [] : [ibanKey(iban)]),
    ...(accountNumber === null ? [] : [numberKey(accountNumber)]),
  ]
}

/** The account with the number and bank code of its IBAN, if the file has none. */
function completed(named: StatementAccount): StatementAccount {
  if (named.iban === undefined) return named
  const accountNumber = named.accountNumber ?? accountNumberOfIban(named.iban)
  const blz = named.blz ?? blzOfIban(named.iban)
  return {
    ...named,
    ...(accountNumber === undefined ? {} : { accountNumber }),
    ...(blz === undefined ? {} : { blz }),
  }
}

/** The accounts of a workspace while an import finds, creates and changes some of them. */
export class OwnAccounts extends ImportedRows<AccountRow> {
  constructor(
    accounts: readonly AccountRow[],
    private readonly file: Pick<OpenWorkspace, 'insertAccount' | 'updateAccount'>,
    private readonly now: EpochMs,
  ) {
    super(accounts, keysOf)
  }

  /**
   * The account that a file names: the one with that IBAN, else one without an IBAN, with that
   * number and bank code (a missing bank code is not a difference) and the file's currency for the
   * account, because bare numbers of two banks may be equal. Of several, the one in `currency`,
   * else the one with the smallest id.
   * @throws StatementError when a number without a bank code fits accounts of several banks
   */
  find(
    position: string,
    named: StatementAccount,
    currency: string | undefined,
  ): AccountRow | undefined {
    const { iban, accountNumber, blz } = completed(named)
    const sameIban = iban === undefined ? undefined : this.#ofIban(iban, currency)
    if (sameIban !== undefined) return preferred(sameIban, currency)
    if (accountNumber === undefined) return undefined
    const sameNumber = this.#ofNumber(accountNumber, currency).filter(
      (row) =>
        (iban === undefined || row.iban === null) &&
        (named.currency === undefined || row.currency === named.currency) &&
        (blz === undefined || row.blz === null || row.blz === blz),
    )
    const banks = new Set(sameNumber.map((row) => row.blz))
    if (blz === undefined && banks.size > 1) {
      const ids = sameNumber.map((row) => row.id).join(', ')
      throw new StatementError({
        position,
        field: 'accountNumber',
        message: `${accountNumber} matches several accounts (${ids}) of different banks`,
      })
    }
    return preferred(sameNumber, currency)
  }

  // Earlier versions read a currency at the end as part of the number, `1291.99.348EUR`, and every
  // text with the shape of an IBAN as one, `DE12345678`.

  #ofIban(iban: string, currency: string | undefined): readonly AccountRow[] | undefined {
    return this.withKey(ibanKey(iban)) ?? this.withKey(ibanKey(`${iban}${currency ?? ''}`))
  }

  #ofNumber(accountNumber: string, currency: string | undefined): readonly AccountRow[] {
    const rows = this.withKey(numberKey(accountNumber))
    if (rows !== undefined) return rows
    const joined = `${accountNumber}${currency ?? ''}`
    return (
      this.withKey(numberKey(joined)) ??
      this.withKey(numberKey(`${accountNumber}/${currency ?? ''}`)) ??
      this.withKey(ibanKey(compactCode(accountNumber))) ??
      this.withKey(ibanKey(compactCode(joined))) ??
      []
    )
  }

  /** Creates the account that a file names; `currency` must be known. */
  create(named: StatementAccount, currency: string): AccountRow {
    const account = completed(named)
    const row = emptyAccountRow(currency, this.now)
    for (const field of FILLED_IN) row[field] = account[field] ?? null
    return this.insert(row)
  }

  /** Adds the fields that the file has and the account lacks; never changes a known one. */
  fillIn(row: AccountRow, named: StatementAccount): AccountRow {
    const account = completed(named)
    const filled = { ...row }
    for (const field of FILLED_IN) filled[field] ??= account[field] ?? null
    if (FILLED_IN.every((field) => filled[field] === row[field])) return row
    filled.updatedAt = this.now
    this.replace(filled)
    return filled
  }

  insert(row: NewRow<AccountRow>): AccountRow {
    return this.add({ ...row, id: this.file.insertAccount(row) }, row.id)
  }

  /**
   * To be called after each entry.
   * @throws StatementError when the import has created more than {@link NEW_ACCOUNTS_MAX} accounts
   */
  checkCount(position: string): void {
    if (this.madeCount <= NEW_ACCOUNTS_MAX) return
    const message =
      `the file creates more than ${NEW_ACCOUNTS_MAX} accounts, as one does whose accounts are ` +
      'not accounts; check it, and import it with --many-accounts if it is right'
    throw new StatementError({ position, message })
  }

  /** Writes the whole row of an existing account. */
  replace(row: AccountRow): void {
    this.file.updateAccount(row)
    this.set(row)
  }
}

function preferred(
  rows: readonly AccountRow[],
  currency: string | undefined,
): AccountRow | undefined {
  return rows.find((row) => row.currency === currency) ?? rows[0]
}
