import { join } from 'node:path'
import { CommandError } from '../errors.js'
import { shownName } from '../inbox/archive.js'
import { reasonForFolder } from '../inbox/folder-reason.js'
import type { ImportResult, Imports } from '../inbox/imports.js'
import type { InboxEvent } from '../inbox/inbox.js'
import { escaped, escapedLines } from '../text/escaped.js'
import { megabytesText, ProgressLine } from './progress.js'
import type { Output, Terminal } from './terminal.js'

/** Time between two updates of the progress of imports. */
const PROGRESS_MS = 250

/** The part of a command's context that a report needs. */
interface ReportContext extends Pick<Terminal, 'stdout' | 'stderr' | 'clock'> {
  readonly flags: { readonly json: boolean }
}

/** Prints the imports of an inbox: a line a file, and on a terminal the progress. */
export class InboxReport {
  /** Rejects when the reader of the output is gone. */
  readonly broken: Promise<never>
  #break: (error: unknown) => void = () => undefined
  #writing: Promise<void> = Promise.resolve()
  #failedCount = 0
  #noticeCount = 0
  readonly #progress: ProgressLine
  readonly #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly context: ReportContext,
    private readonly imports: Pick<Imports, 'running'>,
  ) {
    const { stderr, clock } = context
    this.broken = new Promise((_, reject) => {
      this.#break = reject
    })
    this.broken.catch(() => undefined)
    this.#progress = new ProgressLine(stderr, 'inbox', clock)
    if (stderr.isTerminal) this.#timer = setInterval(() => this.#showProgress(), PROGRESS_MS)
  }

  /** Prints an event. */
  add(event: InboxEvent): void {
    const { stdout, stderr, flags } = this.context
    this.#progress.clear()
    if (event.kind === 'notice') {
      this.#noticeCount += 1
      this.#write(stderr, `warning: ${escaped(event.message)}\n`)
      return
    }
    const file = shownName(join(event.workspaceId, event.name))
    if (event.kind === 'later') {
      this.#write(stderr, `warning: ${file} is imported again: ${escaped(event.reason)}\n`)
      return
    }
    const { result } = event
    if (result.kind !== 'done') this.#failedCount += 1
    if (flags.json) {
      this.#write(stdout, `${escaped(JSON.stringify(jsonOf(event)))}\n`)
      return
    }
    if (result.kind === 'done') {
      for (const each of result.warnings) {
        this.#write(stderr, `warning: ${file}: ${sentenceOf(each)}\n`)
      }
    }
    this.#write(stdout, `${file}: ${textOf(result)}; moved to ${shownName(event.path)}\n`)
  }

  /** Ends the progress. */
  end(): void {
    clearInterval(this.#timer)
    this.#progress.clear()
  }

  /** Resolves when all is printed. @throws Error when the reader of the output is gone */
  async written(): Promise<void> {
    await this.#writing
  }

  /** @throws CommandError `failed` when a file or a folder failed */
  check(): void {
    if (this.#failedCount > 0) {
      const files = this.#failedCount === 1 ? '1 file was' : `${this.#failedCount} files were`
      const reasons = this.#failedCount === 1 ? 'reason is next to it' : 'reasons are next to them'
      throw new CommandError('failed', `${files} not imported; the ${reasons} in failed/`)
    }
    if (this.#noticeCount > 0) {
      throw new CommandError('failed', 'some files were left where they are; see the warnings')
    }
  }

  #write(output: Output, text: string): void {
    this.#writing = this.#writing.then(() => output.write(text))
    this.#writing.catch(this.#break)
  }

  #showProgress(): void {
    const running = this.imports.running().map(({ workspaceId, name, readBytes, readRows }) => {
      const read = `${megabytesText(readBytes)} MB, ${readRows} rows`
      return `${shownName(join(workspaceId, name))} ${read}`
    })
    if (running.length === 0) this.#progress.clear()
    else this.#progress.step(running.join('; '))
  }
}

function textOf(result: ImportResult): string {
  if (result.kind === 'cancelled') return `cancelled by ${result.by}`
  if (result.kind === 'failed') return `not imported: ${sentenceOf(result.reason)}`
  const { added, unchanged, updated, skipped } = result
  const counts = [`${added} added`, `${unchanged} already there`]
  if (updated > 0) counts.push(`${updated} updated`)
  if (skipped > 0) counts.push(`${skipped} skipped`)
  return counts.join(', ')
}

/** A sentence of an import; lines after its first one are indented, as parts of it. */
function sentenceOf(reason: string): string {
  return escapedLines(reasonForFolder(reason)).replaceAll('\n', '\n  ')
}

function jsonOf(event: Extract<InboxEvent, { readonly kind: 'result' }>): object {
  const { workspaceId, name, path, bytes, result } = event
  const file = { workspaceId, file: name, path, bytes, state: result.kind }
  if (result.kind === 'cancelled') return { ...file, by: result.by }
  if (result.kind === 'failed') return { ...file, reason: reasonForFolder(result.reason) }
  const { format, accounts, added, unchanged, updated, skipped } = result
  const warnings = result.warnings.map(reasonForFolder)
  return { ...file, format, accounts, added, unchanged, updated, skipped, warnings }
}
