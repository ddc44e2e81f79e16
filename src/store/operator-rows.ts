import { randomBytes } from 'node:crypto'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from './sqlite/control-file.js'

/** A person who may sign in: to the dashboard, and to consent. */
export interface OperatorRow {
  id: number
  /** Name to sign in with; unique. */
  name: string
  /** `$scrypt$ln=15,r=8,p=3$salt$hash`, salt and hash in base64 without padding. */
  password: string
  createdAt: EpochMs
}

const SELECT_OPERATORS = 'SELECT id, name, password, created_at AS createdAt FROM operators'

/** @returns the id assigned   @throws StoreError when the name is taken */
export function insertOperator(control: ControlFile, row: Omit<OperatorRow, 'id'>): number {
  const sql = `INSERT INTO operators (name, password, created_at)
    VALUES (@name, @password, @createdAt)`
  return Number(control.run(sql, row).lastInsertRowid)
}

/** All operators, ids ascending. */
export function listOperators(control: ControlFile): OperatorRow[] {
  return control.all<OperatorRow>(`${SELECT_OPERATORS} ORDER BY id`)
}

export function findOperator(control: ControlFile, id: number): OperatorRow | undefined {
  return control.first<OperatorRow>(`${SELECT_OPERATORS} WHERE id = ?`, id)
}

export function findOperatorByName(control: ControlFile, name: string): OperatorRow | undefined {
  return control.first<OperatorRow>(`${SELECT_OPERATORS} WHERE name = ?`, name)
}

/**
 * Replaces the password of an operator, ends all sessions and forgets the known browsers.
 * @returns whether there is such an operator
 */
export function updateOperatorPassword(
  control: ControlFile,
  { id, password }: Pick<OperatorRow, 'id' | 'password'>,
): boolean {
  return control.atomically(() => {
    control.run('DELETE FROM sessions WHERE operator_id = ?', id)
    const sql = 'UPDATE operators SET password = ?, browser_key = NULL WHERE id = ?'
    return control.run(sql, password, id).changes > 0
  })
}

/** Deletes an operator and all sessions; grants stay. @returns whether there was one */
export function deleteOperatorRow(control: ControlFile, id: number): boolean {
  return control.run('DELETE FROM operators WHERE id = ?', id).changes > 0
}

/**
 * The key that signs the cookies of browsers in which an operator has signed in, 32 bytes.
 * @returns undefined when no browser has since the password was set
 */
export function browserKeyOf(control: ControlFile, id: number): Buffer | undefined {
  const sql = 'SELECT browser_key AS browserKey FROM operators WHERE id = ?'
  return control.first<{ browserKey: Buffer | null }>(sql, id)?.browserKey ?? undefined
}

/** The same key, created when missing. @param id of an existing operator */
export function provideBrowserKey(control: ControlFile, id: number): Buffer {
  return control.atomically(() => {
    const known = browserKeyOf(control, id)
    if (known !== undefined) return known
    const made = randomBytes(32)
    control.run('UPDATE operators SET browser_key = ? WHERE id = ?', made, id)
    return made
  })
}
