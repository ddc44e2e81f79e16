// Work on control data, without an engine: a generator yields statements and receives what comes of
// each. SQLite runs one to its end without a pause; another engine may await each statement
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
 * A SELECT … FOR UPDATE of rows that nothing else may write until the transaction ends. SQLite has
 * one writer at a time and passes it over.
 */
interface Hold {
  readonly hold: string
  readonly values: SqlValues
}

/** One more of what a name counts; counted when the work is done, once, however often it began. */
interface Count {
  readonly count: string
}

/** What work yields. */
export type WorkStep = Statement | Hold | Count

/** What comes of a step. */
export interface Outcome {
  /** Of a SELECT, or of RETURNING. */
  readonly rows: unknown[]
  /** Number of rows that it has read or written. */
  readonly rowCount: number
}

/**
 * A unit of work, or a part of one: parts compose by `yield*`, and without that do nothing. It may
 * begin anew from its first step, so it has no effects except what it yields, and it is not to
 * catch the error of a statement.
 */
export type Work<T> = Generator<WorkStep, T, Outcome>

const NONE: SqlValues = {}

/** All rows that a SELECT finds, or that RETURNING returns. */
export function* all<Row>(sql: string, values = NONE): Work<Row[]> {
  return (yield { sql, values }).rows as Row[]
}

/** The one row of a statement, or undefined. The statement finds no second. */
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

/** Holds rows, in a statement of its own: what is read by the same one may be out of date. */
export function* hold(sql: string, values: SqlValues): Work<void> {
  yield { hold: sql, values }
}

/** Counts. */
export function* count(name: string): Work<void> {
  yield { count: name }
}

/** Work that is done without a statement. */
export function* done<T>(value: T): Work<T> {
  yield* []
  return value
}
