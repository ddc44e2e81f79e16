import { formatInstant } from '../instant.js'
import { formatAmount } from '../money.js'
import { digestOf } from '../text/digest.js'
import type { DigestCounts } from '../text/digest-counts.js'
import type { StatementTransaction } from './statement.js'

/**
 * Makes of a bank's reference one that no other movement of the account has: the reference alone
 * is not enough, since banks repeat it for the parts of a batch, for reversals, or day after day.
 * So booking day (else value day), amount and currency go with it, and from the second equal one
 * of a file on its number. All of that is the same in every file that repeats the movement, as
 * long as a file holds whole days.
 * @param counts of this file's references; counted up
 * @param account what names the account in this file
 * @returns for example `0724710345313905 2004-09-04 300 EUR`
 */
export function uniqueReference(
  counts: DigestCounts,
  account: string,
  reference: string,
  transaction: StatementTransaction,
): string {
  const at = transaction.bookedAt ?? transaction.valuedAt
  const day = at === undefined ? '-' : formatInstant(at).slice(0, 10)
  const amount = formatAmount(transaction.amount.unscaled, transaction.amount.scale)
  const unique = `${reference} ${day} ${amount} ${transaction.currency}`
  const earlierCount = counts.add(digestOf(`${account} ${unique}`))
  return earlierCount === 0 ? unique : `${unique} #${earlierCount + 1}`
}
