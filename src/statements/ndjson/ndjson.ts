import { compactCode } from '../../iban.js'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  type CategoryRow,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../../store/columns.js'
import type {
  Identity,
  NewRow,
  OpenWorkspace,
  WorkspaceWriter,
} from '../../store/workspace-writer.js'
import { AssignedIds } from '../import/assigned-ids.js'
import { BatchedRows } from '../import/batched-rows.js'
import { Categories, type CategoryChoice, checkName } from '../import/categories.js'
import { DeletedIds } from '../import/deleted-ids.js'
import { ExpectedIdentities, IdentityCounter, type RowDigests } from '../import/identity.js'
import { type ImportOptions, withAdvice } from '../import/import-options.js'
import { ImportCounter, type ImportReport } from '../import/import-report.js'
import {
  accountNamed,
  areDifferentAccounts,
  nameOfAccount,
  OwnAccounts,
} from '../import/own-accounts.js'
import { type FieldChange, fieldChanges, isSameRow } from '../import/row-change.js'
import { faultOfText } from '../import/statement-row.js'
import { type StatementAccount, StatementError } from '../statement.js'
import { linesOf, type NumberedLine } from './ndjson-lines.js'
import type { AccountLine, CategoryLine, TransactionLine } from './ndjson-resource.js'
import { rowOfAccountLine } from './ndjson-row.js'
import { faultOr, type LineRow, type ReadLine, readLine } from './read-line.js'

/**
 * Writes the accounts, categories and transactions of an NDJSON text into the workspace
 * (docs/contract/commands.md, "NDJSON"), in one transaction: all of the text, or nothing.
 *
 * A line with an id creates that resource or identifies it. An account without an id is the one of
 * its IBAN or number; a category without an id is the one of its name and parent; an existing
 * transaction without an id in its line (identity.ts) is never changed. Rows from before the import
 * are replaced only with `update`, and otherwise kept and reported; a later line may replace rows
 * that the import has created.
 * @throws StatementError that names line and member, when a line is faulty and the import is not
 *   lenient, or the text cannot be split into lines; the workspace is then as it was before
 */
