import { warningOfIban } from '../account-text.js'
import type { StatementAccount, StatementEvent, StatementReader } from '../statement.js'
import { FIELD_CODE_POINTS_MAX, STATEMENT_BATCH_EVENTS, StatementError } from '../statement.js'
import { AccountParts } from './csv-account-parts.js'
import type { WrittenBalance } from './csv-balance.js'
import { balanceIn, kindAmong, kindBefore } from './csv-balance.js'
import { DirectionCheck } from './csv-direction-check.js'
import type { CsvLayout } from './csv-layout.js'
import { findLayout } from './csv-layout.js'
import type { CsvNotation } from './csv-notation.js'
import { inferNotation, needsEvidence } from './csv-notation.js'
import { PendingRows } from './csv-pending-rows.js'
import type { CsvPlan } from './csv-plan.js'
import { planOf } from './csv-plan.js'
import type { BrokenRecord, CsvRecord } from './csv-records.js'
import { plainLines, readRecords } from './csv-records.js'
import { SignCheck } from './csv-sign-check.js'
import { usualKind } from './csv-sums.js'
import { continuationIn, readCsvEntry } from './csv-transaction.js'
import { unknownTable } from './csv-unknown.js'

/**
 * Characters of a CSV file that are searched for delimiter and header: twice forty lines of the
 * widest bank export.
 */
const CSV_HEAD_CHARS = 65_536

/**
 * Records that are held until their dates and amounts prove the notation: a month of a busy
 * account, small enough to hold.
 */
const CSV_EVIDENCE_RECORDS_MAX = 1_000

/** Balances in lines around one table; a bank writes two. */
const BALANCES_MAX = 10

/**
 * Reads the CSV export of a bank: one of the known profiles, or any table with `--columns`. Each
 * record is a transaction, a `refused` event that names line, column and text found, or (not yet
 * booked) a `warning`. Balances in lines around the table follow its transactions. Constant memory;
 * positions are physical lines.
 * @throws StatementError when the header is unknown, account or currency are missing, or the
 *   notation is ambiguous
 */
export const readCsv: StatementReader = async function* (text, options) {
  const lines = plainLines(text)
  try {
    const { head, isWhole } = await takeHead(lines)
    if (head.trim() === '') {
      throw new StatementError({ position: 'line 1', message: 'the file is empty' })
    }
    const begin = isWhole ? head : wholeLines(head)
    const layout = findLayout(begin, options.columns)
    if (layout === undefined) throw unknownTable(begin, options)
    const plan = planOf(layout, options)
    const skipped = skippedRecords(layout)
    if (skipped !== undefined) yield [skipped]
    const body = joined(withoutLines(head, layout.firstLine - 1), lines)
    const { delimiter, firstLine, widthMax } = layout
    const { quote } = layout.profile
    const enclosed = quote === undefined ? undefined : { quote, widthMax }
    yield* eventsOf(readRecords(body, delimiter, firstLine, enclosed), layout, plan)
  } finally {
    await lines.return(undefined)
  }
}

/** Warning about lines before the first record of a table without a header. */
function skippedRecords({ hasHeader, preamble }: CsvLayout): StatementEvent | undefined {
  const [first] = preamble
  if (hasHeader || first === undefined) return undefined
  const found = JSON.stringify(first.cells.join(' | ').slice(0, 80))
  const count = preamble.length === 1 ? 'this line' : `${preamble.length} lines from here on`
  const message = `${count} before the first date is taken for a heading, and skipped: ${found}`
  return { kind: 'warning', message, position: `line ${first.line}` }
}

async function takeHead(lines: AsyncIterator<string>): Promise<{ head: string; isWhole: boolean }> {
  let head = ''
  while (head.length < CSV_HEAD_CHARS) {
    const next = await lines.next()
    if (next.done === true) return { head, isWhole: true }
    head += next.value
  }
  return { head, isWhole: false }
}

function wholeLines(head: string): string {
  return head.slice(0, head.lastIndexOf('\n') + 1)
}

function withoutLines(text: string, count: number): string {
  let start = 0
  for (let line = 0; line < count; line += 1) start = text.indexOf('\n', start) + 1
  return text.slice(start)
}

async function* joined(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield head
  yield* rest
}

/** Turns the records of one table into batches of events. */
class EventBatches {
  batch: StatementEvent[] = []
  #accountKey = ''
  #accountCount = 0
  #currency: string | undefined
  readonly #warnedAccounts = new Set<string>()
  readonly #balances: WrittenBalance[]
  readonly #directions: DirectionCheck
  readonly #signs: SignCheck
  readonly #parts: AccountParts
  readonly #pending: PendingRows

