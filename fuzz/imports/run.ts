import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StatementFormat } from '../../src/statements/detect.js'
import { FORMATS } from '../../src/statements/formats.js'
import type { ImportReport } from '../../src/statements/import/import-report.js'
import { importText, STATEMENT_FORMATS } from '../../src/statements/readers.js'
import { StatementError, type StatementEvent } from '../../src/statements/statement.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { type ImportInput, importInput } from './import-input.js'
import { isContradicted } from './naive-proof.js'
import { chunksOf, type SeedFile, seedFiles } from './seed-files.js'

/** Amount and seed of a run. */
export interface ImportFuzzOptions {
  readonly seed: number
  /** Numbers of the inputs of each format: [first, end). */
  readonly inputs: readonly [first: number, end: number]
  /** undefined = all. */
  readonly format: StatementFormat | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Called before each input. */
  readonly progress: (format: StatementFormat, input: number) => void
}

/** A result that must not occur, and the input that causes it. */
export interface ImportFault {
  readonly format: StatementFormat
  readonly input: number
  /** Name of the seed file. */
  readonly of: string
  readonly what: string
}

/** Figures of one format. */
export interface ImportFuzzFigures {
  readonly format: StatementFormat
  readonly seedCount: number
  readonly inputCount: number
  readonly importedCount: number
  readonly rowCount: number
  /** Inputs whose balances contradict their rows, each with a warning. */
  readonly contradictedCount: number
  /** Processor time of the slowest input. */
  readonly slowestMs: number
  readonly faults: readonly ImportFault[]
}

/** Processor time that one input may take. */
const INPUT_MS_MAX = 1_000

/** Number of faults after which the run of a format ends. */
const FAULTS_MAX = 20

/** Number of inputs that share a workspace, which then stays small. */
const WORKSPACE_INPUTS = 2_000

/** Feeds mutated bank files to the import of each format, one after the other. */
export async function fuzzImports(options: ImportFuzzOptions): Promise<ImportFuzzFigures[]> {
  const seeds = await seedFiles(options.environment)
  const formats = STATEMENT_FORMATS.filter((each) => [undefined, each].includes(options.format))
  const figures: ImportFuzzFigures[] = []
  for (const format of formats) {
    figures.push(await fuzzFormat(format, seeds.get(format) ?? [], options))
  }
  return figures
}

async function fuzzFormat(
  format: StatementFormat,
  files: readonly SeedFile[],
  { seed, inputs: [first, end], progress }: ImportFuzzOptions,
): Promise<ImportFuzzFigures> {
  const faults: ImportFault[] = []
  const counts = { inputCount: 0, importedCount: 0, rowCount: 0, contradictedCount: 0 }
  let slowestMs = 0
  const workspaces = new Workspaces()
  try {
    for (let input = first; input < end && files.length > 0; input++) {
      progress(format, input)
      const made = importInput(files, seed, input)
      const started = process.cpuUsage()
      const outcome = await importedOutcome(workspaces.next(), format, made)
      const ms = process.cpuUsage(started).user / 1_000
      counts.inputCount += 1
      slowestMs = Math.max(slowestMs, ms)
      if (outcome.report !== undefined) counts.importedCount += 1
      counts.rowCount += outcome.events.filter(({ kind }) => kind === 'transaction').length
      const found = faultOf(outcome)
      if (found === 'warned') counts.contradictedCount += 1
      const slow = `took ${Math.round(ms)} ms of processor time`
      const what = found === 'warned' || found === undefined ? slow : found
      if (what === slow && ms <= INPUT_MS_MAX) continue
      faults.push({ format, input, of: made.of, what })
      if (faults.length === FAULTS_MAX) break
    }
  } finally {
    workspaces.close()
  }
  return { format, seedCount: files.length, ...counts, slowestMs, faults }
}

/** The workspace for the inputs, replaced from time to time. */
class Workspaces {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kontor-fuzz-'))
  #file: WorkspaceFile | undefined
  #inputCount = 0

  next(): WorkspaceFile {
    if (this.#file === undefined || this.#inputCount % WORKSPACE_INPUTS === 0) {
      this.#file?.close()
      this.#file = WorkspaceFile.open(join(this.#folder, `${this.#inputCount}.db`))
    }
    this.#inputCount += 1
    return this.#file
  }

  close(): void {
    this.#file?.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Result of one input. */
interface InputOutcome {
  /** Events of the reader; none for NDJSON. */
  readonly events: readonly StatementEvent[]
  readonly report?: ImportReport
  readonly error?: unknown
}

async function importedOutcome(
  file: WorkspaceFile,
  format: StatementFormat,
  { chunks, isLenient }: ImportInput,
): Promise<InputOutcome> {
  const events: StatementEvent[] = []
  const reader = FORMATS.readers[format]
  const readers = { ...FORMATS.readers }
  if (reader !== undefined) {
    readers[format] = async function* (text, options) {
      for await (const batch of reader(text, options)) {
        events.push(...batch)
        yield batch
      }
    }
  }
  try {
    const text = FORMATS.decode(chunksOf(chunks), format)
    const settings = { now: 0, lenient: isLenient, account: '4711', currency: 'EUR', ...NOTIFIED }
    return {
      events,
      report: await importText({ ...FORMATS, readers }, format, file, text, settings),
    }
  } catch (error) {
    return { events, error }
  }
}

/** Entries of notifications, for which the inputs have no statement. */
const NOTIFIED = { includesNotifications: true }

const CONTRADICTION = /add up to the closing balance|does not follow|more warnings$/

/** A sentence about a result that must not occur; `warned`: a contradiction with its warning. */
function faultOf({ events, report, error }: InputOutcome): string | undefined {
  if (error !== undefined && !(error instanceof StatementError)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  if (error instanceof StatementError && error.message.length > MESSAGE_CHARS_MAX) {
    return `a message of ${error.message.length} characters`
  }
  if (report === undefined) return undefined
  const refusedCount = events.filter(({ kind }) => kind === 'refused').length
  // The events also contain entries that the import itself refuses.
  if (report.skipped !== refusedCount || !isContradicted(events)) return undefined
  if (report.warnings.some((warning) => CONTRADICTION.test(warning))) return 'warned'
  return 'the balances contradict the rows, without a warning'
}

/** Length of the message of a refusal: a page; longer ones quote the file without bounds. */
const MESSAGE_CHARS_MAX = 20_000