export function importNdjson(
  workspace: WorkspaceWriter,
  text: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportReport> {
  return workspace.atomically(async (open) => {
    const running = new NdjsonImport(open, options)
    let lineCount = 0
    for await (const batch of linesOf(text)) {
      running.take(batch)
      lineCount += batch.length
      options.onProgress?.(lineCount)
    }
    options.throwIfCancelled?.('end')
    return running.finish()
  })
}

/** The other resources that a transaction line names. */
interface NamedResources {
  readonly account: AccountRow | { readonly named: StatementAccount }
  readonly category: CategoryChoice
  readonly parent: CategoryChoice
}

class NdjsonImport {
  readonly #rows: BatchedRows
  readonly #counts = new ImportCounter()
  readonly #identities = new IdentityCounter()
  readonly #assignedIds = new AssignedIds()
  readonly #deletedIds: DeletedIds
  readonly #deletedAccountIds: DeletedIds
  readonly #accounts: OwnAccounts
  /** Ids by which the text means other accounts than the workspace, which are kept. */
  readonly #otherAccounts = new Set<number>()
  readonly #categories: Categories
  /**
   * False for a workspace that was empty: it only has identities of this import, which never
   * repeat.
   */
  readonly #mayBeThere: boolean
  /** Rows with larger ids were created by this import. */
  readonly #largestIdBefore: number
  /** Ids at or below it that were free, and that this import has created. */
  readonly #madeIds = new Set<number>()
  /** Larger ids are free, so an export in ascending order needs no query for each line. */
  #largestId: number

  constructor(
    open: OpenWorkspace,
    private readonly options: ImportOptions,
  ) {
    this.#rows = new BatchedRows(open, (id) => {
      this.#assignedIds.add(id)
      this.#noteAdded(id)
    })
    this.#deletedIds = new DeletedIds(open, 'transaction')
    this.#deletedAccountIds = new DeletedIds(open, 'account')
    this.#accounts = new OwnAccounts(open.accounts(), this.#rows, options.now)
    this.#categories = new Categories(this.#rows)
    this.#mayBeThere = open.transactionCount() > 0
    this.#largestIdBefore = open.largestTransactionId()
    this.#largestId = this.#largestIdBefore
  }

  take(batch: readonly NumberedLine[]): void {
    const lines = batch.map((line) => readLine(line, this.options))
    if (this.#mayBeThere) this.#lookAhead(lines)
    for (const line of lines) {
      this.options.throwIfCancelled?.('entry')
      this.#takeLine(line)
    }
    this.#rows.endBatch()
  }

  /** Prefetches the stored rows that the lines of a batch are likely to need. */
  #lookAhead(lines: readonly ReadLine[]): void {
    const transactions = lines.flatMap((read) => {
      if (read.kind !== 'transaction') return []
      const { position, line, content } = read
      if (content === undefined || content instanceof StatementError) return []
      return [{ position, line, ...content }]
    })
    const isOld = (id: number | null): id is number => id !== null && id <= this.#largestId
    this.#rows.expectTransactions(transactions.map(({ row }) => row.id).filter(isOld))
    const expected = new ExpectedIdentities(this.#identities)
    const identities = new Map<number, Identity[]>()
    for (const { position, line, row, digests } of transactions) {
      if (isOld(row.id) && this.#rows.transaction(row.id) !== undefined) continue
      const account = faultOr(() => this.#chooseAccount(position, line, row.currency))
      if (!('id' in account)) continue
      const asked = [digests.line, digests.entry].map((each) => expected.nextOf(account.id, each))
      const others = identities.get(account.id)
      if (others === undefined) identities.set(account.id, asked)
      else others.push(...asked)
    }
    for (const [accountId, asked] of identities) this.#rows.expectIdentities(accountId, asked)
  }

  #takeLine(read: ReadLine): void {
    const { position } = read
    try {
      if (read.kind === 'refused') throw read.error
      if (read.kind === 'account') this.#takeAccount(position, read.line)
      else if (read.kind === 'category') this.#takeCategory(position, read.line)
      else this.#takeTransaction(position, read.line, read.content)
    } catch (error) {
      // A line is refused before its first write.
      if (!(error instanceof StatementError)) throw error
      if (!this.options.lenient) throw new StatementError(withAdvice(error.fault), { cause: error })
      this.#counts.skipped += 1
      this.#counts.warn(`skipped ${error.message}`)
    }
    // Not a fault of the line, which `lenient` would skip.
    if (this.options.allowsManyAccounts !== true) this.#accounts.checkCount(position)
  }

  finish(): ImportReport {
    return this.#counts.report()
  }

  #takeAccount(position: string, line: AccountLine): void {
    const currency = line.currency ?? this.options.currency
    if (currency === undefined) throw missingCurrency(position)
    this.#accounts.assignedIds.check(position, line.id)
    const row = rowOfAccountLine(position, line, currency, this.options.now)
    const known = row.id === null ? this.#accountLike(position, row) : this.#accounts.byId(row.id)
    if (known === undefined) {
      this.#deletedAccountIds.checkNewId(position, 'id', row.id)
      this.#counts.accountIds.add(this.#accounts.insert(row).id)
      return
    }
    this.#counts.accountIds.add(known.id)
    const wanted: AccountRow = {
      ...row,
      id: known.id,
      createdAt: line.createdAt === undefined ? known.createdAt : row.createdAt,
      updatedAt: line.updatedAt === undefined ? known.updatedAt : row.updatedAt,
    }
    if (isSameRow(ACCOUNT_COLUMNS, known, wanted)) return
    const isMadeHere = this.#accounts.isMadeHere(known.id)
    const differences = (): FieldChange[] => fieldChanges(ACCOUNT_COLUMNS, known, wanted)
    if (!isMadeHere && this.options.update !== true) {
      if (line.id !== undefined && areDifferentAccounts(known, wanted)) {
        this.#otherAccounts.add(known.id)
        throw otherAccount(position, 'id', known)
      }
      this.#counts.keep('account', known.id, differences)
      return
    }
    if (!isMadeHere) this.#counts.change('account', known.id, differences)
    if (line.updatedAt === undefined) wanted.updatedAt = this.options.now
    this.#accounts.replace(wanted)
  }

  #takeCategory(position: string, line: CategoryLine): void {
    checkName(position, 'name', line.name)
    this.#categories.assignedIds.check(position, line.id)
    const parent = this.#categories.chooseParent(position, line.parentCategory)
    if (parent.kind === 'new' && parent.id !== null && parent.id === line.id) {
      const message = 'the category would be its own parent'
      throw new StatementError({ position, field: 'parentCategory', message })
    }
    const known = line.id === undefined ? undefined : this.#categories.byId(line.id)
    if (known !== undefined) {
      this.#replaceCategory(position, known, line.name, parent)
      return
    }
    this.#categories.deletedIds.checkNewId(position, 'id', line.id)
    const parentId = this.#categories.settle(parent)
    const isThere =
      line.id === undefined && this.#categories.under(parentId, line.name) !== undefined
    if (!isThere) this.#categories.insert({ id: line.id ?? null, name: line.name, parentId })
  }

  #replaceCategory(
    position: string,
    known: CategoryRow,
    name: string,
    parent: CategoryChoice,
  ): void {
    if (known.name === name && isChosen(parent, known.parentId)) return
    const above = known.parentId === null ? undefined : this.#categories.byId(known.parentId)
    const differences = (): FieldChange[] => {
      return namedChanges({
        name: [known.name, name],
        'parentCategory.name': [above?.name ?? null, this.#categories.nameOf(parent)],
      })
    }
    const isMadeHere = this.#categories.isMadeHere(known.id)
    if (!isMadeHere && this.options.update !== true) {
      this.#categories.keep(known.id, name)
      this.#counts.keep('category', known.id, differences)
      return
    }
    const parentId = this.#categories.settle(parent)
    this.#categories.replace(position, { id: known.id, name, parentId })
    if (!isMadeHere) this.#counts.change('category', known.id, differences)
  }

  #takeTransaction(
    position: string,
    line: TransactionLine,
    content: LineRow | StatementError | undefined,
  ): void {
    if (content === undefined) throw missingCurrency(position)
    if (line.id !== undefined) this.#rows.assignIds()
    this.#assignedIds.check(position, line.id)
    if (content instanceof StatementError) throw content
    const { row, digests } = content
    const { currency } = row
    const account = this.#chooseAccount(position, line, currency)
    const parent = this.#categories.chooseParent(position, line.parentCategory)
    const category = this.#categories.choose(position, line.category, parent)
    const known = this.#knownRow(row.id)
    if (known === undefined) this.#deletedIds.checkNewId(position, 'id', row.id)
    if (known !== undefined && this.#keepsExisting(known.id)) {
      const isWhollyKnown = 'id' in account && parent.kind !== 'new' && category.kind !== 'new'
      // Nothing is created for a row that is kept.
      if (!isWhollyKnown) {
        this.#keepRow(line, known, content, { account, category, parent })
        return
      }
    }

    row.accountId = 'id' in account ? account.id : this.#accounts.create(account.named, currency).id
    this.#counts.accountIds.add(row.accountId)
    row.categoryId = this.#categories.settle(category)
    row.parentCategoryId = this.#categories.settle(parent)
    if (row.categoryId === null && row.parentCategoryId !== null) {
      // Category rule of the contract: a broad category is only in `category`.
      row.categoryId = row.parentCategoryId
      row.parentCategoryId = null
    } else if (line.parentCategory === undefined && row.categoryId !== null) {
      row.parentCategoryId = this.#categories.byId(row.categoryId)?.parentId ?? null
    }
    this.#write(line, { row, digests }, known)
  }

  /** The transaction of that id, from before the import or from an earlier line. */
  #knownRow(id: number | null): TransactionRow | undefined {
    return id === null || id > this.#largestId ? undefined : this.#rows.transaction(id)
  }

  #isMadeHere(id: number): boolean {
    return id > this.#largestIdBefore || this.#madeIds.has(id)
  }

  #keepsExisting(id: number): boolean {
    return this.options.update !== true && !this.#isMadeHere(id)
  }

  /** Keeps a transaction whose line names an unknown account or category. */
  #keepRow(
    line: TransactionLine,
    known: TransactionRow,
    { row, digests }: LineRow,
    { account, category, parent }: NamedResources,
  ): void {
    this.#counts.accountIds.add(known.accountId)
    row.accountId = 'id' in account ? account.id : known.accountId
    if ('id' in account) this.#countLine(row.accountId, digests)
    const { categoryId, parentCategoryId } = known
    const wanted = { ...row, id: known.id, categoryId, parentCategoryId }
    keepDates(line, known, wanted)
    this.#counts.keep('transaction', known.id, () => [
      ...fieldChanges(TRANSACTION_COLUMNS, known, wanted),
      ...namedChanges({
        ...('id' in account ? {} : { account: [known.accountId, nameOfAccount(account.named)] }),
        ...(category.kind !== 'new' ? {} : { 'category.name': [null, category.name] }),
        ...(parent.kind !== 'new' ? {} : { 'parentCategory.name': [null, parent.name] }),
      }),
    ])
  }

  /** To be called once for every line, because equal lines are counted. */
  #countLine(
    accountId: number,
    { line, entry }: RowDigests,
  ): { identity: Identity; inStatement: Identity } {
    return {
      identity: this.#identities.nextOf(accountId, line),
      inStatement: this.#identities.nextOf(accountId, entry),
    }
  }

  #write(
    line: TransactionLine,
    { row, digests }: LineRow,
    known: TransactionRow | undefined,
  ): void {
    const { identity, inStatement } = this.#countLine(row.accountId, digests)
    if (known !== undefined) {
      this.#update(line, known, { ...row, id: known.id }, identity)
      return
    }
    const isTaken =
      this.#mayBeThere &&
      (this.#isTaken(row.accountId, identity) || this.#isTaken(row.accountId, inStatement))
    if (isTaken && row.id === null) {
      this.#counts.unchanged += 1
      return
    }
    // A known booking with a new id is stored twice; only one of the two can be found again.
    this.#rows.insertTransaction(row, isTaken ? null : identity)
    if (row.id !== null) this.#noteAdded(row.id)
    this.#counts.added += 1
  }

  #noteAdded(id: number): void {
    if (id <= this.#largestIdBefore) this.#madeIds.add(id)
    this.#largestId = Math.max(this.#largestId, id)
  }

  #isTaken(accountId: number, identity: Identity): boolean {
    return this.#rows.transactionIdByIdentity(accountId, identity) !== undefined
  }

  #update(
    line: TransactionLine,
    known: TransactionRow,
    row: TransactionRow,
    identity: Identity,
  ): void {
    keepDates(line, known, row)
    if (isSameRow(TRANSACTION_COLUMNS, known, row)) {
      this.#counts.unchanged += 1
      return
    }
    const differences = (): FieldChange[] => fieldChanges(TRANSACTION_COLUMNS, known, row)
    if (this.#keepsExisting(known.id)) {
      this.#counts.keep('transaction', known.id, differences)
      return
    }
    if (!this.#isMadeHere(known.id)) this.#counts.change('transaction', known.id, differences)
    if (line.updatedAt === undefined) row.updatedAt = this.options.now
    const hasMoved = row.accountId !== known.accountId
    // Its identity may belong to another row in the new account.
    if (hasMoved) this.#rows.replaceIdentity(row.id, null)
    this.#rows.updateTransaction(row)
    if (hasMoved && !this.#isTaken(row.accountId, identity)) {
      this.#rows.replaceIdentity(row.id, identity)
    }
    this.#counts.updated += 1
  }

  /** The existing account, or the content of a new one. */
  #chooseAccount(
    position: string,
    line: TransactionLine,
    currency: string,
  ): AccountRow | { named: StatementAccount } {
    if (line.accountId !== undefined) {
      const known = this.#accounts.byId(line.accountId)
      if (known !== undefined && this.#otherAccounts.has(known.id)) {
        throw otherAccount(position, 'accountId', known)
      }
      if (known !== undefined) return known
      const message = `neither the workspace nor an earlier line has account id ${line.accountId}`
      throw new StatementError({ position, field: 'accountId', message })
    }
    const named = this.#namedAccount(position, line)
    return this.#accounts.find(position, named, currency) ?? { named }
  }

  #namedAccount(position: string, line: TransactionLine): StatementAccount {
    const fields = ['iban', 'accountNumber', 'name', 'bankName'] as const
    const named: StatementAccount = {}
    for (const field of fields) {
      const text = line.account?.[field] ?? ''
      const fault = faultOfText(text)
      if (fault !== undefined) {
        throw new StatementError({ position, field: `account.${field}`, message: fault })
      }
      if (text !== '') named[field] = field === 'iban' ? compactCode(text) : text
    }
    if ((named.iban ?? named.accountNumber) !== undefined) return named
    if (this.options.account !== undefined) return accountNamed(this.options.account)
    const message = 'the account is missing; add accountId, account.iban or account.accountNumber'
    throw new StatementError({ position, message })
  }

  /** The account that a line without an id updates: same IBAN or number, and same currency. */
  #accountLike(position: string, row: NewRow<AccountRow>): AccountRow | undefined {
    const { iban, accountNumber, blz, currency } = row
    if ((iban ?? accountNumber) === null) {
      const message = 'the account must have an id, iban or accountNumber'
      throw new StatementError({ position, message })
    }
    const named: StatementAccount = {}
    if (iban !== null) named.iban = iban
    if (accountNumber !== null) named.accountNumber = accountNumber
    if (blz !== null) named.blz = blz
    const found = this.#accounts.find(position, named, currency)
    // A number in two currencies is two accounts, as at PayPal.
    return found?.currency === currency ? found : undefined
  }
}

