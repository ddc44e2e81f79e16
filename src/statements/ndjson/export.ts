import { formatInstant } from '../../instant.js'
import { formatAmount } from '../../money.js'
import type { AccountRow, CategoryRow, TransactionRow } from '../../store/columns.js'
import type { WorkspaceState } from '../../store/workspace.js'

type Value = string | number | null | undefined

/**
 * A state of a workspace as NDJSON (docs/contract/commands.md, "NDJSON"): accounts, categories,
 * transactions, each in ascending order of id, one line at a time and each with its line end.
 * An import of it into an empty workspace creates an equal workspace.
 * @param chosen ids of the transactions to export; absent = all of them
 */
export async function* exportWorkspace(
  state: WorkspaceState,
  chosen?: ReadonlySet<number>,
): AsyncGenerator<string> {
  const accounts = new Map((await state.accounts()).map((row) => [row.id, row]))
  const categories = new Map((await state.categories()).map((row) => [row.id, row]))
  for (const row of accounts.values()) yield accountLine(row)
  for (const row of categories.values()) yield categoryLine(row, categories)
  for await (const batch of state.transactions('oldest')) {
    for (const row of batch) {
      if (chosen?.has(row.id) ?? true) yield transactionLine(row, accounts, categories)
    }
  }
}

function accountLine(row: AccountRow): string {
  return `${object([
    ['kind', text('account')],
    ['id', row.id],
    ['currency', text(row.currency)],
    ['holderName', text(row.holderName)],
    ['accountNumber', text(row.accountNumber)],
    ['name', text(row.name)],
    ['bankName', text(row.bankName)],
    ['iban', text(row.iban)],
    ['bic', text(row.bic)],
    ['blz', text(row.blz)],
    ['balance', amount(row.balanceUnscaled, row.balanceScale)],
    ['availableFunds', amount(row.availableFundsUnscaled, row.availableFundsScale)],
    ['overdraft', amount(row.overdraftUnscaled, row.overdraftScale)],
    ['createdAt', instant(row.createdAt)],
    ['updatedAt', instant(row.updatedAt)],
  ])}\n`
}

function categoryLine(row: CategoryRow, categories: ReadonlyMap<number, CategoryRow>): string {
  return `${object([
    ['kind', text('category')],
    ['id', row.id],
    ['name', text(row.name)],
    ['parentCategory', categoryName(row.parentId, categories)],
  ])}\n`
}

function transactionLine(
  row: TransactionRow,
  accounts: ReadonlyMap<number, AccountRow>,
  categories: ReadonlyMap<number, CategoryRow>,
): string {
  const account = accounts.get(row.accountId)
  return `${object([
    ['kind', text('transaction')],
    ['id', row.id],
    ['accountId', row.accountId],
    [
      'account',
      object([
        ['accountNumber', text(account?.accountNumber)],
        ['name', text(account?.name)],
        ['iban', text(account?.iban)],
        ['bankName', text(account?.bankName)],
      ]),
    ],
    ['amount', amount(row.amountUnscaled, row.amountScale)],
    ['currency', text(row.currency)],
    ['category', categoryName(row.categoryId, categories)],
    ['parentCategory', categoryName(row.parentCategoryId, categories)],
    ['counterpart', counterpart(row)],
    ['createdAt', instant(row.createdAt)],
    ['updatedAt', instant(row.updatedAt)],
    ['importDate', instant(row.importedAt)],
    ['bookingDate', instant(row.bookedAt)],
    ['valueDate', instant(row.valuedAt)],
    ['type', text(row.type)],
    ['purpose', text(row.purpose)],
    ['endToEndReference', text(row.endToEndReference)],
    ['originalAmount', amount(row.originalAmountUnscaled, row.originalAmountScale)],
    ['originalCurrency', text(row.originalCurrency)],
    ['sepaPurposeCode', text(row.sepaPurposeCode)],
    ['primanota', text(row.primanota)],
    ['paypal', paypal(row)],
  ])}\n`
}

function counterpart(row: TransactionRow): string {
  return object([
    ['accountNumber', text(row.counterpartAccountNumber)],
    ['name', text(row.counterpartName)],
    ['iban', text(row.counterpartIban)],
    ['bic', text(row.counterpartBic)],
    ['bankName', text(row.counterpartBankName)],
    ['mandateReference', text(row.mandateReference)],
    ['creditorId', text(row.creditorId)],
    ['customerReference', text(row.customerReference)],
  ])
}

function paypal(row: TransactionRow): string | null {
  const members = object([
    ['invoiceNumber', text(row.paypalInvoiceNumber)],
    ['fee', amount(row.paypalFeeUnscaled, row.paypalFeeScale)],
    ['net', amount(row.paypalNetUnscaled, row.paypalNetScale)],
  ])
  return members === '{}' ? null : members
}

function categoryName(id: number | null, categories: ReadonlyMap<number, CategoryRow>): string {
  return object([
    ['id', id],
    ['name', text(id === null ? null : categories.get(id)?.name)],
  ])
}

/** A JSON object of serialized values; null and undefined are left out. */
function object(members: readonly (readonly [name: string, value: Value])[]): string {
  let json = ''
  for (const [name, value] of members) {
    if (value === null || value === undefined) continue
    json += `${json === '' ? '' : ','}"${name}":${value}`
  }
  return `{${json}}`
}

/** The text, or null for an empty one, which the import reads as absent. */
function text(value: string | null | undefined): string | null {
  return value === null || value === undefined || value === '' ? null : JSON.stringify(value)
}

function amount(unscaled: number | null, scale: number | null): string | null {
  return unscaled === null ? null : formatAmount(unscaled, scale ?? 0)
}

function instant(at: number | null): string | null {
  return at === null ? null : `"${formatInstant(at)}"`
}
