import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../src/errors.js'
import { formatSum, type Sum, sumOf } from '../../src/money.js'
import type { StatementFormat } from '../../src/statements/detect.js'
import { FORMATS } from '../../src/statements/formats.js'
import type { BalanceProof } from '../../src/statements/import/file-balances.js'
import type { ImportReport } from '../../src/statements/import/import-report.js'
import { peekText } from '../../src/statements/peek-text.js'
import { importText } from '../../src/statements/readers.js'
import { StatementError } from '../../src/statements/statement.js'
import type { AccountRow, TransactionRow } from '../../src/store/columns.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import type { BankFilePath } from './bank-files.js'

/** Figures of importing one bank file into an empty workspace. */
export interface FileFigures {
  readonly name: string
  /** undefined = not recognized. */
  readonly format: StatementFormat | undefined
  /** Flags that the file requires, such as `--account`; most files require none. */
  readonly flags: string
  readonly rowCount: number
  /** Currency -> decimal text. */
  readonly sums: ReadonlyMap<string, string>
  readonly proof: BalanceProof['result'] | 'none'
  /** Field -> rows or accounts that have it. */
  readonly fields: ReadonlyMap<string, number>
  readonly warnings: readonly string[]
  /** The message of the refusal; undefined when the file was imported. */
  readonly refusal: string | undefined
}

/** Options to try in order: some files name no account, some no currency. */
const ATTEMPTS = [
  {},
  { currency: 'EUR' },
  { account: '4711' },
  { account: '4711', currency: 'EUR' },
] as const

/** Members that every row has, or that accompany another member. */
const NO_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'accountId', 'amountUnscaled', 'amountScale', 'currency', 'identity'],
  ...['createdAt', 'updatedAt', 'importedAt', 'originalAmountScale', 'paypalFeeScale'],
  ...['paypalNetScale', 'categoryId', 'parentCategoryId', 'balanceScale'],
])

/**
 * Imports the file, with the flags that it requires.
 * @param scratch a folder for the workspace, deleted at the end
 */
export async function figuresOf(file: BankFilePath, scratch: string): Promise<FileFigures> {
  let first: FileFigures | undefined
  for (const options of ATTEMPTS) {
    const figures = await figuresWith(file, scratch, options)
    if (figures.refusal === undefined) return figures
    first ??= figures
  }
  if (first === undefined) throw new Error('at least one import is tried')
  return first
}

async function figuresWith(
  { name, path }: BankFilePath,
  scratch: string,
  options: { readonly account?: string; readonly currency?: string },
): Promise<FileFigures> {
  const workspace = WorkspaceFile.open(join(scratch, 'eval.db'))
  let format: StatementFormat | undefined
  const none = { rowCount: 0, sums: new Map(), fields: new Map(), warnings: [] }
  const flags = Object.keys(options)
    .map((flag) => `--${flag}`)
    .join(' ')
  try {
    const { head, text } = await peekText(FORMATS.decode(createReadStream(path)))
    const detected = FORMATS.detect(head, name)
    if (detected.kind !== 'format') {
      return { name, format, flags: '', ...none, proof: 'none', refusal: detected.message }
    }
    format = detected.format
    const settings = { ...options, now: 0, lenient: false, includesNotifications: true }
    const report = await importText(FORMATS, format, workspace, text, settings)
    return { name, format, flags, ...contentOf(workspace, report), refusal: undefined }
  } catch (error) {
    if (!(error instanceof StatementError || error instanceof CommandError)) throw error
    return { name, format, flags: '', ...none, proof: 'none', refusal: error.message }
  } finally {
    workspace.close()
    for (const end of ['', '-wal', '-shm']) rmSync(join(scratch, `eval.db${end}`), { force: true })
  }
}

function contentOf(
  workspace: WorkspaceFile,
  { added, balances, warnings }: ImportReport,
): Pick<FileFigures, 'rowCount' | 'sums' | 'proof' | 'fields' | 'warnings'> {
  const sums = new Map<string, Sum>()
  const fields = new Map<string, number>()
  for (const row of workspace.transactionsOldestFirst()) {
    const amount = sumOf(BigInt(row.amountUnscaled), row.amountScale)
    sums.set(row.currency, (sums.get(row.currency) ?? 0n) + amount)
    countFields(fields, '', row)
  }
  for (const account of workspace.accounts()) {
    fields.set('accounts', (fields.get('accounts') ?? 0) + 1)
    countFields(fields, 'account.', account)
  }
  return {
    rowCount: added,
    sums: new Map([...sums].sort().map(([currency, sum]) => [currency, formatSum(sum)])),
    proof: balances?.result ?? 'none',
    fields: new Map([...fields].sort(([a], [b]) => (a < b ? -1 : 1))),
    warnings,
  }
}

function countFields(
  counts: Map<string, number>,
  prefix: string,
  row: TransactionRow | AccountRow,
): void {
  for (const [member, value] of Object.entries(row)) {
    if (value === null || NO_FIELDS.has(member)) continue
    const name = `${prefix}${member.replace(/Unscaled$/, '')}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
}
