import { hashPassword } from '../auth/password.js'
import {
  deleteOperatorRow,
  findOperatorByName,
  findOperator as findOperatorRow,
  insertOperator,
  listOperators as listOperatorRows,
  type OperatorRow,
  updateOperatorPassword,
} from '../store/operator-rows.js'
import { deleteSessionsOf } from '../store/session-rows.js'
import { type AuditContext, audited, auditedChange } from './audited-change.js'

/** A person who may sign in, as operators see it. */
export type Operator = Omit<OperatorRow, 'password'>

/** All operators, ids ascending. */
export function listOperators({ control }: Pick<AuditContext, 'control'>): Operator[] {
  return listOperatorRows(control).map(({ password: _, ...operator }) => operator)
}

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
  return createUnless(context, operator, () => listOperatorRows(context.control)[0])
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
  find: (control, { id }: Pick<OperatorRow, 'id' | 'password'>) => findOperatorRow(control, id),
  write: updateOperatorPassword,
  fieldsOf: auditFieldsOf,
})

/**
 * Deletes an operator with all sessions; the operator's consents stay until they are revoked.
 * @returns false when there is no such operator
 */
export const deleteOperator = auditedChange({
  action: 'operator.delete',
  find: findOperatorRow,
  write: deleteOperatorRow,
  fieldsOf: auditFieldsOf,
})

function auditFieldsOf({ id, name }: OperatorRow) {
  return { subject: id, detail: { name } }
}

/** Deletes an operator, unless there is no other. @returns whether it was deleted */
export function deleteOperatorUnlessLast(context: AuditContext, id: number): boolean {
  return context.control.atomically(
    () => listOperators(context).length > 1 && deleteOperator(context, id),
  )
}

/** Ends all sessions of an operator, in all browsers. */
export function endSessions(context: AuditContext, id: number): void {
  audited(context, (record) => {
    const sessions = deleteSessionsOf(context.control, id)
    record({ action: 'session.end', subject: id, detail: { everywhere: true, sessions } })
  })
}
