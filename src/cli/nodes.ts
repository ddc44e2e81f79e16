import { CommandError } from '../errors.js'
import { formatInstant } from '../instant.js'
import { defineCommand } from './command.js'
import { megabytesText } from './progress.js'
import { tableText } from './table.js'

/** `kontor nodes`. */
export const nodesCommand = defineCommand({
  name: 'nodes',
  summary: 'list the servers of a database',
  description:
    'Lists each kontor serve --store of the database: the time since its last heartbeat,\n' +
    'whether it has the newest keys and grants, and its memory. A killed server stays listed\n' +
    'for a day.',
  flags: {},
  examples: [
    'kontor nodes --store postgres://kontor@db.example.org/kontor',
    'KONTOR_STORE=postgres://kontor@db.example.org/kontor kontor nodes --json',
  ],
  run: async ({ flags, stdout }) => {
    if (flags.store === undefined) {
      const sentence = 'a data directory has one server only; select a database with --store'
      throw new CommandError('usage', `kontor nodes: ${sentence}`)
    }
    const { listNodesAt } = await import('../store/postgres/node-table.js')
    const nodes = await listNodesAt(flags.store)
    if (flags.json) {
      const shown = nodes.map(({ heard, ...node }) => ({ ...node, heard: formatInstant(heard) }))
      return stdout.write(`${JSON.stringify(shown)}\n`)
    }
    const cells = nodes.map((node) => [
      node.id,
      node.program,
      `${Math.max(0, Math.round(node.ageMs / 1000))}s ago`,
      node.controlVersion >= node.newestVersion ? 'newest' : 'older',
      node.residents,
      megabytesText(node.bytes),
    ])
    const headings = ['node', 'program', 'last seen', 'credentials', 'workspaces', 'megabytes']
    await stdout.write(tableText(headings, cells))
  },
})
