import { CommandError } from '../errors.js'
import { formatInstant } from '../instant.js'
import { defineCommand } from './command.js'
import { megabytesText } from './progress.js'
import { tableText } from './table.js'

/** `kontor nodes`. */
export const nodesCommand = defineCommand({
  name: 'nodes',
  summary: 'list the servers that answer from one database',
  description:
    'Shows each kontor serve --store of the database: when it was last heard, whether it has\n' +
    'the newest keys and grants, and what it has in memory. A server that was killed stays\n' +
    'listed for a day.',
  flags: {},
  examples: [
    'kontor nodes --store postgres://kontor@db.example.org/kontor',
    'KONTOR_STORE=postgres://kontor@db.example.org/kontor kontor nodes --json',
  ],
  run: async ({ flags, stdout }) => {
    if (flags.store === undefined) {
      const sentence = 'a data directory has one server; --store names a database with several'
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
    const headings = ['node', 'program', 'heard', 'credentials', 'workspaces', 'megabytes']
    await stdout.write(tableText(headings, cells))
  },
})
