import { strict as assert } from 'node:assert'
import { type EpochMs, parseDay } from '../instant.js'
import { DEMO_TRANSACTIONS_MAX } from '../limits.js'
import type { WorkspaceState } from '../store/workspace.js'
import type { AddedRow, OpenWorkspace, WorkspaceWriter } from '../store/workspace-writer.js'
import {
  bankingDays,
  type Day,
  dayNumberOf,
  midnightOf,
  periodDays,
  weekdayOf,
} from './calendar.js'
import { cardCheck, cardPayment, foreignCardPayment, usdCardPayment } from './cards.js'
import { type Company, createCompany } from './company.js'
import { centsOf, type Posting } from './draft.js'
import { type CategoryPlaces, fileUnderCategory, insertCategories, stampImport } from './filing.js'
import { dueObligations, type MakePostings, type Obligation, obligationsOf } from './obligations.js'
import { paypalRefund, paypalSale } from './online-shop.js'
import { type DemoAccount, insertOwnAccounts, updateBalances } from './own-accounts.js'
import { randomOf, spread } from './random.js'
import {
  collection,
  customerPayment,
  returnedCollection,
  supplierPayment,
  supplierRefund,
  takings,
} from './trade.js'
import { paypalPayout, savingsTransfer } from './transfers.js'
import { readWords } from './words.js'

/** The content of a demo workspace. */
export interface DemoOptions {
  /** Rows, 1 to DEMO_TRANSACTIONS_MAX. */
  readonly transactions: number
  /** A safe integer, 0 or more: the same one gives the same rows. */
  readonly seed: number
  /** Midnight UTC of the last day; the clock is never read. Default: {@link DEMO_ENDS_ON}. */
  readonly endsOn?: EpochMs
}

/** Last day of the demo's history. */
const DEMO_ENDS_ON = '2026-10-31'

/** Rows between two reports of progress. */
const PROGRESS_ROWS = 10_000

/** The occasions of any day, as often as their weights. */
const OCCASIONS = spread<MakePostings>([
  [400, cardPayment],
  [190, customerPayment],
  [125, supplierPayment],
  [80, paypalSale],
  [65, usdCardPayment],
  [22, collection],
  [16, takings],
  [10, supplierRefund],
  [8, foreignCardPayment],
  [8, returnedCollection],
  [6, savingsTransfer],
  [6, paypalPayout],
  [6, paypalRefund],
  [3, cardCheck],
])

/** Bookings of Monday to Friday: two days without banks pile up on Monday. */
const WEEKDAY_WEIGHTS = [130, 100, 95, 100, 110]

/** In a thousand: how often the next booking is one that is due, while there is one. */
const DUE_PER_MILLE = 700

/** The counts of a workspace that show whether it is empty, of a state or an open workspace. */
type Countable = {
  readonly [Name in 'accounts' | 'categories' | 'transactionCount']:
    | WorkspaceState[Name]
    | OpenWorkspace[Name]
}

/** Whether the workspace is empty: the demo fills no other. @throws StoreError */
export async function isUntouched(workspace: Countable): Promise<boolean> {
  if ((await workspace.accounts()).length > 0) return false
  if ((await workspace.categories()).length > 0) return false
  return (await workspace.transactionCount()) === 0
}

/**
 * Fills an empty workspace with the bank data of an invented company: four accounts, a tree of
 * categories and exactly `transactions` rows, ids ascending with their booking dates. Equal options
 * give equal rows, every instant among them. All of it is written in one transaction of the file.
 * @param onProgress called with the rows written so far, now and then
 * @returns rows written; 0 when the workspace is not empty, and nothing has changed
 * @see docs/contract/commands.md, "Commands"
 */
export async function fillDemo(
  workspace: WorkspaceWriter,
  options: DemoOptions,
  onProgress: (written: number) => void = () => {},
): Promise<number> {
  const { transactions } = options
  assert(Number.isSafeInteger(transactions) && transactions >= 1, 'there is something to write')
  assert(transactions <= DEMO_TRANSACTIONS_MAX)
  return workspace.atomically(async (open) => {
    if (!(await isUntouched(open))) return 0
    writeHistory(open, options, onProgress)
    return transactions
  })
}

