import { CommandError } from '../errors.js'
import { StatementError } from '../statements/statement.js'
import { StoreError } from '../store/store-error.js'
import { escapedLines } from '../text/escaped.js'
import { nearestName } from '../text/nearest.js'
import { parseArguments } from './arguments.js'
import type { Command, CommandEntry, Context, FlagTable } from './command.js'
import { isBrokenPipe, type Terminal } from './terminal.js'
import { usageOfCommand, usageOfGroup } from './usage.js'

const SUMMARY = 'read-only REST service over bank accounts and transactions'

const EXIT_CODES = { failed: 1, usage: 2, late: 3 } as const

/**
 * Runs the command that the words name. Expected faults become one sentence on stderr.
 * @param words the words after `kontor`
 * @returns the exit code: 0 done, 1 failed, 2 called wrongly, 3 it took too long
 */
export async function runKontor(
  commands: readonly CommandEntry[],
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    await runWords(commands, words, terminal)
    return 0
  } catch (error) {
    if (isBrokenPipe(error)) return 0
    const isExpected =
      error instanceof CommandError ||
      error instanceof StoreError ||
      error instanceof StatementError
    // A bug is printed with its stack: the person has no remedy of their own.
    const stack = error instanceof Error ? error.stack : String(error)
    const sentence = isExpected ? error.message : `unexpected error: ${stack}`
    await terminal.stderr.write(`kontor: ${escapedLines(sentence)}\n`).catch((gone: unknown) => {
      if (!isBrokenPipe(gone)) throw gone
    })
    return error instanceof CommandError ? EXIT_CODES[error.kind] : EXIT_CODES.failed
  }
}

async function runWords(
  commands: readonly CommandEntry[],
  words: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const [first, ...rest] = words
  // Loaded here alone: it loads the native engine, which no other command but serve needs.
  if (first === '--version') {
    return (await import('./version.js')).writeVersion(rest, terminal.stdout)
  }
  const all = { path: 'kontor', summary: SUMMARY, commands }
  // `kontor help keys create` is `kontor keys create --help`.
  if (first === 'help') return runEntry(all, [...rest, '--help'], terminal)
  return runEntry(all, words, terminal)
}

/** Commands, and the words before their names. */
interface CommandsBelow {
  readonly path: string
  readonly summary: string
  readonly commands: readonly CommandEntry[]
}

async function runEntry(
  { path, summary, commands }: CommandsBelow,
  words: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const [name, ...rest] = words
  if (name === undefined || name === '--help' || name === '-h') {
    return terminal.stdout.write(`${usageOfGroup(path, summary, commands)}\n`)
  }
  const known = commands.find((command) => command.name === name)
  if (known === undefined) throw unknownCommand(path, commands, name)
  const entry = known.kind === 'unloaded' ? await known.load() : known
  const entryPath = `${path} ${name}`
  if (entry.kind === 'group') return runEntry({ ...entry, path: entryPath }, rest, terminal)
  const below = entry.commands?.find((command) => command.name === rest[0])
  if (below === undefined) return runCommand(entryPath, entry, rest, terminal)
  return runCommand(`${entryPath} ${below.name}`, below, rest.slice(1), terminal)
}

async function runCommand(
  path: string,
  command: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const { flags, positionals } = parseArguments(command, words, terminal.environment)
  if (flags['help'] === true) {
    return terminal.stdout.write(`${usageOfCommand(path, command)}\n`)
  }
  // parseArguments has parsed each flag to the type in the table.
  const typed = flags as Context<FlagTable>['flags']
  await command.run({ ...terminal, flags: typed, positionals })
}

function unknownCommand(
  path: string,
  commands: readonly CommandEntry[],
  name: string,
): CommandError {
  if (name.startsWith('-')) {
    return new CommandError('usage', `flags come after the command: ${path} COMMAND ${name}`)
  }
  const names = commands.map((command) => command.name)
  const nearest = nearestName(name, names)
  const advice =
    nearest === undefined
      ? `the commands are ${names.join(', ')}`
      : `did you mean ${path} ${nearest}?`
  return new CommandError('usage', `unknown command ${path} ${name}; ${advice}`)
}
