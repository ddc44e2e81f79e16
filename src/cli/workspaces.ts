import { deleteWorkspaceCredentials } from '../auth/workspace-credentials.js'
import { CLI_ACTOR } from '../domain/audit.js'
import { CommandError, messageOf } from '../errors.js'
import { removeSnapshotFile } from '../snapshot/snapshot-file.js'
import { ControlFile } from '../store/control-file.js'
import {
  cachePath,
  type DataDirectory,
  deleteWorkspaceFile,
  openDataDirectory,
  workspaceExists,
  workspaceIds,
  workspacePath,
} from '../store/data-directory.js'
import { WorkspaceFile } from '../store/workspace-file.js'
import { type CommandGroup, defineCommand } from './command.js'
import { tableText } from './table.js'

/** One line of `kontor workspaces list`. */
interface WorkspaceState {
  readonly workspaceId: string
  readonly state: 'ok' | 'unavailable'
  readonly accounts?: number
  readonly transactions?: number
  /** The reason why it is unavailable. */
  readonly reason?: string
}

const listWorkspaces = defineCommand({
  name: 'list',
  summary: 'list workspaces and whether they can be read',
  description: 'Opens and checks each workspace file, and reports why if one cannot be read.',
  flags: {},
  examples: ['kontor workspaces list', 'kontor workspaces list --json'],
  run: async ({ flags, stdout }) => {
    const directory = openDataDirectory(flags['data-dir'])
    const states = workspaceIds(directory).map((id) => stateOf(directory, id))
    if (flags.json) return stdout.write(`${JSON.stringify(states)}\n`)
    const cells = states.map(({ workspaceId, state, accounts, transactions, reason }) => {
      return [workspaceId, state, accounts ?? null, transactions ?? null, reason ?? null]
    })
    const headings = ['workspace', 'state', 'accounts', 'transactions', 'reason']
    await stdout.write(tableText(headings, cells))
  },
})

const deleteWorkspace = defineCommand({
  name: 'delete',
  summary: 'delete a workspace with its file and its credentials',
  description: 'Deletes all data of the workspace; its keys stop working. This cannot be undone.',
  flags: {},
  positionals: { placeholder: 'ID', summary: 'id of the workspace', min: 1, max: 1 },
  examples: ['kontor workspaces delete demo'],
  run: async ({ flags, positionals, stdout, clock }) => {
    const workspaceId = positionals[0] ?? ''
    const directory = openDataDirectory(flags['data-dir'])
    if (!workspaceExists(directory, workspaceId)) {
      throw new CommandError(
        'failed',
        `there is no workspace ${JSON.stringify(workspaceId)}; kontor workspaces list shows all`,
      )
    }
    const control = ControlFile.open(directory.controlPath)
    try {
      // Credentials first: whatever fails later, no caller can read a workspace that is being
      // deleted.
      const { keys, integrations } = deleteWorkspaceCredentials(
        control,
        workspaceId,
        clock(),
        CLI_ACTOR,
      )
      deleteWorkspaceFile(directory, workspaceId)
      // After the file: a writer of its cache checks for the file when it has finished.
      removeSnapshotFile(cachePath(directory, workspaceId))
      const text = `workspace ${workspaceId} is deleted: ${keys} keys, ${integrations} integrations`
      await stdout.write(`${flags.json ? JSON.stringify({ workspaceId, keys }) : text}\n`)
    } finally {
      control.close()
    }
  },
})

/** `kontor workspaces …` */
export const workspacesCommands: CommandGroup = {
  kind: 'group',
  name: 'workspaces',
  summary: 'list and delete workspaces',
  commands: [listWorkspaces, deleteWorkspace],
}

function stateOf(directory: DataDirectory, workspaceId: string): WorkspaceState {
  try {
    const file = WorkspaceFile.openForReading(workspacePath(directory, workspaceId))
    try {
      const reason = file.fault()
      if (reason !== undefined) return { workspaceId, state: 'unavailable', reason }
      const accounts = file.accounts().length
      return { workspaceId, state: 'ok', accounts, transactions: file.transactionCount() }
    } finally {
      file.close()
    }
  } catch (error) {
    return { workspaceId, state: 'unavailable', reason: messageOf(error) }
  }
}
