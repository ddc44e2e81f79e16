import { explainFaults } from './database.js'
import type { Connection, PreparedStatement } from './sqlite-driver.js'

/** The statements of one connection, each prepared once. Every method may throw StoreError. */
export class PreparedStatements {
  readonly #statements = new Map<string, PreparedStatement>()

  /** @param path of the file, for messages */
  constructor(
    private readonly path: string,
    private readonly connection: Connection,
  ) {}

  /** All rows of a query. */
  all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return explainFaults(this.path, () => this.prepared(sql).all(...values) as Row[])
  }

  /** The first row of a query, or undefined. */
  first<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    return explainFaults(this.path, () => this.prepared(sql).get(...values) as Row | undefined)
  }

  /** The row of a query that always returns one. */
  only<Row>(sql: string): Row {
    return explainFaults(this.path, () => this.prepared(sql).get() as Row)
  }

  /** The two columns of each row of a query. */
  pairs(sql: string): [unknown, unknown][] {
    const rows = this.prepared(sql).raw()
    return explainFaults(this.path, () => rows.all() as [unknown, unknown][])
  }

  /** @param row values by name, or by position @returns the id of the inserted row */
  insert(sql: string, row: object): number {
    return explainFaults(this.path, () => Number(this.prepared(sql).run(row).lastInsertRowid))
  }

  /** @param row values by name @returns the number of rows written */
  run(sql: string, row: object = {}): number {
    return explainFaults(this.path, () => this.prepared(sql).run(row).changes)
  }

  /** The statement of the driver, which throws SQLite's errors. */
  prepared(sql: string): PreparedStatement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.connection.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
