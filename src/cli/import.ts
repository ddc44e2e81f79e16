import { type ImportAuditEvent, recordImport } from '../admin/import-audit.js'
import { CLI_ACTOR } from '../domain/audit.js'
import { CommandError } from '../errors.js'
import { compactCode, isIban, looksLikeIban } from '../iban.js'
import { NEW_ACCOUNTS_MAX } from '../limits.js'
import type { StatementFormat } from '../statements/detect.js'
import { ENCODING_NAMES } from '../statements/encoding-names.js'
import type { BalanceProof } from '../statements/import/file-balances.js'
import { FileDigest } from '../statements/import/file-digest.js'
import { CHANGES_LISTED_MAX, type ImportReport } from '../statements/import/import-report.js'
import type { RowChange } from '../statements/import/row-change.js'
import { peekText } from '../statements/peek-text.js'
import { importText, STATEMENT_FORMATS, type StatementFormats } from '../statements/readers.js'
import { importCause, type ReadOptions, StatementError } from '../statements/statement.js'
import type { ControlStore } from '../store/control-store.js'
import { isWorkspaceId } from '../store/data-directory.js'
import { openWriter } from '../store/open-workspace.js'
import type { Store } from '../store/store.js'
import { LostCommitError, StoreError, StoreUnavailableError } from '../store/store-error.js'
import type { WorkspaceWriter } from '../store/workspace-writer.js'
import { escaped, escapedLines } from '../text/escaped.js'
import { type Command, type Context, defineCommand } from './command.js'
import { withStore } from './control.js'
import { readDuration } from './credential-flags.js'
import { ImportDeadline } from './import-deadline.js'
import { checkSource, type ImportSource, openSource } from './import-source.js'
import { ProgressLine } from './progress.js'

const FLAGS = {
  workspace: {
    kind: 'text',
    placeholder: 'W',
    isRequired: true,
    summary: 'workspace to import into',
  },
  format: {
    kind: 'text',
    placeholder: 'F',
    default: 'auto',
    choices: ['auto', ...STATEMENT_FORMATS],
    summary: 'format of the files; auto detects it for each file',
  },
  account: {
    kind: 'text',
    placeholder: 'A',
    summary: 'IBAN or number of the account, for files that do not name one',
  },
  currency: {
    kind: 'text',
    placeholder: 'C',
    summary: 'currency such as EUR, for files that do not name one',
  },
  columns: {
    kind: 'text',
    placeholder: 'M',
    summary: 'columns of an unknown CSV file: amount=Betrag,bookingDate=Buchungstag',
  },
  encoding: {
    kind: 'text',
    placeholder: 'E',
    choices: ENCODING_NAMES,
    summary: 'encoding of files that do not declare one',
  },
  include: {
    kind: 'text',
    placeholder: 'I',
    choices: ['notifications'],
    summary: 'notifications: import camt.054 entries that no imported statement contains yet',
  },
  lenient: { kind: 'switch', summary: 'skip invalid entries, and list them' },
  update: {
    kind: 'switch',
    summary: 'let NDJSON update existing accounts, categories and transactions',
  },
  'many-accounts': {
    kind: 'switch',
    summary: `let a file create more than ${NEW_ACCOUNTS_MAX} accounts`,
  },
  timeout: {
    kind: 'text',
    placeholder: 'T',
    default: '1h',
    summary: 'how long one file may take, such as 30s, 15m or 4h',
  },
} as const

type ImportContext = Context<typeof FLAGS>

/** Of --timeout: no file takes less than a second, or longer than a week. */
const TIMEOUT_RANGE = { minMs: 1_000, maxMs: 7 * 86_400_000 }

