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
import type { Work } from '../store/work.js'
import {
  type AuditContext,
  type AuditedChangeParts,
  audited,
  auditedChange,
  changeRow,
} from './audited-change.js'

/** A person who may sign in, as operators see it. */
export type Operator = Omit<OperatorRow, 'password'>

/** All operators, ids ascending. */
export function listOperators({ control }: Pick<AuditContext, 'control'>): Operator[] {
  return control.look(listOperatorRows).map(({ password: _, ...operator }) => operator)
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
  return createUnless(context, operator, findOperatorByName)
}

/** Creates the first operator. @returns the id, or undefined when an operator exists by now */
export function createFirstOperator(
  context: AuditContext,
  operator: NewOperator,
): Promise<number | undefined> {
  return createUnless(context, operator, function* () {
    return (yield* listOperatorRows())[0]
  })
}

async function createUnless(
  context: AuditContext,
  operator: NewOperator,
  findRival: (name: string) => Work<OperatorRow | undefined>,
): Promise<number | undefined> {
  const password = await hashPassword(operator.password)
  return audited(context, function* (record) {
    const name = operator.name.normalize('NFC')
    if ((yield* findRival(name)) !== undefined) return undefined
    const id = yield* insertOperator({ name, password, createdAt: context.nowMs })
    yield* record({ action: 'operator.create', subject: id, detail: { name } })
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
  find: ({ id }: Pick<OperatorRow, 'id' | 'password'>) => findOperatorRow(id),
  write: updateOperatorPassword,
  fieldsOf: auditFieldsOf,
})

const DELETION: AuditedChangeParts<number, OperatorRow> = {
  action: 'operator.delete',
  find: findOperatorRow,
  write: deleteOperatorRow,
  fieldsOf: auditFieldsOf,
}

/**
 * Deletes an operator with all sessions; the operator's consents stay until they are revoked.
 * @returns false when there is no such operator
 */
export const deleteOperator = auditedChange(DELETION)

function auditFieldsOf({ id, name }: OperatorRow) {
  return { subject: id, detail: { name } }
}

/** Deletes an operator, unless there is no other. @returns whether it was deleted */
export function deleteOperatorUnlessLast(context: AuditContext, id: number): boolean {
  return context.control.alone(function* () {
    return (yield* listOperatorRows()).length > 1 && (yield* changeRow(DELETION, context, id))
  })
}

/** Ends all sessions of an operator, in all browsers. */
export function endSessions(context: AuditContext, id: number): void {
  audited(context, function* (record) {
    const sessions = yield* deleteSessionsOf(id)
    yield* record({ action: 'session.end', subject: id, detail: { everywhere: true, sessions } })
  })
}