function writeHistory(
  open: OpenWorkspace,
  options: DemoOptions,
  onProgress: (written: number) => void,
): void {
  const { transactions } = options
  const endsOn = options.endsOn ?? parseDay(DEMO_ENDS_ON)
  assert(endsOn !== undefined, 'the last day exists')
  const random = randomOf(options.seed)
  const words = readWords()
  const days = historyDays(dayNumberOf(endsOn), transactions)
  const [firstDay] = days
  assert(firstDay !== undefined)
  const openedAt = midnightOf(firstDay.number)
  const accounts = insertOwnAccounts(open, words.own, words.banks, openedAt)
  const places = insertCategories(open, words.categories)
  const perDay = transactions / days.length
  const company = createCompany(random, words, accounts, { firstDay, perDay })
  const endsAt = endsOn + 86_399_999
  const drafted: AddedRow[] = []
  const draft = drafterOf(drafted, company, places, endsAt)
  const quotas = rowsByDay(days, transactions)
  const obligations = obligationsOf(company, firstDay.year)
  const due: Obligation[] = []
  let written = 0
  days.forEach((day, at) => {
    const before = days[at - 1]?.number ?? day.number - 1
    due.push(...dueObligations(obligations, before, day.number))
    const target = quotas[at] ?? transactions
    while (written < target) {
      const postings = nextPostings(company, day, due)
      // A transfer whose second half does not fit into the last row is replaced, never split.
      const fitting =
        postings.length > transactions - written ? cardPayment(company, day) : postings
      for (const posting of fitting) {
        draft(posting, day)
        written += 1
        if (written % PROGRESS_ROWS !== 0) continue
        open.addTransactions(drafted.splice(0))
        onProgress(written)
      }
    }
  })
  open.addTransactions(drafted)
  updateBalances(open, accounts, endsAt)
}

function nextPostings(company: Company, day: Day, due: Obligation[]): Posting[] {
  const { random } = company
  if (due.length > 0 && random.chance(DUE_PER_MILLE)) {
    return due.shift()?.post(company, day) ?? []
  }
  return random.pick(OCCASIONS)(company, day)
}

/** The banking days of the history, at least one. */
function historyDays(lastDay: number, transactions: number): Day[] {
  let first = lastDay - periodDays(transactions) + 1
  let days = bankingDays(first, lastDay)
  while (days.length === 0) {
    first -= 1
    days = bankingDays(first, lastDay)
  }
  return days
}

/** The cumulative row count at the end of each day; the last is all of them. */
function rowsByDay(days: readonly Day[], transactions: number): number[] {
  const weights = days.map((day) => {
    const weight = WEEKDAY_WEIGHTS[weekdayOf(day.number)] ?? 100
    return day.month === 11 || day.month === 12 ? weight + 20 : weight
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return weights.map((weight) => {
    sum += weight
    return Math.floor((transactions * sum) / total)
  })
}

/** Makes postings rows of the file, in this list. */
function drafterOf(
  drafted: AddedRow[],
  company: Company,
  places: CategoryPlaces,
  endsAt: EpochMs,
): (posting: Posting, day: Day) => void {
  const { random, accounts } = company
  const { giro, savings, paypal, card } = accounts
  const byId = new Map<number, DemoAccount>(
    [giro, savings, paypal, card].map((account) => [account.row.id, account]),
  )
  return (posting, day) => {
    const { row } = posting
    const account = byId.get(row.accountId)
    assert(account !== undefined, 'postings are of the four accounts')
    fileUnderCategory(posting, places, random)
    stampImport(row, day.number, { random, primanota: account === giro, endsAt })
    account.balanceCents += gainCents(posting)
    drafted.push({ row, identity: null })
  }
}

/** The effect of the booking on its account: PayPal keeps its fee. */
function gainCents({ row }: Posting): number {
  if (row.paypalNetUnscaled === null) return centsOf(row)
  return row.paypalNetUnscaled * 10 ** (2 - (row.paypalNetScale ?? 0))
}