/** `kontor import`, for these formats. */
export function importCommand(formats: StatementFormats): Command {
  return defineCommand({
    name: 'import',
    summary: 'import bank files into a workspace',
    description:
      'Each file is imported completely or, if it contains an error, not at all. ' +
      'Transactions\n' +
      'that already exist are not added again, so files may overlap. The command stops at ' +
      'the\n' +
      'first file that fails. NDJSON is read from a pipe, from files named .ndjson, .jsonl ' +
      'or\n' +
      '.json, or with --format ndjson. Entries that differ from the stored data are listed, ' +
      'and\n' +
      'replace it only with --update.\n' +
      '\n' +
      'Exit codes: 0 success, 1 a file failed, 2 wrong usage, 3 a file took too long. ' +
      'Nothing is\n' +
      'imported from a file that failed or took too long; the files before it are imported.\n' +
      '\n' +
      'In --columns a column is a name, or a number such as #3 in a file without a header. ' +
      'The field\n' +
      'direction is a column with debit or credit; purpose=A+B joins columns; ' +
      'booked=State:DONE\n' +
      'leaves out all other rows. For an unknown file, the error shows a suggested mapping\n' +
      'and the rows it gives.',
    flags: FLAGS,
    positionals: {
      placeholder: 'FILE',
      summary: 'a bank file; - reads standard input',
      min: 1,
      max: Number.POSITIVE_INFINITY,
    },
    examples: [
      'kontor import --workspace demo umsaetze.csv',
      'kontor import --workspace demo --format camt053 --json statements/*.xml',
      "kontor import --workspace demo --columns 'bookingDate=#1,amount=#3,purpose=#2' bare.csv",
      'kontor export --workspace demo | kontor import --workspace copy -',
    ],
    run: (context) => runImport(formats, context),
  })
}

async function runImport(formats: StatementFormats, context: ImportContext): Promise<void> {
  const { flags, positionals } = context
  const options = readOptionsOf(formats, flags)
  const timeoutMs = readDuration('--timeout', flags.timeout, TIMEOUT_RANGE)
  // Every file is checked before the first is imported, and before a workspace is created for them.
  const pipes = new Set<string>()
  for (const path of positionals) if (await checkSource(path)) pipes.add(path)
  if (positionals.filter((path) => path === '-').length > 1) {
    throw new CommandError(
      'usage',
      '- may be given only once; standard input can be read only once',
    )
  }

  const importInto = async (store: Store): Promise<void> => {
    // Opened first, because each import is recorded there.
    const { control } = store
    const run = { formats, context, store, control, options, timeoutMs, pipes }
    await writeReport(context, await importFiles(run))
  }
  await withStore(context, importInto, { makesDirectory: true })
}

/** State shared by the imports of one command. */
interface ImportRun {
  readonly formats: StatementFormats
  readonly context: ImportContext
  readonly store: Store
  readonly control: ControlStore
  readonly options: ReadOptions
  /** Of one file. */
  readonly timeoutMs: number
  /** The paths that are pipes. */
  readonly pipes: ReadonlySet<string>
}

async function importFiles(run: ImportRun): Promise<FileReport[]> {
  const { context, store, pipes } = run
  const { flags, positionals } = context
  const { catalog } = store
  const found = await catalog.find(flags.workspace)
  const address = found ?? (await catalog.make(flags.workspace))
  const reports: FileReport[] = []
  let workspace: WorkspaceWriter | undefined
  try {
    workspace = await openWriter(address)
    for (const path of positionals) {
      const source = openSource(path, pipes.has(path), context)
      const imported = await importSource(run, workspace, source).catch((error: unknown) => {
        throw explained(error, source.name, reports)
      })
      reports.push({ name: source.name, report: imported.report })
      // Afterwards: whatever fails here, the rows are kept.
      await imported.record()
    }
  } catch (error) {
    workspace?.close()
    // A workspace that was created for this import and got no rows would only be in the way; of one
    // that may have got some, or cannot be asked for, the error tells.
    if (found === undefined && reports.length === 0 && !isOfUnavailable(error)) {
      await catalog.delete(flags.workspace)
    }
    throw error
  }
  workspace.close()
  return reports
}

function isOfUnavailable(error: unknown): boolean {
  const isExplained = error instanceof CommandError && error.cause instanceof StoreUnavailableError
  return isExplained || error instanceof StoreUnavailableError
}

interface FileReport {
  readonly name: string
  readonly report: ImportReport
}

