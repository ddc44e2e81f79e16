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
import { type AuditContext, audited, auditedChange } from './audit.js'
import { hashPassword, isPassword } from './password.js'

/** The name and password of a new operator. */
interface NewOperator {
  readonly name: string
  readonly password: string
}

/** Creates an operator. @returns the id, or undefined when the name is taken */
export function createOperator(
  context: AuditContext,
  operator: NewOperator,
): Promise<number | undefined> {
  return createUnless(context, operator, (name) => findOperatorByName(context.control, name))
}

/** Creates the first operator. @returns the id, or undefined when an operator exists by now */
export function createFirstOperator(
  context: AuditContext,
  operator: NewOperator,
): Promise<number | undefined> {
  return createUnless(context, operator, () => listOperators(context.control)[0])
}

async function createUnless(
  context: AuditContext,
  operator: NewOperator,
  findRival: (name: string) => OperatorRow | undefined,
): Promise<number | undefined> {
  const password = await hashPassword(operator.password)
  return audited(context, (record) => {
    const name = operator.name.normalize('NFC')
    if (findRival(name) !== undefined) return undefined
    const id = insertOperator(context.control, { name, password, createdAt: context.nowMs })
    record({ action: 'operator.create', subject: id, detail: { name } })
    return id
  })
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
  context: AuditContext,
  { id, password }: { readonly id: number; readonly password: string },
): Promise<boolean> {
  return replacePassword(context, { id, password: await hashPassword(password) })
}

const replacePassword = auditedChange({
  action: 'operator.password',
  find: (control, { id }: Pick<OperatorRow, 'id' | 'password'>) => findOperator(control, id),
  write: updateOperatorPassword,
  fieldsOf: auditFieldsOf,
})

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
export const deleteOperator = auditedChange({
  action: 'operator.delete',
  find: findOperator,
  write: deleteOperatorRow,
  fieldsOf: auditFieldsOf,
})

function auditFieldsOf({ id, name }: OperatorRow) {
  return { subject: id, detail: { name } }
}