  constructor(
    private readonly plan: CsvPlan,
    private readonly notation: CsvNotation,
    before: readonly CsvRecord[],
  ) {
    const lines = plan.profile.balanceLines
    this.#directions = new DirectionCheck(plan)
    this.#signs = new SignCheck(plan)
    this.#parts = new AccountParts(plan)
    this.#pending = new PendingRows(plan, notation)
    this.#balances = before.flatMap((record) => {
      const kind = kindBefore(record, lines)
      return kind === undefined ? [] : (balanceIn(record, kind, notation) ?? [])
    })
  }

  take(record: CsvRecord | BrokenRecord): void {
    if ('fault' in record) {
      this.batch.push({ kind: 'refused', fault: record.fault })
      return
    }
    const entry = readCsvEntry(record, this.#pending.planFor(record), this.notation)
    if (entry.kind === 'around') {
      const kind = kindAmong(record, this.plan.profile.balanceLines) ?? usualKind(record)
      const written = kind === undefined ? undefined : balanceIn(record, kind, this.notation)
      const balance = entry.balance ?? written
      if (balance !== undefined && this.#balances.length < BALANCES_MAX)
        this.#balances.push(balance)
    } else if (entry.kind === 'booking') {
      this.#begin(entry.account, record.line)
      this.#directions.take(record, entry.transaction.amount)
      this.#parts.take(record)
      this.#signs.take(record.line, this.#accountKey, entry.transaction)
      this.#currency ??= entry.transaction.currency
      this.batch.push({ kind: 'transaction', transaction: entry.transaction })
    } else if (entry.kind === 'unbooked') {
      const position = `line ${record.line}`
      this.batch.push({ kind: 'warning', message: entry.message, position })
    } else if (entry.kind === 'continuation') {
      this.#continue(entry.purpose, record.line)
    } else {
      this.batch.push(entry)
    }
  }

  /**
   * Takes the events out of the batch, except the last one if the next record continues it. A
   * refusal of text without a booking waits for none.
   */
  takeBatch(next: CsvRecord | BrokenRecord): readonly StatementEvent[] {
    const isContinued = !('fault' in next) && continuationIn(next, this.plan) !== undefined
    const taken = this.batch
    const last = isContinued ? taken.at(-1) : undefined
    this.batch = last === undefined ? [] : [last]
    return last === undefined ? taken : taken.slice(0, -1)
  }

  #continue(text: string, line: number): void {
    const last = this.batch.at(-1)
    const isOfBooking = last?.kind === 'transaction'
    const purpose = isOfBooking ? `${last.transaction.purpose ?? ''} ${text}`.trimStart() : text
    if (isOfBooking && purpose.length <= FIELD_CODE_POINTS_MAX) {
      last.transaction.purpose = purpose
      return
    }
    const why = isOfBooking ? 'too long for the booking before it' : 'without a booking before it'
    const found = JSON.stringify(text.slice(0, 80))
    const message = `a text ${why} (${found}), skipped`
    this.batch.push({ kind: 'warning', message, position: `line ${line}` })
  }

  #begin(account: StatementAccount, line: number): void {
    const key = keyOf(account)
    if (key === this.#accountKey) return
    this.#accountKey = key
    this.#accountCount += 1
    this.batch.push({ kind: 'account', account })
    const warning = warningOfIban(account)
    if (warning === undefined || this.#warnedAccounts.has(key)) return
    this.#warnedAccounts.add(key)
    this.batch.push({ kind: 'warning', message: warning, position: `line ${line}` })
  }

  /**
   * Emits the balances around the table, which belong to its account if it has only one.
   * @throws StatementError when a column without a field contradicts the signs of a known layout,
   *   the balances contradict the signs, or the table has several accounts without names
   */
  end(): void {
    const problem = this.#directions.problem()
    if (problem !== undefined && this.plan.profile.name !== '--columns') {
      throw new StatementError(problem)
    }
    if (problem !== undefined) this.batch.push({ kind: 'warning', ...problem })
    const parts = this.#parts.problem()
    if (parts !== undefined) throw new StatementError(parts)
    const contradiction = this.#signs.problem()
    if (contradiction !== undefined) throw new StatementError(contradiction)
    if (this.#accountCount !== 1) return
    for (const balance of this.#balances) {
      const currency = balance.currency ?? this.plan.currency ?? this.#currency ?? ''
      this.batch.push({ kind: 'balance', balance: { ...balance, currency } })
    }
  }
}

async function* eventsOf(
  pieces: AsyncIterable<readonly (CsvRecord | BrokenRecord)[]>,
  layout: CsvLayout,
  plan: CsvPlan,
): AsyncGenerator<readonly StatementEvent[]> {
  const heldMax = needsEvidence(plan) ? CSV_EVIDENCE_RECORDS_MAX : 1
  let held: (CsvRecord | BrokenRecord)[] = []
  let isHeader = layout.hasHeader
  let events: EventBatches | undefined
  const begin = (): EventBatches => {
    const whole = held.flatMap((record) => ('fault' in record ? [] : [record]))
    const begun = new EventBatches(plan, inferNotation(whole, plan), layout.preamble)
    for (const record of held) begun.take(record)
    held = []
    return begun
  }
  for await (const records of pieces) {
    for (const record of records) {
      if (isHeader) {
        isHeader = false
        if ('fault' in record) throw new StatementError(record.fault)
        continue
      }
      if (events !== undefined && isFull(events.batch)) yield events.takeBatch(record)
      if (events === undefined) held.push(record)
      else events.take(record)
      if (held.length >= heldMax) events = begin()
    }
  }
  events ??= begin()
  events.end()
  if (events.batch.length > 0) yield events.batch
}

function isFull(batch: readonly StatementEvent[]): boolean {
  return batch.length >= STATEMENT_BATCH_EVENTS
}

function keyOf(account: StatementAccount): string {
  return account.iban ?? `number ${account.accountNumber ?? ''}`
}