function readOptionsOf(formats: StatementFormats, flags: ImportContext['flags']): ReadOptions {
  const { account, currency, columns, include, workspace } = flags
  if (!isWorkspaceId(workspace)) {
    const allowed = 'a workspace id consists of letters, digits, - and _'
    throw new CommandError('usage', `--workspace ${JSON.stringify(workspace)}: ${allowed}`)
  }
  if (account !== undefined && looksLikeIban(compactCode(account))) {
    if (!isIban(compactCode(account))) {
      throw new CommandError(
        'usage',
        `--account ${account}: the IBAN is not valid: its length or check digits are wrong`,
      )
    }
  }
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
    const allowed = 'three capital letters are expected, for example EUR'
    throw new CommandError('usage', `--currency ${JSON.stringify(currency)}: ${allowed}`)
  }
  return {
    ...(account === undefined ? {} : { account }),
    ...(currency === undefined ? {} : { currency }),
    ...(columns === undefined ? {} : { columns: formats.parseColumns(columns) }),
    includesNotifications: include === 'notifications',
  }
}

/** A file that was imported, and what records that in the audit log. */
interface ImportedSource {
  readonly report: ImportReport
  readonly record: () => Promise<void>
}

/** Imports a file, and records in the audit log when it is rejected. */
async function importSource(
  { formats, context, store, control, options, timeoutMs }: ImportRun,
  workspace: WorkspaceWriter,
  source: ImportSource,
): Promise<ImportedSource> {
  const { flags, clock, stderr } = context
  const progress = new ProgressLine(stderr, source.name, clock)
  const digest = new FileDigest()
  const deadline = new ImportDeadline(timeoutMs, clock)
  let format = STATEMENT_FORMATS.find((known) => known === flags.format)
  const record = async (result: ImportAuditEvent['result']): Promise<void> => {
    const event = { workspaceId: flags.workspace, format, ...digest.result(), result }
    await recordImport({ control, nowMs: store.clock(), actor: CLI_ACTOR }, event)
  }
  try {
    const chunks = digest.through(deadline.through(source.chunks))
    const guesses: string[] = []
    const decoding = {
      encoding: flags.encoding,
      onGuess: (sentence: string) => guesses.push(sentence),
    }
    const { head, text } = await peekText(formats.decode(chunks, format, decoding))
    format ??= detectedFormat(formats, head, source)
    const imported = await importText(formats, format, workspace, text, {
      ...options,
      lenient: flags.lenient,
      update: flags.update,
      allowsManyAccounts: flags['many-accounts'],
      now: store.clock(),
      throwIfCancelled: () => deadline.check(),
      onProgress: (rowCount) => progress.show(digest.byteCount, rowCount),
    })
    const report = { ...imported, warnings: [...guesses, ...imported.warnings] }
    const { accountIds, changes: _, warnings: __, balances: ___, ...counts } = report
    return { report, record: () => record({ accounts: accountIds.size, ...counts }) }
  } catch (error) {
    if (isExpected(error)) {
      await record({ reason: importCause(error) }).catch(throwUnlessUnavailable)
    }
    throw error
  } finally {
    deadline.end()
    progress.clear()
  }
}

/** The error of the import matters more than that its record could not be written. */
function throwUnlessUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailableError)) throw error
}

/** Errors caused by a file, standard input or the workspace. */
function isExpected(error: unknown): error is CommandError | StatementError | StoreError {
  return (
    error instanceof CommandError || error instanceof StatementError || error instanceof StoreError
  )
}

function detectedFormat(
  formats: StatementFormats,
  head: string,
  source: ImportSource,
): StatementFormat {
  const detected = formats.detect(head, source.fileName)
  if (detected.kind === 'format') return detected.format
  throw new CommandError('failed', `${source.name}: ${detected.message}`)
}

/** The error with its file, and the names of the files that were imported before it. */
function explained(error: unknown, name: string, before: readonly FileReport[]): unknown {
  if (!isExpected(error) || (error instanceof CommandError && error.kind === 'usage')) return error
  const isLate = error instanceof CommandError && error.kind === 'late'
  const sentence =
    isLate || error instanceof StatementError ? `${name}: ${error.message}` : error.message
  const kept = [...keptOf(error, before), ...namesOf(before)].map((each) => `; ${each}`).join('')
  return new CommandError(isLate ? 'late' : 'failed', `${sentence}${kept}`, { cause: error })
}

