import { CommandError } from '../errors.js'
import { type CopiedWorkspace, copyStore } from '../store/copy-store.js'
import { openSink, openSource } from '../store/open-copy.js'
import { type CommandGroup, type Context, defineCommand, type FlagTable } from './command.js'
import { programVersion } from './program-version.js'
import { ProgressLine } from './progress.js'
import { tableText } from './table.js'

const FLAGS = {
  from: {
    kind: 'text',
    placeholder: 'STORE',
    isRequired: true,
    summary: 'a data directory, or postgres://USER@HOST/DATABASE',
  },
  to: {
    kind: 'text',
    placeholder: 'STORE',
    isRequired: true,
    summary: 'a new directory, or an empty database',
  },
} as const satisfies FlagTable

const copyCommand = defineCommand({
  name: 'copy',
  summary: 'copy workspaces and credentials between a data directory and PostgreSQL',
  description:
    'Copies all workspaces, credentials and operators, and the audit log. Ids and hashes stay\n' +
    'the same, so keys, tokens, passwords and cursors remain valid. Caches are rebuilt. Stop\n' +
    'the server and imports first: the copy may lack rows that are written while it runs. The\n' +
    'original is not changed. If the copy fails, the target stays empty.\n\n' +
    'Set PGPASSWORD, or use a password file, to keep the password off the command line.',
  flags: FLAGS,
  examples: [
    'kontor store copy --from ./data/local --to postgres://kontor@db.example.org/kontor',
    'kontor store copy --from postgres://kontor@db.example.org/kontor --to ./data/copy',
  ],
  run: async (context) => {
    const { flags, stdout } = context
    if (flags.from === flags.to) {
      throw new CommandError('usage', '--to must be another store than --from')
    }
    const copied = await copyBetween(context)
    if (flags.json) return stdout.write(`${JSON.stringify(copied)}\n`)
    const cells = copied.map(({ workspaceId, accounts, transactions }) => [
      ...[workspaceId, accounts, transactions],
    ])
    await stdout.write(tableText(['workspace', 'accounts', 'transactions'], cells))
  },
})

async function copyBetween({
  flags,
  stderr,
  clock,
}: Context<typeof FLAGS>): Promise<CopiedWorkspace[]> {
  const progress = new ProgressLine(stderr, 'copy', clock)
  const source = await openSource(flags.from)
  try {
    const sink = await openSink(flags.to, programVersion())
    try {
      return await copyStore(source, sink, (count, part) => progress.showRows(part, count))
    } finally {
      progress.clear()
      await sink.close()
    }
  } finally {
    await source.close()
  }
}

/** `kontor store …` */
export const storeCommands: CommandGroup = {
  kind: 'group',
  name: 'store',
  summary: 'copy between a data directory and PostgreSQL',
  commands: [copyCommand],
}
