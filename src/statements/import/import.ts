import type { EpochMs } from '../../instant.js'
import type { AccountRow, TransactionRow } from '../../store/columns.js'
import type {
  Identity,
  NewRow,
  OpenWorkspace,
  WorkspaceWriter,
} from '../../store/workspace-writer.js'
import {
  type StatementAccount,
  StatementError,
  type StatementEvent,
  type StatementFault,
  type StatementTransaction,
} from '../statement.js'
import {
  BalanceCheck,
  type CheckedStatement,
  type ClosingBalance,
  differencesOf,
  placeOfStatement,
} from './balance-check.js'
import { BatchedRows } from './batched-rows.js'
import { ChainedStatements } from './chained-statements.js'
import { ClosingBalances } from './closing-balances.js'
import { EarlierRows, type UnknownBooking } from './earlier-rows.js'
import { EntryNotes } from './entry-notes.js'
import { EqualReferences } from './equal-references.js'
import { ExpectedRows } from './expected-rows.js'
import { FileBalances } from './file-balances.js'
import { countedIdentity, IdentityCounter, lineDigest, textsOf, utcDayOf } from './identity.js'
import { type ImportOptions, withAdvice } from './import-options.js'
import { ImportCounter, type ImportReport } from './import-report.js'
import { JoinedEntries } from './joined-entries.js'
import { NewestBookings } from './newest-bookings.js'
import { OtherDays } from './other-days.js'
import { accountNamed, nameOfAccount, OwnAccounts } from './own-accounts.js'
import {
  distinctSentence,
  KnownStatements,
  RepeatedStatement,
  repeatedSentence,
} from './repeated-statement.js'
import {
  faultOfAccount,
  faultOfTransaction,
  rowAsWritten,
  rowOfTransaction,
} from './statement-row.js'

/**
 * Entries held until the end of a statement, when it is known whether it repeats one: a busy month.
 */
const HELD_MAX = 10_000

/** Currencies of one statement: half of those that exist. */
const STATEMENT_CURRENCIES_MAX = 100

/**
 * Writes the events of a statement reader into the workspace, in one transaction: all of the
 * file, or nothing. Existing transactions are kept unchanged (identity.ts). The file's balances are
 * checked against its entries (a warning when they differ), and the newest one becomes the
 * account's.
 * @throws StatementError when the reader cannot continue, when an entry is refused and the import
 *   is not lenient, or when account or currency remain unknown; the workspace is then as it was
 *   before
 */
export function importStatement(
  workspace: WorkspaceWriter,
  events: AsyncIterable<readonly StatementEvent[]>,
  options: ImportOptions,
): Promise<ImportReport> {
  return workspace.atomically(async (open) => {
    const running = new StatementImport(open, options)
    let entryCount = 0
    for await (const batch of events) {
      running.take(batch)
      entryCount += batch.length
      options.onProgress?.(entryCount)
    }
    const report = running.finish()
    options.throwIfCancelled?.('end')
    return report
  })
}

class StatementImport {
  readonly #rows: BatchedRows
  readonly #expected: ExpectedRows
  readonly #counts = new ImportCounter()
  readonly #identities = new IdentityCounter()
  readonly #accounts: OwnAccounts
  readonly #balances = new FileBalances()
  readonly #entryNotes = new EntryNotes()
  readonly #known = new KnownStatements()
  readonly #equal = new EqualReferences()
  readonly #otherDays: OtherDays
  readonly #closings: ClosingBalances
  readonly #addedTo = new Set<number>()
  /** Newest booking of an account before an interim statement of it. */
  readonly #bookedBefore = new Map<number, EpochMs | undefined>()
  readonly #entries: JoinedEntries
  readonly #earlier: EarlierRows
  readonly #newest: NewestBookings
  readonly #chains: ChainedStatements
  /** Number of bookings that are rows of an earlier version, worded differently. */
  #earlierCount = 0
  /** False for a workspace that was empty when the import began, without rows to find. */
  readonly #mayBeThere: boolean
  #named: StatementAccount | undefined
  #isNamedByFile = false
  #isInterim = false
  #account: AccountRow | undefined
  #check = new BalanceCheck()
  #statementKey: string | undefined
  /**
   * Entries of the open statement, if it may repeat one of this file, which is known at its end.
   */
  #held: StatementTransaction[] | undefined
  /** Set if the open statement repeats one of this file. */
  #repeated: RepeatedStatement | undefined
  /** Set if the open statement may be of the running day: its references may recur. */
  #interim: IdentityCounter | undefined
  #entryCount = 0
  #addedBefore = 0
  /** Digest of the identity's base of the last row. */
  #base = ''
  #unchangedBefore = 0