function otherAccount(position: string, field: string, known: AccountRow): StatementError {
  const message =
    `the workspace has another account with id ${known.id}, ${nameOfAccount(known)}; give the ` +
    'account of the file another id, also in accountId (--update would overwrite the existing one)'
  return new StatementError({ position, field, message })
}

function missingCurrency(position: string): StatementError {
  const message = 'it is missing; add it to the line or specify one, for example --currency EUR'
  return new StatementError({ position, field: 'currency', message })
}

/** Keeps dates that are not in the line. */
function keepDates(line: TransactionLine, known: TransactionRow, row: TransactionRow): void {
  if (line.createdAt === undefined) row.createdAt = known.createdAt
  if (line.importDate === undefined) row.importedAt = known.importedAt
  if (line.updatedAt === undefined) row.updatedAt = known.updatedAt
}

/** Whether a choice is the category of that id; null = none. */
function isChosen(choice: CategoryChoice, id: number | null): boolean {
  return choice.kind === 'known' ? choice.row.id === id : choice.kind === 'none' && id === null
}

/** The fields that differ in the file. @param fields the old and the new value */
function namedChanges(
  fields: Readonly<Record<string, readonly [old: FieldChange['old'], now: FieldChange['new']]>>,
): FieldChange[] {
  return Object.entries(fields).flatMap(([field, [old, now]]) =>
    old === now ? [] : [{ field, old, new: now }],
  )
}
