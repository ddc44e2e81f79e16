import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { formatAmount } from '../../src/money.js'
import { FORMATS } from '../../src/statements/formats.js'
import { DETECT_CHARS_MAX } from '../../src/statements/peek-text.js'
import { StatementError, type StatementTransaction } from '../../src/statements/statement.js'
import type { Candidate } from './candidate.js'

/** A transaction of a real bank file. */
export interface StatementCandidate extends Candidate {
  /** Path within the folder of statements: `mt940/NAME`. */
  readonly file: string
  /** Index of the transaction in the file, from 0. */
  readonly entry: number
  /** Decimal text. */
  readonly amount: string
}

/** The folders to read, one per format. */
const FOLDERS = ['camt053', 'csv', 'mt940', 'ofx'] as const

/**
 * Every transaction that the project's statement readers find in the files of a folder, ordered by
 * file name. Unreadable content is left out: some of the files are broken on purpose.
 */
export async function statementCandidates(root: string): Promise<StatementCandidate[]> {
  const found: StatementCandidate[] = []
  for (const folder of FOLDERS) {
    const names = readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
    for (const name of names) {
      const transactions = await transactionsIn(join(root, folder, name), name)
      transactions.forEach((transaction, entry) => {
        found.push(candidateOf(transaction, `${folder}/${name}`, entry))
      })
    }
  }
  return found
}

async function transactionsIn(path: string, name: string): Promise<StatementTransaction[]> {
  let text = ''
  for await (const piece of FORMATS.decode(createReadStream(path))) text += piece
  const detected = FORMATS.detect(text.slice(0, DETECT_CHARS_MAX), name)
  if (detected.kind !== 'format') return []
  const reader = FORMATS.readers[detected.format]
  const transactions: StatementTransaction[] = []
  if (reader === undefined) return transactions
  async function* whole(): AsyncGenerator<string> {
    yield text
  }
  try {
    for await (const batch of reader(whole(), { account: '1', currency: 'EUR' })) {
      for (const event of batch) {
        if (event.kind === 'transaction') transactions.push(event.transaction)
      }
    }
  } catch (error) {
    // Transactions read before the error are as real as the others.
    if (!(error instanceof StatementError)) throw error
  }
  return transactions
}

function candidateOf(
  transaction: StatementTransaction,
  file: string,
  entry: number,
): StatementCandidate {
  const { amount, counterpart, purpose, endToEndReference, primanota, paypal } = transaction
  const texts = {
    purpose: purpose ?? null,
    endToEndReference: endToEndReference ?? null,
    customerReference: counterpart.customerReference ?? null,
    mandateReference: counterpart.mandateReference ?? null,
    primanota: primanota ?? null,
    paypalInvoiceNumber: paypal?.invoiceNumber ?? null,
  }
  return { file, entry, amount: formatAmount(amount.unscaled, amount.scale), texts }
}
