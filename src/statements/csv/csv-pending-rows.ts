import type { Amount } from '../../money.js'
import { addAmounts, compareAmounts } from '../../money.js'
import type { CsvNotation } from './csv-notation.js'
import type { CsvPlan } from './csv-plan.js'
import type { CsvRecord } from './csv-records.js'
import { readCsvEntry } from './csv-transaction.js'

/**
 * Decides whether rows with the status of a pending one are booked, in layouts with
 * {@link CsvProfile.balanceDecides}: those whose balance follows from the row before moved it.
 */
export class PendingRows {
  readonly #isUsed: boolean
  /** Reads each record as booked. */
  readonly #booked: CsvPlan
  /** Leaves out each record with the status of a pending one. */
  readonly #left: CsvPlan
  /** Currency -> balance after the last record in it. */
  readonly #balances = new Map<string, Amount>()

  constructor(
    private readonly plan: CsvPlan,
    private readonly notation: CsvNotation,
  ) {
    this.#isUsed = plan.profile.balanceDecides === true && plan.at.balanceAfter !== undefined
    this.#booked = { ...plan, unbooked: [], booked: [] }
    this.#left = { ...plan, moved: [] }
  }

  /** The plan by which the next record is read; that of the file where no balance decides. */
  planFor(record: CsvRecord): CsvPlan {
    if (!this.#isUsed) return this.plan
    const entry = readCsvEntry(record, this.#booked, this.notation)
    if (entry.kind !== 'booking') return this.plan
    const { amount, paypal, currency, balanceAfter } = entry.transaction
    if (balanceAfter === undefined) return this.plan
    const before = this.#balances.get(currency)
    this.#balances.set(currency, balanceAfter)
    // The balance of PayPal moves by the amount minus the fee.
    const moved = paypal?.net ?? amount
    const sum = before && addAmounts(before, moved)
    if (before === undefined || sum === undefined || moved.unscaled === 0) return this.plan
    if (compareAmounts(sum, balanceAfter) === 0) return this.#booked
    return compareAmounts(before, balanceAfter) === 0 ? this.#left : this.plan
  }
}
