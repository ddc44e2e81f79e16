// Work on control data, for any engine: a generator yields statements and receives their results.
// SQLite runs it without a pause; another engine may await each statement
// (docs/internals/control-schema.md).

/** A value of a parameter. Flags are 0 and 1. */
type SqlValue = string | number | Buffer | null

/** The values of a statement by the names of its parameters; others are ignored. */
export type SqlValues = Readonly<Record<string, SqlValue>>

/** A statement that SQLite and PostgreSQL accept, with parameters such as `@name`. */
export interface Statement {
  readonly sql: string
  readonly values: SqlValues
}

/**
 * A SELECT … FOR UPDATE, which locks rows until the transaction ends. SQLite has one writer at a
 * time and skips it.
 */
interface Hold {
  readonly hold: string
  readonly values: SqlValues
}

/** Increments a named counter, once the work is done; a repeated attempt counts once. */
interface Count {
  readonly count: string
}

/** A step that work yields. */
export type WorkStep = Statement | Hold | Count

/** Result of a step. */
export interface Outcome {
  /** Of a SELECT, or of RETURNING. */
  readonly rows: unknown[]
  /** Number of rows that it has read or written. */
  readonly rowCount: number
}

/**
 * A unit of work, or a part of one; parts compose by `yield*`, and have no effect without it. Work
 * may be retried from its first step, so its steps are its only effects. It must not catch the
 * error of a statement.
 */
export type Work<T> = Generator<WorkStep, T, Outcome>

const NONE: SqlValues = {}

/** All rows that a SELECT finds, or that RETURNING returns. */
export function* all<Row>(sql: string, values = NONE): Work<Row[]> {
  return (yield { sql, values }).rows as Row[]
}

/** The only row of a statement, or undefined. */
export function* first<Row>(sql: string, values = NONE): Work<Row | undefined> {
  return (yield { sql, values }).rows[0] as Row | undefined
}

/** Writes. @returns the number of rows written */
export function* run(sql: string, values = NONE): Work<number> {
  return (yield { sql, values }).rowCount
}

/** Inserts one row with `RETURNING id`. @returns its id */
export function* insert(sql: string, values: SqlValues): Work<number> {
  const row = yield* first<{ id: number }>(sql, values)
  if (row === undefined) throw new Error('an INSERT with RETURNING id returns one row')
  return row.id
}

/** Locks rows, in a separate statement: columns read by the same one may be out of date. */
export function* hold(sql: string, values: SqlValues): Work<void> {
  yield { hold: sql, values }
}

/** Increments a counter. */
export function* count(name: string): Work<void> {
  yield { count: name }
}

/** Work without a statement. */
export function* done<T>(value: T): Work<T> {
  yield* []
  return value
}
