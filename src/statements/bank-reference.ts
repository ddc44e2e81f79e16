import { formatInstant } from '../instant.js'
import { formatAmount } from '../money.js'
import { digestOf } from './import/digest.js'
import type { DigestCounts } from './import/digest-counts.js'
import type { StatementTransaction } from './statement.js'

/**
 * Makes a bank's reference unique within the account: the reference alone is not enough, since
 * banks repeat it for the parts of a batch, for reversals, or day after day. So it is extended by
 * booking day (else value day), amount and currency; repeats within a file also get a number. All
 * of these are the same in every file that repeats the movement, as long as files contain whole
 * days.
 * @param counts of this file's references; incremented
 * @param account the name of the account in this file
 * @returns for example `0724710345313905 2004-09-04 300 EUR`
 */
export function uniqueReference(
  counts: DigestCounts,
  account: string,
  reference: string,
  transaction: Pick<StatementTransaction, 'amount' | 'currency' | 'bookedAt' | 'valuedAt'>,
): string {
  const at = transaction.bookedAt ?? transaction.valuedAt
  const day = at === undefined ? '-' : formatInstant(at).slice(0, 10)
  const amount = formatAmount(transaction.amount.unscaled, transaction.amount.scale)
  const unique = `${reference} ${day} ${amount} ${transaction.currency}`
  const earlierCount = counts.add(digestOf(`${account} ${unique}`))
  return earlierCount === 0 ? unique : `${unique} #${earlierCount + 1}`
}

/**
 * The unique reference that the movement has in a file with its statement alone, for a statement
 * that repeats one of its file.
 * @param counts of this statement's references; incremented
 * @param unique as {@link uniqueReference} returned it for the file
 */
export function referenceWithin(counts: DigestCounts, unique: string): string {
  const plain = plainReference(unique)
  const earlierCount = counts.add(digestOf(plain))
  return earlierCount === 0 ? plain : `${plain} #${earlierCount + 1}`
}

/** The reference without the number of equal ones. */
export function plainReference(unique: string): string {
  return unique.replace(NUMBER, '')
}

/** The number of an equal reference; at most one for each movement of a file. */
const NUMBER = / #\d{1,9}$/
