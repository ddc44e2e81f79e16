import type { ControlStore } from '../store/control-store.js'
import { findOperator, findOperatorByName, type OperatorRow } from '../store/operator-rows.js'
import type { Work } from '../store/work.js'
import { isPassword } from './password.js'

/**
 * The operator with that name and password, or undefined; takes as long for an unknown name.
 * Throttling attempts is the caller's part, and so is the audit log.
 */
export async function verifyOperator(
  control: ControlStore,
  name: string,
  password: string,
): Promise<OperatorRow | undefined> {
  const operator = await control.look(() => findOperatorByName(name.normalize('NFC')))
  const isRight = await isPassword(password, operator?.password)
  return isRight ? operator : undefined
}

/**
 * Whether an operator still exists with the password just verified: the verification takes a while,
 * in which a leaked password may have been changed.
 */
export function* isUnchangedOperator(operator: OperatorRow): Work<boolean> {
  return (yield* findOperator(operator.id))?.password === operator.password
}
