// The twin, the peer of the reads bench: the same answers straight from SQLite, with plain code.

import { parseInstant } from '../src/instant.js'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  CATEGORY_COLUMNS,
  type CategoryRow,
  selectList,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../src/store/columns.js'
import {
  type Connection,
  Database,
  type PreparedStatement,
} from '../src/store/sqlite/sqlite-driver.js'

/** A row of the twin's file, where amounts are numbers. */
type TwinRow = TransactionRow & { readonly amount: number }

/** Query of a list as parsed by Fastify. */
export type TwinQuery = Readonly<Record<string, string>>

/** Bounds of a list apart from its query. */
export interface TwinBounds {
  readonly accountIds?: readonly number[] | undefined
  readonly counterpartIban?: string | undefined
}

/** A page and the number of rows in the whole list. */
export interface TwinPage {
  readonly json: string
  readonly total: number
}

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  bookingDate: 'booking_date',
  valueDate: 'value_date',
  importDate: 'import_date',
  amount: 'amount',
  _id: 'id',
}

const DATE_FILTERS = [
  ['bookedAfter', 'booking_date > ?'],
  ['bookedBefore', 'booking_date < ?'],
  ['valuedAfter', 'value_date > ?'],
  ['valuedBefore', 'value_date < ?'],
  ['importedAfter', 'import_date > ?'],
  ['importedBefore', 'import_date < ?'],
] as const

interface Condition {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

/** One file with prepared statements, cached by their text. */
export class Twin {
  readonly #file: Connection
  readonly #statements = new Map<string, PreparedStatement>()
  readonly #accounts: ReadonlyMap<number, object>
  readonly #categories: readonly CategoryRow[]
  readonly #categoryNames: ReadonlyMap<number, object>

  constructor(path: string) {
    this.#file = new Database(path, { readonly: true })
    this.#file.pragma('cache_size = -65536')
    this.#file.pragma('mmap_size = 2147483648')
    const accounts = this.#all<AccountRow>(`SELECT ${selectList(ACCOUNT_COLUMNS)} FROM accounts`)
    this.#accounts = new Map(accounts.map((row) => [row.id, accountOf(row)]))
    this.#categories = this.#all(`SELECT ${selectList(CATEGORY_COLUMNS)} FROM categories`)
    this.#categoryNames = new Map(this.#categories.map(({ id, name }) => [id, { id, name }]))
  }

