import { columnsText, writtenText } from './csv-columns.js'
import type { CsvPlan } from './csv-plan.js'
import { columnSidesOf, writtenColumn } from './csv-plan.js'
import type { CsvRecord } from './csv-records.js'

/** Accounts of one table; a customer has a current account and a few for savings. */
const PARTS_MAX = 5

/** Searches a table for rows of separate accounts that only a column such as `Product` tells. */
export class AccountParts {
  /** The text of each account -> the line of its first booking. */
  readonly #parts = new Map<string, number>()

  constructor(private readonly plan: CsvPlan) {}

  /** Takes the record of a booking. */
  take({ line, cells }: CsvRecord): void {
    const { accountPartsAt } = this.plan
    const part = accountPartsAt === undefined ? '' : (cells[accountPartsAt] ?? '')
    if (part === '' || this.#parts.has(part) || this.#parts.size === PARTS_MAX) return
    this.#parts.set(part, line)
  }

  /** The sentence for a table with several accounts, and its position; undefined = one account. */
  problem(): { readonly position: string; readonly message: string } | undefined {
    const { accountPartsAt } = this.plan
    const [, second] = this.#parts.values()
    if (accountPartsAt === undefined || second === undefined) return undefined
    const column = writtenColumn(this.plan, accountPartsAt)
    const parts = [...this.#parts.keys()]
    const mappings = parts.map((part) => {
      const others = parts.filter((other) => other !== part).map(writtenText)
      const sides = [...columnSidesOf(this.plan), ['unbooked', `${column}:${others.join('|')}`]]
      return `  ${part}: --columns '${columnsText(sides as [string, string][])}'`
    })
    const named = parts.map((part) => JSON.stringify(part)).join(', ')
    const message =
      `column ${column} has the rows of separate accounts (${named}), each with its own ` +
      `balance; import the file once for each of them, with its own --account and\n` +
      mappings.join('\n')
    return { position: `line ${second}`, message }
  }
}
