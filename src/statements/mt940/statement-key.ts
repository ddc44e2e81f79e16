import type { StatementAccount } from '../statement.js'
import type { Field } from './mt940-cut.js'

/**
 * The key of a statement: account, number, opening balance and, for a report, time. Statements with
 * equal keys repeat each other. Undefined for a message with neither balance nor time.
 */
export function statementKeyOf(statement: {
  readonly account: StatementAccount
  readonly number: string | undefined
  readonly reportedAt: string | undefined
  readonly openingBalance: Field | undefined
}): string | undefined {
  const { account, number = '', reportedAt = '', openingBalance } = statement
  const { iban, blz = '', accountNumber = '' } = account
  const name = iban ?? `${blz}/${accountNumber}`
  const { tag = '', lines = [] } = openingBalance ?? {}
  if (openingBalance === undefined && reportedAt === '') return undefined
  return [name, number, tag, lines[0]?.trim() ?? '', reportedAt].join(' ')
}