/** Nothing when it is not known, which the error says. */
function keptOf(error: unknown, before: readonly FileReport[]): string[] {
  if (error instanceof LostCommitError) return []
  return [before.length === 0 ? 'nothing was imported' : 'nothing was imported from it']
}

function namesOf(before: readonly FileReport[]): string[] {
  const names = before.map(({ name }) => name).join(', ')
  return before.length === 0 ? [] : [`imported before it: ${names}`]
}

async function writeReport(context: ImportContext, reports: readonly FileReport[]): Promise<void> {
  const accountIds = new Set(reports.flatMap(({ report }) => [...report.accountIds]))
  const sum = (count: (report: ImportReport) => number): number =>
    reports.reduce((total, { report }) => total + count(report), 0)
  const warnings = reports.flatMap(({ name, report }) =>
    report.warnings.map((warning) => `${name}: ${warning}`),
  )
  const counts = {
    accounts: accountIds.size,
    added: sum((report) => report.added),
    unchanged: sum((report) => report.unchanged),
    updated: sum((report) => report.updated),
    skipped: sum((report) => report.skipped),
  }
  const kept = sum((report) => report.kept)
  const changed = sum((report) => report.changed)
  const changes = reports.flatMap(({ report }) => report.changes).slice(0, CHANGES_LISTED_MAX)
  const balances = countsOfProofs(reports)
  if (context.flags.json) {
    const files = reports.map(({ name }) => name)
    const summary = { ...counts, kept, changed, changes, balances, warnings, files }
    await context.stdout.write(`${escaped(JSON.stringify(summary))}\n`)
    return
  }
  for (const warning of warnings) {
    await context.stderr.write(`warning: ${escapedLines(warning)}\n`)
  }
  const rows = Object.entries({ ...counts, warnings: warnings.length }).map(
    ([name, count]) => `${(name === 'unchanged' ? 'already there' : name).padEnd(13)}  ${count}\n`,
  )
  await context.stdout.write(`${rows.join('')}${textOfProofs(balances)}`)
  if (kept + changed > 0) await context.stdout.write(textOfChanges(kept, changed, changes))
}

/** Number of files by what their balances prove; files of NDJSON have none. */
type ProofCounts = Partial<Record<BalanceProof['result'], number>>

function countsOfProofs(reports: readonly FileReport[]): ProofCounts {
  const counts: ProofCounts = {}
  for (const { report } of reports) {
    const result = report.balances?.result
    if (result !== undefined) counts[result] = (counts[result] ?? 0) + 1
  }
  return counts
}

const PROOF_WORDS: readonly (readonly [result: BalanceProof['result'], words: string])[] = [
  ['proved', 'proved'],
  ['unproved', 'not proved'],
  ['gaps', 'gaps'],
  ['contradicted', 'contradicted'],
]

/** `balances       proved`, or of several files with different results `2 proved, 1 not proved`. */
function textOfProofs(counts: ProofCounts): string {
  const found = PROOF_WORDS.flatMap(([result, words]) => {
    const count = counts[result]
    return count === undefined ? [] : [{ count, words }]
  })
  const [only] = found
  if (only === undefined) return ''
  const text =
    found.length === 1
      ? only.words
      : found.map(({ count, words }) => `${count} ${words}`).join(', ')
  return `balances       ${text}\n`
}

/** The rows that differ from the file, field by field, and whether each was kept or changed. */
function textOfChanges(kept: number, changed: number, changes: readonly RowChange[]): string {
  const value = (of: RowChange['old']): string =>
    of === null ? 'none' : escaped(JSON.stringify(of))
  const lines = changes.map(
    ({ kind, id, field, old, new: now }) =>
      `  ${kind} ${id}, ${field}: ${value(old)} -> ${value(now)}\n`,
  )
  const head =
    changed > 0
      ? `changed        ${changed}\n`
      : `kept           ${kept}\nThese differ from the stored data; --update replaces it.\n`
  const isCut = changes.length === CHANGES_LISTED_MAX
  return `${head}${isCut ? `The first ${CHANGES_LISTED_MAX} fields:\n` : ''}${lines.join('')}`
}
