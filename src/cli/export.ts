import { open, rename, rm } from 'node:fs/promises'
import { CommandError, messageOf } from '../errors.js'
import { exportWorkspace } from '../statements/ndjson/export.js'
import { readWorkspace } from '../store/open-workspace.js'
import type { Store } from '../store/store.js'
import type { WorkspaceAddress } from '../store/workspace.js'
import { nearestName } from '../text/nearest.js'
import { defineCommand } from './command.js'
import { withStore } from './control.js'
import { FILTER_FLAGS, filterNote, filtersOfFlags, idsPassing } from './export-filters.js'

/** Characters that an export writes at once: a pipe's worth, so that a slow reader slows it. */
const EXPORT_PIECE_CHARS = 65_536

/** `kontor export`. */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'print a workspace as NDJSON',
  description:
    'Prints accounts, categories and transactions as one JSON object per line, in the format ' +
    'that\n' +
    'kontor import reads. The output is one consistent state of the workspace. Filters choose\n' +
    'transactions as those of the REST lists do; accounts and categories are always printed.',
  flags: {
    workspace: { kind: 'text', placeholder: 'W', isRequired: true, summary: 'workspace to export' },
    output: {
      kind: 'text',
      placeholder: 'F',
      summary: 'file to write instead of standard output; replaced only when complete',
    },
    ...FILTER_FLAGS,
  },
  examples: [
    'kontor export --workspace demo > demo.ndjson',
    'kontor export --workspace demo --output demo.ndjson',
    'kontor export --workspace demo --booked-from 2026-01-01 --direction out > 2026.ndjson',
  ],
  run: async (call) => {
    const { flags, stdout, stderr } = call
    const filters = filtersOfFlags(flags)
    const address = await withStore(call, (store) => addressIn(store, flags.workspace))
    await readWorkspace(address, async (state) => {
      // A filter may come unnoticed from the environment, when a complete export is wanted.
      if (filters !== undefined) await stderr.write(`${filterNote(flags)}\n`)
      const chosen = filters && (await idsPassing(flags.workspace, state, filters))
      const rows = exportWorkspace(state, chosen)
      if (flags.output === undefined) {
        await writePieces(rows, (piece) => stdout.write(piece))
        return
      }
      const lines = await writeFileWhole(flags.output, rows)
      const report = { output: flags.output, lines }
      await stdout.write(
        flags.json ? `${JSON.stringify(report)}\n` : `${lines} lines in ${flags.output}\n`,
      )
    })
  },
})

/** @throws CommandError when there is no such workspace */
async function addressIn(
  { catalog, place }: Store,
  workspaceId: string,
): Promise<WorkspaceAddress> {
  const address = await catalog.find(workspaceId)
  if (address !== undefined) return address
  const nearest = nearestName(workspaceId, await catalog.list())
  const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new CommandError('failed', `there is no workspace ${workspaceId} in ${place}${advice}`)
}

/** Writes to a file next to the target and renames it, so that no partial file is ever visible. */
async function writeFileWhole(path: string, lines: AsyncIterable<string>): Promise<number> {
  const partPath = `${path}.${process.pid}.part`
  try {
    const part = await open(partPath, 'w')
    let count = 0
    try {
      count = await writePieces(lines, async (piece) => {
        await part.write(piece)
      })
      await part.datasync()
    } finally {
      await part.close()
    }
    await rename(partPath, path)
    return count
  } catch (error) {
    await rm(partPath, { force: true })
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
    throw new CommandError('failed', `${path} cannot be written: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/**
 * Writes lines in larger pieces, the next after the last is written. @returns the number of lines
 */
async function writePieces(
  lines: AsyncIterable<string>,
  write: (piece: string) => Promise<void>,
): Promise<number> {
  let count = 0
  let piece = ''
  for await (const line of lines) {
    count += 1
    piece += line
    if (piece.length < EXPORT_PIECE_CHARS) continue
    await write(piece)
    piece = ''
  }
  if (piece !== '') await write(piece)
  return count
}
