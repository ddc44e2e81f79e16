import type { Actor } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import {
  deleteOperatorRow,
  findOperator,
  findOperatorByName,
  insertOperator,
  listOperators,
  type OperatorRow,
  updateOperatorPassword,
} from '../store/operator-rows.js'
import { appendAudit } from './audit.js'
import { hashPassword, isPassword } from './password.js'

/** Creates an operator. @returns the id, or undefined when the name is taken */
export async function createOperator(
  control: ControlFile,
  { name, password }: { readonly name: string; readonly password: string },
  nowMs: EpochMs,
  actor: Actor,
): Promise<number | undefined> {
  const hashed = await hashPassword(password)
  return control.atomically(() => {
    if (findOperatorByName(control, name.normalize('NFC')) !== undefined) return undefined
    return insertNamed(control, { name, hashed }, nowMs, actor)
  })
}

/** Creates the first operator. @returns the id, or undefined when an operator exists by now */
export async function createFirstOperator(
  control: ControlFile,
  { name, password }: { readonly name: string; readonly password: string },
  nowMs: EpochMs,
  actor: Actor,
): Promise<number | undefined> {
  const hashed = await hashPassword(password)
  return control.atomically(() => {
    if (listOperators(control).length > 0) return undefined
    return insertNamed(control, { name, hashed }, nowMs, actor)
  })
}

function insertNamed(
  control: ControlFile,
  { name, hashed }: { readonly name: string; readonly hashed: string },
  nowMs: EpochMs,
  actor: Actor,
): number {
  const signInName = name.normalize('NFC')
  const id = insertOperator(control, { name: signInName, password: hashed, createdAt: nowMs })
  const detail = { name: signInName }
  appendAudit(control, actor, nowMs, { action: 'operator.create', subject: id, detail })
  return id
}

/**
 * The operator with that name and password, or undefined; takes as long for an unknown name.
 * Throttling attempts is the caller's part, and so is the audit log.
 */
export async function verifyOperator(
  control: ControlFile,
  name: string,
  password: string,
): Promise<OperatorRow | undefined> {
  const operator = findOperatorByName(control, name.normalize('NFC'))
  const isRight = await isPassword(password, operator?.password)
  return isRight ? operator : undefined
}

/**
 * Changes an operator's password and ends the sessions begun with the old one.
 * @returns false when there is no such operator
 */
export async function changePassword(
  control: ControlFile,
  { id, password }: { readonly id: number; readonly password: string },
  nowMs: EpochMs,
  actor: Actor,
): Promise<boolean> {
  const hashed = await hashPassword(password)
  return control.atomically(() => {
    const operator = findOperator(control, id)
    if (operator === undefined) return false
    updateOperatorPassword(control, { id, password: hashed })
    const detail = { name: operator.name }
    appendAudit(control, actor, nowMs, { action: 'operator.password', subject: id, detail })
    return true
  })
}

/**
 * Whether an operator still exists with the password just verified: the verification takes a while,
 * in which a leaked password may have been changed.
 */
export function isUnchangedOperator(control: ControlFile, operator: OperatorRow): boolean {
  return findOperator(control, operator.id)?.password === operator.password
}

/**
 * Deletes an operator with all sessions; the operator's consents stay until they are revoked.
 * @returns false when there is no such operator
 */
export function deleteOperator(
  control: ControlFile,
  id: number,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return control.atomically(() => {
    const operator = findOperator(control, id)
    if (operator === undefined) return false
    deleteOperatorRow(control, id)
    const detail = { name: operator.name }
    appendAudit(control, actor, nowMs, { action: 'operator.delete', subject: id, detail })
    return true
  })
}
