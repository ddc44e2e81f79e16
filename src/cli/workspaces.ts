import {
  checkWorkspace,
  deleteWorkspace,
  hasWorkspace,
  listWorkspaces,
  type WorkspaceReport,
} from '../admin/workspaces.js'
import { type CommandGroup, defineCommand } from './command.js'
import { adminOf, noWorkspace, withStore } from './control.js'
import { tableText } from './table.js'

const listCommand = defineCommand({
  name: 'list',
  summary: 'list workspaces and whether they can be read',
  description: 'Opens and checks each workspace file, and reports why if one cannot be read.',
  flags: {},
  examples: ['kontor workspaces list', 'kontor workspaces list --json'],
  run: async (call) => {
    const { flags, stdout } = call
    const states: WorkspaceReport[] = []
    await withStore(call, async (store) => {
      for (const id of await listWorkspaces(store)) states.push(await checkWorkspace(store, id))
    })
    if (flags.json) return stdout.write(`${JSON.stringify(states)}\n`)
    const cells = states.map(({ workspaceId, state, accounts, transactions, reason }) => {
      return [workspaceId, state, accounts ?? null, transactions ?? null, reason ?? null]
    })
    const headings = ['workspace', 'state', 'accounts', 'transactions', 'reason']
    await stdout.write(tableText(headings, cells))
  },
})

const deleteCommand = defineCommand({
  name: 'delete',
  summary: 'delete a workspace with its file and its credentials',
  description: 'Deletes all data of the workspace; its keys stop working. This cannot be undone.',
  flags: {},
  positionals: { placeholder: 'ID', summary: 'id of the workspace', min: 1, max: 1 },
  examples: ['kontor workspaces delete demo'],
  run: async (call) => {
    const { flags, positionals, stdout } = call
    const workspaceId = positionals[0] ?? ''
    const { keys, integrations } = await withStore(call, async (store) => {
      if (!(await hasWorkspace(store, workspaceId))) throw noWorkspace(workspaceId)
      return deleteWorkspace(adminOf(store), workspaceId)
    })
    const text = `workspace ${workspaceId} is deleted: ${keys} keys, ${integrations} integrations`
    await stdout.write(`${flags.json ? JSON.stringify({ workspaceId, keys }) : text}\n`)
  },
})

/** `kontor workspaces …` */
export const workspacesCommands: CommandGroup = {
  kind: 'group',
  name: 'workspaces',
  summary: 'list and delete workspaces',
  commands: [listCommand, deleteCommand],
}
