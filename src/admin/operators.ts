import { appendAudit } from '../auth/audit.js'
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
  type ChangeContext,
  changeRow,
} from './audited-change.js'

/** A person who may sign in, as operators see it. */
export type Operator = Omit<OperatorRow, 'password'>

/** All operators, ids ascending. */
export async function listOperators({
  control,
}: Pick<AuditContext, 'control'>): Promise<Operator[]> {
  return (await control.look(listOperatorRows)).map(({ password: _, ...operator }) => operator)
}

/** The name and password of a new operator. */
interface NewOperator {
  readonly name: string
  readonly password: string
}

/** Creates an operator. @returns the id, or undefined when the name is taken */
export async function createOperator(
  context: AuditContext,
  { name, password }: NewOperator,
): Promise<number | undefined> {
  const stored = { name, password: await hashPassword(password) }
  return context.control.alone(() => addUnless(context, stored, findOperatorByName))
}

/**
 * Creates the first operator.
 * @param follow work on the new operator, in the same transaction
 * @returns what comes of that work, or undefined when an operator exists by now
 */
export async function createFirstOperator<T>(
  context: AuditContext,
  { name, password }: NewOperator,
  follow: (id: number) => Work<T>,
): Promise<T | undefined> {
  const stored = { name, password: await hashPassword(password) }
  return context.control.alone(function* () {
    const id = yield* addUnless(context, stored, function* () {
      return (yield* listOperatorRows())[0]
    })
    return id === undefined ? undefined : yield* follow(id)
  })
}

function* addUnless(
  { nowMs, actor }: ChangeContext,
  stored: NewOperator,
  findRival: (name: string) => Work<OperatorRow | undefined>,
): Work<number | undefined> {
  const name = stored.name.normalize('NFC')
  if ((yield* findRival(name)) !== undefined) return undefined
  const id = yield* insertOperator({ name, password: stored.password, createdAt: nowMs })
  yield* appendAudit(actor, nowMs, { action: 'operator.create', subject: id, detail: { name } })
  return id
}

/**
 * Changes an operator's password and ends the sessions begun with the old one.
 * @returns false when there is no such operator
 */
export async function changePassword(
  context: AuditContext,
  { id, password }: { readonly id: number; readonly password: string },
): Promise<boolean> {
  const hashed = await hashPassword(password)
  return context.control.alone(() => changeRow(REPLACEMENT, context, { id, password: hashed }))
}

/** The same for the operator's own. @param follow work in the same transaction */
export async function changeOwnPassword<T>(
  context: AuditContext,
  { id, password }: { readonly id: number; readonly password: string },
  follow: () => Work<T>,
): Promise<T> {
  const hashed = await hashPassword(password)
  return context.control.alone(function* () {
    yield* changeRow(REPLACEMENT, context, { id, password: hashed })
    return yield* follow()
  })
}

type PasswordOf = Pick<OperatorRow, 'id' | 'password'>

const REPLACEMENT: AuditedChangeParts<PasswordOf, OperatorRow> = {
  action: 'operator.password',
  find: ({ id }) => findOperatorRow(id),
  write: updateOperatorPassword,
  fieldsOf: auditFieldsOf,
}

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
export function deleteOperatorUnlessLast(context: AuditContext, id: number): Promise<boolean> {
  return context.control.alone(function* () {
    return (yield* listOperatorRows()).length > 1 && (yield* changeRow(DELETION, context, id))
  })
}

/** Ends all sessions of an operator, in all browsers. */
export async function endSessions(context: AuditContext, id: number): Promise<void> {
  await audited(context, function* (record) {
    const sessions = yield* deleteSessionsOf(id)
    yield* record({ action: 'session.end', subject: id, detail: { everywhere: true, sessions } })
  })
}