  /** The answer of a list operation. */
  page(query: TwinQuery, bounds: TwinBounds): TwinPage {
    const conditions = [...boundConditions(bounds), ...this.#filterConditions(query)]
    const where =
      conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
    const values = conditions.flatMap((condition) => condition.values)
    const column = SORT_COLUMNS[query['sortBy'] ?? '_id'] ?? 'id'
    const direction = query['order'] === 'asc' ? 'ASC' : 'DESC'
    const order =
      column === 'id' ? `id ${direction}` : `${column} ${direction} NULLS LAST, id ${direction}`
    const rows = this.#prepared(
      `SELECT ${SELECTED} FROM transactions ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ).all(...values, Number(query['limit'] ?? 100), Number(query['offset'] ?? 0)) as TwinRow[]
    const count = this.#prepared(`SELECT count(*) AS total FROM transactions ${where}`)
    const { total } = count.get(...values) as { total: number }
    return { json: JSON.stringify(rows.map((row) => this.#resource(row))), total }
  }

  /** A transaction as JSON; undefined when it does not exist. */
  transaction(id: number): string | undefined {
    const sql = `SELECT ${SELECTED} FROM transactions WHERE id = ?`
    const row = this.#prepared(sql).get(id) as TwinRow | undefined
    return row === undefined ? undefined : JSON.stringify(this.#resource(row))
  }

  close(): void {
    this.#file.close()
  }

  #filterConditions(query: TwinQuery): Condition[] {
    const { category, parentCategory } = query
    const dates = DATE_FILTERS.flatMap(([name, sql]) => {
      const text = query[name]
      const ms = text === undefined ? undefined : parseInstant(text)
      return ms === undefined ? [] : [{ sql, values: [ms] }]
    })
    return [...this.#categoryConditions(category, parentCategory), ...dates]
  }

  #categoryConditions(category: string | undefined, parent: string | undefined): Condition[] {
    const own = category === undefined ? [] : [this.#isOneOf('category_id', category)]
    if (parent === undefined) return own
    const broad = this.#isOneOf('parent_category_id', parent)
    if (category !== undefined) return [...own, broad]
    const either = this.#isOneOf('category_id', parent)
    const values = [...either.values, ...broad.values]
    return [{ sql: `(${either.sql} OR ${broad.sql})`, values }]
  }

  #isOneOf(column: string, text: string): Condition {
    const ids = this.#categories
      .filter(({ id, name }) => name === text || String(id) === text)
      .map(({ id }) => id)
    return { sql: `${column} IN (${ids.map(() => '?').join(', ')})`, values: ids }
  }

  #resource(row: TwinRow): object {
    const nameOf = (id: number | null): object => this.#categoryNames.get(id ?? 0) ?? {}
    const paypal = filled({
      invoiceNumber: row.paypalInvoiceNumber,
      fee: numberOf(row.paypalFeeUnscaled, row.paypalFeeScale),
      net: numberOf(row.paypalNetUnscaled, row.paypalNetScale),
    })
    return filled({
      id: row.id,
      accountId: row.accountId,
      account: this.#accounts.get(row.accountId) ?? {},
      amount: row.amount,
      currency: row.currency,
      category: nameOf(row.categoryId),
      parentCategory: nameOf(row.parentCategoryId),
      counterpart: counterpartOf(row),
      createdAt: textOf(row.createdAt),
      updatedAt: textOf(row.updatedAt),
      importDate: textOf(row.importedAt),
      bookingDate: textOf(row.bookedAt),
      valueDate: textOf(row.valuedAt),
      type: row.type,
      purpose: row.purpose,
      endToEndReference: row.endToEndReference,
      originalAmount: numberOf(row.originalAmountUnscaled, row.originalAmountScale),
      originalCurrency: row.originalCurrency,
      sepaPurposeCode: row.sepaPurposeCode,
      primanota: row.primanota,
      paypal: Object.keys(paypal).length === 0 ? null : paypal,
    })
  }

  #all<Row>(sql: string): Row[] {
    return this.#prepared(sql).all() as Row[]
  }

  #prepared(sql: string): PreparedStatement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#file.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

const SELECTED = `${selectList(TRANSACTION_COLUMNS)}, amount`

function boundConditions({ accountIds, counterpartIban }: TwinBounds): Condition[] {
  const conditions: Condition[] = []
  if (accountIds !== undefined) {
    const marks = accountIds.map(() => '?').join(', ')
    conditions.push({ sql: `account_id IN (${marks})`, values: accountIds })
  }
  if (counterpartIban !== undefined) {
    conditions.push({ sql: 'counterpart_iban = ?', values: [counterpartIban] })
  }
  return conditions
}

function accountOf(row: AccountRow): object {
  const { accountNumber, name, iban, bankName } = row
  return filled({ accountNumber, name, iban, bankName })
}

function counterpartOf(row: TwinRow): object {
  return filled({
    accountNumber: row.counterpartAccountNumber,
    name: row.counterpartName,
    iban: row.counterpartIban,
    bic: row.counterpartBic,
    bankName: row.counterpartBankName,
    mandateReference: row.mandateReference,
    creditorId: row.creditorId,
    customerReference: row.customerReference,
  })
}

/** The members with a value. */
function filled(members: Record<string, unknown>): object {
  const object: Record<string, unknown> = {}
  for (const name in members) {
    const value = members[name]
    if (value !== null && value !== '') object[name] = value
  }
  return object
}

function numberOf(unscaled: number | null, scale: number | null): number | null {
  return unscaled === null ? null : unscaled / 10 ** (scale ?? 0)
}

function textOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