  constructor(
    open: OpenWorkspace,
    private readonly options: ImportOptions,
  ) {
    const { now } = options
    const rows = new BatchedRows(open)
    this.#rows = rows
    this.#accounts = new OwnAccounts(open.accounts(), rows, now)
    this.#mayBeThere = open.transactionCount() > 0 || open.hasEntries()
    this.#earlier = new EarlierRows(open)
    this.#otherDays = new OtherDays(rows)
    this.#newest = new NewestBookings(rows)
    this.#chains = new ChainedStatements(open, {
      warn: (sentence) => this.#counts.warn(sentence),
      addUpTo: (accountId, base, count, like) => this.#addUpTo(accountId, base, count, like),
      hasUpTo: (accountId, base, count) =>
        this.#idOf(accountId, [countedIdentity(base, count - 1)]) !== undefined,
    })
    this.#closings = new ClosingBalances(this.#accounts, this.#chains)
    this.#entries = new JoinedEntries(rows, {
      now,
      includesNotifications: options.includesNotifications === true,
      counts: this.#counts,
      add: (accountId, transaction) => this.#addRow(accountId, transaction),
      claimEarlier: (bookings) => this.#claimEarlier(bookings),
      onChange: (accountId) => this.#addedTo.add(accountId),
    })
    const [identities, entries, otherDays] = [this.#identities, this.#entries, this.#otherDays]
    this.#expected = new ExpectedRows({ now, rows, identities, entries, otherDays })
    if (options.account !== undefined) this.#named = accountNamed(options.account)
  }

  take(batch: readonly StatementEvent[]): void {
    this.#expected.begin()
    let seen = 0
    for (const [i, event] of batch.entries()) {
      this.options.throwIfCancelled?.('entry')
      if (event.kind === 'transaction' && i >= seen) seen = this.#lookAhead(batch, i)
      this.#takeEvent(event)
    }
    this.#rows.endBatch()
  }

  /** @returns the position in the batch of the next prefetch */
  #lookAhead(batch: readonly StatementEvent[], place: number): number {
    const event = batch[place]
    if (event?.kind !== 'transaction') return place
    // A refused entry opens no account.
    if (faultOfTransaction(event.transaction) !== undefined) return place + 1
    const { id } = this.#openAccount(event.transaction.currency)
    const mayBeThere = this.#mayBeThere || this.#isInterim
    return this.#expected.take(batch, place, { id, named: this.#named }, mayBeThere)
  }

  #takeEvent(event: StatementEvent): void {
    switch (event.kind) {
      case 'account':
        this.#closeStatement()
        this.#named = event.account
        this.#isNamedByFile = true
        this.#isInterim = event.isInterim === true
        this.#beginStatement(event.statementKey)
        break
      case 'balance':
        this.#openAccount(event.balance.currency)
        this.#check.addBalance(event.balance)
        this.#checkCurrencies()
        break
      case 'transaction':
        this.#takeTransaction(event.transaction)
        break
      case 'warning':
        this.#counts.warn(`${event.position}: ${event.message}`)
        break
      case 'refused':
        this.#refuse(event.fault)
        break
    }
  }

  finish(): ImportReport {
    this.#closeStatement()
    this.#entries.finish()
    for (const sentence of [...this.#entryNotes.sentences(), this.#otherDays.sentence()]) {
      if (sentence !== undefined) this.#counts.warn(sentence)
    }
    const isOne = this.#earlierCount === 1
    if (this.#earlierCount > 0) {
      const rows = isOne ? '1 entry was' : `${this.#earlierCount} entries were`
      this.#counts.warn(`${rows} already imported by an earlier version of kontor`)
    }
    const { proof, newest } = this.#balances.finish((sentence) => this.#counts.warn(sentence))
    for (const [accountId, closing] of newest) this.#closings.add(accountId, [closing])
    this.#newest.forget()
    this.#closings.keep(this.#addedTo, this.#newest, this.options.now)
    this.#rows.endBatch()
    return { ...this.#counts.report(), balances: proof }
  }

  #takeTransaction(written: StatementTransaction): void {
    const fault = faultOfTransaction(written)
    if (fault !== undefined) {
      this.#refuse(fault)
      return
    }
    const account = this.#openAccount(written.currency)
    if (written.entry?.source !== 'notification') {
      const bookedAt = written.bookedAt ?? written.valuedAt
      this.#check.addEntry(written.amount, written.currency, bookedAt, written.valuedAt)
      this.#checkCurrencies()
    }
    this.#entryCount += 1
    if (this.#held === undefined) {
      this.#takeEntry(account, written)
      return
    }
    this.#held.push(written)
    if (this.#held.length >= HELD_MAX) this.#release(account, true)
  }

  #checkCurrencies(): void {
    if (this.#check.currencyCount <= STATEMENT_CURRENCIES_MAX) return
    const message =
      `a statement of it has more than ${STATEMENT_CURRENCIES_MAX} currencies; ` +
      'check the file: its currencies are probably other texts'
    const position = this.#account === undefined ? 'the file' : nameOfAccount(this.#account)
    throw new StatementError({ position, message })
  }

  /** Takes the held entries of the open statement. */
  #release(account: AccountRow, isRepeated: boolean): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (isRepeated) this.#repeated = new RepeatedStatement(this.#identities)
    for (const each of held) this.#takeEntry(account, each)
  }

  #takeEntry(account: AccountRow, written: StatementTransaction): void {
    const isNotified = written.entry?.source === 'notification'
    const transaction = this.#repeated?.alone(written) ?? written
    if (!isNotified && this.#repeated === undefined) this.#balances.addRow(account, transaction)
    this.#entryNotes.take(transaction)
    this.#newest.take(account.id, transaction)
    if (!this.#entries.take(account.id, transaction)) this.#addRow(account.id, transaction)
    const hasReference = transaction.bankReference !== undefined || transaction.entry !== undefined
    if (!isNotified) this.#chains.addEntry(transaction, hasReference ? undefined : this.#base)
  }

  /** Adds a transaction, unless it exists. */
  #addRow(accountId: number, transaction: StatementTransaction): void {
    const { row, base, line } = this.#expected.bookingOf(accountId, transaction)
    const { bankReference } = transaction
    const identities =
      this.#repeated?.identities ??
      (bankReference === undefined ? this.#identities : (this.#interim ?? this.#identities))
    this.#base = base
    const identity = identities.nextOf(accountId, this.#base)
    const mayBeThere = this.#mayBeThere || this.#repeated !== undefined || this.#isInterim
    const ofLine = (): Identity => identities.nextOf(accountId, line ?? lineDigest(row))
    const mayBe = mayBeThere ? [identity, ofLine()] : []
    const id = this.#idOf(accountId, mayBe)
    if (id === undefined) {
      this.#otherDays.take(rowAsWritten(row, transaction), transaction, this.#isInterim)
      const worded = this.#equal.textFor(accountId, transaction, (known, each) =>
        this.#isStoredAs(known, accountId, each),
      )
      const same = worded === transaction
      this.#addUnknown({
        row: same ? row : rowOfTransaction(worded, accountId, this.options.now),
        identity,
      })
      return
    }
    this.#equal.add(accountId, transaction, id)
    this.#counts.unchanged += 1
    const displaced = this.#earlier.claim(id)
    if (displaced === undefined) return
    this.#counts.unchanged -= 1
    this.#earlierCount -= 1
    this.#addUnknown(displaced)
  }

  /** Whether a stored row has the texts of a transaction. */
  #isStoredAs(id: number, accountId: number, transaction: StatementTransaction): boolean {
    const stored = this.#rows.transaction(id)
    const row = rowOfTransaction(transaction, accountId, this.options.now)
    return stored !== undefined && textsOf(stored).join('\n') === textsOf(row).join('\n')
  }

  /** Adds a booking with an unknown identity, unless an earlier version has imported it. */
  #addUnknown(booking: UnknownBooking): void {
    if (this.#earlier.claimLike(booking)) {
      this.#counts.unchanged += 1
      this.#earlierCount += 1
      return
    }
    this.#rows.insertTransaction(booking.row, booking.identity)
    this.#addedTo.add(booking.row.accountId)
    this.#counts.added += 1
  }

  #claimEarlier(bookings: readonly UnknownBooking[]): boolean {
    if (!this.#earlier.claimAllLike(bookings)) return false
    this.#counts.unchanged += bookings.length
    this.#earlierCount += bookings.length
    return true
  }

  /** See ChainedStatements. */
  #addUpTo(
    accountId: number,
    base: string,
    count: number,
    like: StatementTransaction | undefined,
  ): number {
    const row =
      like === undefined
        ? this.#rowLike(this.#idOf(accountId, [countedIdentity(base, 0)]))
        : rowOfTransaction(like, accountId, this.options.now)
    if (row === undefined) return 0
    const line = lineDigest(row)
    const before = this.#counts.added
    for (let n = this.#identities.countOf(accountId, base); n < count; n++) {
      const identity = countedIdentity(base, n)
      if (this.#idOf(accountId, [identity, countedIdentity(line, n)]) !== undefined) continue
      const { added } = this.#counts
      this.#addUnknown({ row, identity })
      const wasCounted = like !== undefined && this.#counts.unchanged > this.#unchangedBefore
      if (wasCounted || this.#counts.added === added) this.#counts.unchanged -= 1
    }
    return this.#counts.added - before
  }

  /** A new row with the texts of a stored one. */
  #rowLike(id: number | undefined): NewRow<TransactionRow> | undefined {
    const row = id === undefined ? undefined : this.#rows.transaction(id)
    const { now } = this.options
    const times = { createdAt: now, updatedAt: now, importedAt: now }
    return row && { ...row, ...times, id: null, categoryId: null, parentCategoryId: null }
  }

  #idOf(accountId: number, identities: readonly Identity[]): number | undefined {
    for (const each of identities) {
      const id = this.#rows.transactionIdByIdentity(accountId, each)
      if (id !== undefined) return id
    }
    return undefined
  }

  #refuse(fault: StatementFault): void {
    if (!this.options.lenient) throw new StatementError(withAdvice(fault))
    this.#counts.skipped += 1
    this.#counts.warn(`skipped ${new StatementError(fault).message}`)
  }

  /** The account of the statement that is being read; found or created at its first use. */
  #openAccount(currency: string | undefined): AccountRow {
    if (this.#account !== undefined) return this.#account
    const named = this.#named
    if (named === undefined || (named.iban ?? named.accountNumber) === undefined) {
      throw new StatementError({
        position: 'the file',
        message: 'it does not name an account; specify one with --account IBAN',
      })
    }
    const fault = faultOfAccount(named)
    if (fault !== undefined) throw new StatementError(fault)
    const wanted = named.currency ?? this.options.currency ?? currency
    const known = this.#accounts.find(nameOfAccount(named), named, wanted)
    if (known === undefined && wanted === undefined) {
      throw new StatementError({
        position: nameOfAccount(named),
        message: 'the file does not name a currency; specify one, for example --currency EUR',
      })
    }
    this.#account =
      known === undefined
        ? this.#accounts.create(named, wanted ?? '')
        : this.#accounts.fillIn(known, named)
    const { id } = this.#account
    if (this.options.allowsManyAccounts !== true) this.#accounts.checkCount(nameOfAccount(named))
    this.#counts.accountIds.add(id)
    if (this.#isInterim && !this.#bookedBefore.has(id)) {
      this.#bookedBefore.set(id, this.#newest.of(id))
    }
    return this.#account
  }

  /** @param key equal for two statements when the second may repeat the first */
  #beginStatement(key: string | undefined): void {
    this.#entryCount = 0
    this.#addedBefore = this.#counts.added
    this.#unchangedBefore = this.#counts.unchanged
    this.#chains.begin()
    this.#repeated = undefined
    this.#interim = this.#isInterim ? new IdentityCounter(this.#identities) : undefined
    this.#statementKey = key
    const mayRepeat = key !== undefined && this.#known.begin(key)
    // A later report of a day repeats the entries of the one before, and may add to them.
    if (mayRepeat && this.#isInterim) this.#repeated = new RepeatedStatement(this.#identities)
    this.#held = mayRepeat && !this.#isInterim ? [] : undefined
  }

  /** Decides at its end whether the open statement repeats one of this file. */
  #endRepetition(
    account: AccountRow,
    place: string,
    statements: readonly CheckedStatement[],
  ): void {
    const key = this.#statementKey
    const isRepeated = key !== undefined && this.#known.end(key, statements)
    if (this.#held !== undefined) {
      if (!isRepeated) this.#counts.warn(distinctSentence(place))
      this.#release(account, isRepeated)
    } else if (this.#repeated !== undefined && !isRepeated && !this.#isInterim) {
      const message =
        'has the number and the opening balance of an earlier statement of this file, but other ' +
        `entries, and more than ${HELD_MAX}; import the two statements as two files`
      throw new StatementError({ position: place, message })
    }
  }

  #closeStatement(): void {
    // A statement without entries still names an account.
    const account = this.#isNamedByFile ? this.#openAccount(undefined) : this.#account
    const name = account === undefined ? '' : nameOfAccount(account)
    const statements = this.#check.statements()
    const [first] = statements
    const place = first === undefined ? name : `${name}, ${placeOfStatement(first)}`
    if (account !== undefined) this.#endRepetition(account, place, statements)
    this.#account = undefined
    this.#entries.finishEntry()
    if (account === undefined) return
    if (this.#repeated === undefined && !this.#isInterim) {
      this.#chains.end(account.id, place, statements)
    }
    const addedCount = this.#counts.added - this.#addedBefore
    if (this.#repeated !== undefined) {
      this.#counts.warn(repeatedSentence(place, this.#entryCount, addedCount))
      if (addedCount > 0 || this.#isInterim) this.#balances.addUnproved(account, statements)
    } else {
      for (const sentence of differencesOf(name, statements)) this.#counts.warn(sentence)
      for (const each of statements) {
        this.#balances.addStatement(account, { ...each, isInterim: this.#isInterim })
      }
    }
    if (this.#repeated === undefined || this.#isInterim) {
      const closings = this.#check.closings().filter((each) => this.#mayReplace(account, each))
      this.#closings.add(account.id, closings)
    }
    this.#check = new BalanceCheck()
  }

  /**
   * Whether a closing balance may become the account's. That of the running day may only if nothing
   * of that day is known: of two balances of a day, the file does not show which is later.
   */
  #mayReplace({ id, balanceUnscaled }: AccountRow, { at }: ClosingBalance): boolean {
    if (!this.#isInterim || balanceUnscaled === null) return true
    const before = this.#bookedBefore.get(id)
    return before === undefined || (at !== undefined && utcDayOf(before) < utcDayOf(at))
  }
}
