import { randomBytes } from 'node:crypto'
import type { EpochMs } from '../instant.js'
import { all, first, insert, run, type Work } from './work.js'

/** A person who may sign in: to the dashboard, and to consent. */
export interface OperatorRow {
  id: number
  /** Name to sign in with; unique. */
  name: string
  /** `$scrypt$ln=15,r=8,p=3$salt$hash`, salt and hash in base64 without padding. */
  password: string
  createdAt: EpochMs
}

const SELECT_OPERATORS = 'SELECT id, name, password, created_at AS "createdAt" FROM operators'

/** @returns the id assigned   @throws StoreError when the name is taken */
export function insertOperator(row: Omit<OperatorRow, 'id'>): Work<number> {
  const sql = `INSERT INTO operators (name, password, created_at)
    VALUES (@name, @password, @createdAt) RETURNING id`
  return insert(sql, row)
}

/** All operators, ids ascending. */
export function listOperators(): Work<OperatorRow[]> {
  return all<OperatorRow>(`${SELECT_OPERATORS} ORDER BY id`)
}

export function findOperator(id: number): Work<OperatorRow | undefined> {
  return first<OperatorRow>(`${SELECT_OPERATORS} WHERE id = @id`, { id })
}

export function findOperatorByName(name: string): Work<OperatorRow | undefined> {
  return first<OperatorRow>(`${SELECT_OPERATORS} WHERE name = @name`, { name })
}

/**
 * Replaces the password of an operator, ends all sessions and forgets the known browsers.
 * @returns whether there is such an operator
 */
export function* updateOperatorPassword({
  id,
  password,
}: Pick<OperatorRow, 'id' | 'password'>): Work<boolean> {
  yield* run('DELETE FROM sessions WHERE operator_id = @id', { id })
  const sql = 'UPDATE operators SET password = @password, browser_key = NULL WHERE id = @id'
  return (yield* run(sql, { id, password })) > 0
}

/** Deletes an operator and all sessions; grants stay. @returns whether there was one */
export function* deleteOperatorRow(id: number): Work<boolean> {
  return (yield* run('DELETE FROM operators WHERE id = @id', { id })) > 0
}

/**
 * The key that signs the cookies of browsers in which an operator has signed in, 32 bytes.
 * @returns undefined when no browser has since the password was set
 */
export function* browserKeyOf(id: number): Work<Buffer | undefined> {
  const sql = 'SELECT browser_key AS "browserKey" FROM operators WHERE id = @id'
  return (yield* first<{ browserKey: Buffer | null }>(sql, { id }))?.browserKey ?? undefined
}

/** The same key, created when missing. @param id of an existing operator */
export function* provideBrowserKey(id: number): Work<Buffer> {
  const known = yield* browserKeyOf(id)
  if (known !== undefined) return known
  const made = randomBytes(32)
  yield* run('UPDATE operators SET browser_key = @made WHERE id = @id', { made, id })
  return made
}
