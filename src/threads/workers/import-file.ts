// Thread entry: imports an uploaded bank file into a workspace while requests are answered.
import { createReadStream, fstatSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { CommandError } from '../../errors.js'
import { FORMATS } from '../../statements/formats.js'
import { FileDigest } from '../../statements/import/file-digest.js'
import { peekText } from '../../statements/peek-text.js'
import { importText } from '../../statements/readers.js'
import { importCause, StatementError } from '../../statements/statement.js'
import { openWriter } from '../../store/open-workspace.js'
import { StoreError } from '../../store/store-error.js'
import type { WorkspaceWriter } from '../../store/workspace-writer.js'
import {
  CAUSE_WRITTEN,
  GOES_ON,
  type ImportOutcome,
  type ImportTask,
  IS_KEPT,
  PROGRESS_BYTES,
  PROGRESS_ROWS,
  stampOf,
} from '../import-task.js'

class ImportCancelled extends Error {
  override readonly name = 'ImportCancelled'
}

/** The file was written to after it was claimed: the part that was read may end inside a row. */
class Written extends Error {
  override readonly name = 'Written'
}

/** Imports the file completely or not at all; its faults are returned, not thrown. */
export async function importFile(task: ImportTask): Promise<ImportOutcome> {
  let workspace: WorkspaceWriter | undefined
  try {
    workspace = await openWriter(task.address)
    return await importInto(workspace, task)
  } catch (error) {
    if (error instanceof ImportCancelled) return { kind: 'cancelled' }
    if (error instanceof Written) {
      const reason = 'it was written to while it was imported'
      return { kind: 'failed', reason, cause: CAUSE_WRITTEN }
    }
    const isExpected =
      error instanceof StatementError ||
      error instanceof StoreError ||
      error instanceof CommandError
    if (!isExpected) throw error
    return { kind: 'failed', reason: error.message, cause: importCause(error) }
  } finally {
    workspace?.close()
  }
}

async function importInto(workspace: WorkspaceWriter, task: ImportTask): Promise<ImportOutcome> {
  const { progress, name, nowMs, account, currency, columns, encoding } = task
  const { lenient, update, includesNotifications, allowsManyAccounts } = task
  const digest = new FileDigest()
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of digest.through(chunksOf(task))) {
      progress[PROGRESS_BYTES] = digest.byteCount
      yield chunk
    }
  }
  const guesses: string[] = []
  const onGuess = (sentence: string): void => void guesses.push(sentence)
  const decoded = FORMATS.decode(counted(), undefined, { encoding, onGuess })
  const { head, text } = await peekText(decoded)
  const detected = FORMATS.detect(head, name)
  if (detected.kind !== 'format') {
    return { kind: 'failed', reason: detected.message, cause: 'unknown format' }
  }
  const { format } = detected
  const report = await importText(FORMATS, format, workspace, text, {
    now: nowMs,
    lenient: lenient ?? false,
    update: update ?? false,
    includesNotifications: includesNotifications ?? false,
    allowsManyAccounts: allowsManyAccounts ?? false,
    ...(account === undefined ? {} : { account }),
    ...(currency === undefined ? {} : { currency }),
    ...(columns === undefined ? {} : { columns: FORMATS.parseColumns(columns) }),
    throwIfCancelled: (at) => {
      if (at === 'end' && isWritten(task)) throw new Written()
      const stage =
        at === 'entry'
          ? Atomics.load(task.stage, 0)
          : Atomics.compareExchange(task.stage, 0, GOES_ON, IS_KEPT)
      if (stage !== GOES_ON) throw new ImportCancelled()
    },
    onProgress: (rowCount) => {
      progress[PROGRESS_ROWS] = rowCount
    },
  })
  const { accountIds, ...counts } = report
  const warnings = [...guesses, ...report.warnings]
  const { sequence } = workspace.version()
  return {
    kind: 'done',
    format,
    accounts: accountIds.size,
    sequence,
    ...counts,
    warnings,
    ...digest.result(),
  }
}

function isWritten({ descriptor, stamp }: ImportTask): boolean {
  if (descriptor === undefined || stamp === undefined) return false
  return stampOf(fstatSync(descriptor, { bigint: true })) !== stamp
}

/** Bytes of a read from a descriptor, as a stream has them. */
const READ_BYTES = 65_536

/** The bytes of a file. A stream would close a descriptor when the import ends early. */
function chunksOf({ path, descriptor }: ImportTask): AsyncIterable<Uint8Array> {
  return descriptor === undefined ? createReadStream(path) : chunksFrom(descriptor)
}

async function* chunksFrom(descriptor: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(READ_BYTES)
    const { bytesRead } = await readBytes(descriptor, chunk, 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}

const readBytes = promisify(read)
