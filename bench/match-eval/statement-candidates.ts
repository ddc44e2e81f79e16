import { createReadStream } from 'node:fs'
import { formatAmount } from '../../src/money.js'
import { FORMATS } from '../../src/statements/formats.js'
import { DETECT_CHARS_MAX } from '../../src/statements/peek-text.js'
import { StatementError, type StatementTransaction } from '../../src/statements/statement.js'
import { bankFiles } from '../import-eval/bank-files.js'
import type { Candidate } from './candidate.js'

/** A transaction of a real bank file. */
export interface StatementCandidate extends Candidate {
  /** Path within its folder: `mt940/NAME` of KONTOR_STATEMENTS, `NAME` of the other folder. */
  readonly file: string
  /** Index of the transaction in the file, from 0. */
  readonly entry: number
  /** Decimal text. */
  readonly amount: string
}

/**
 * Every transaction that the project's statement readers find in the folders of real bank files
 * that the environment names, ordered by file. Unreadable content is left out: some of the files
 * are broken on purpose.
 */
export async function statementCandidates(
  environment: NodeJS.ProcessEnv,
): Promise<StatementCandidate[]> {
  const found: StatementCandidate[] = []
  for (const { name, path } of bankFiles(environment)) {
    const transactions = await transactionsIn(path, name)
    const file = name.slice(name.indexOf('/') + 1)
    transactions.forEach((transaction, entry) => {
      found.push(candidateOf(transaction, file, entry))
    })
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
