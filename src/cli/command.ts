import type { Terminal } from './terminal.js'

interface FlagWords {
  /** One line of the help. */
  readonly summary: string
}

/** A flag without a value: `--json`. */
interface SwitchFlag extends FlagWords {
  readonly kind: 'switch'
}

/** A flag with a text: `--workspace W`. */
interface TextFlag extends FlagWords {
  readonly kind: 'text'
  /** The placeholder of the value in the help. */
  readonly placeholder: string
  readonly isRequired?: true
  readonly default?: string
  /** The only values allowed. */
  readonly choices?: readonly string[]
}

/** A flag with a text that may be given several times: `--redirect-uri U --redirect-uri V`. */
interface TextsFlag extends FlagWords {
  readonly kind: 'texts'
  readonly placeholder: string
}

/** A flag with a whole number: `--port 8080`. */
interface CountFlag extends FlagWords {
  readonly kind: 'count'
  readonly placeholder: string
  readonly default?: number
  readonly min: number
  readonly max: number
}

export type Flag = SwitchFlag | TextFlag | TextsFlag | CountFlag

/**
 * Name without dashes -> flag. `KONTOR_DATA_DIR` sets `data-dir`; the command line takes
 * precedence.
 */
export type FlagTable = Readonly<Record<string, Flag>>

/** The type of a flag's value in `run`: undefined when it is absent and has no default. */
type FlagValue<F extends Flag> = F extends SwitchFlag
  ? boolean
  : F extends TextsFlag
    ? readonly string[]
    : F extends { readonly kind: 'count' }
      ? F extends { readonly default: number }
        ? number
        : number | undefined
      : F extends { readonly isRequired: true } | { readonly default: string }
        ? string
        : string | undefined

type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: FlagValue<Table[Name]>
}

/** The flags that every command has. */
export const COMMON_FLAGS = {
  'data-dir': {
    kind: 'text',
    placeholder: 'D',
    default: './data/local',
    summary: 'directory with the workspaces and credentials',
  },
  store: {
    kind: 'text',
    placeholder: 'URL',
    summary: 'use a PostgreSQL database instead: postgres://USER@HOST/DATABASE',
  },
  json: { kind: 'switch', summary: 'print the result as JSON' },
  help: { kind: 'switch', summary: 'print this help' },
} as const satisfies FlagTable

/** The words after the flags: `FILE...`. */
interface Positionals {
  /** The placeholder of one in the help: `FILE`, `ID`. */
  readonly placeholder: string
  readonly summary: string
  readonly min: number
  /** 1, or several. */
  readonly max: 1 | typeof Number.POSITIVE_INFINITY
}

/** The input of a command: the process around it, and the parsed words. */
export interface Context<Table extends FlagTable> extends Terminal {
  readonly flags: FlagValues<Table & typeof COMMON_FLAGS>
  readonly positionals: readonly string[]
}

/** The parts of a command; see {@link defineCommand}. */
export interface CommandParts<Table extends FlagTable> {
  readonly name: string
  /** One line of the list of commands. */
  readonly summary: string
  /** The text below the summary in the help. */
  readonly description: string
  readonly flags: Table
  readonly positionals?: Positionals
  /** Commands under its word: `kontor audit trim`. */
  readonly commands?: readonly Command[]
  /** Lines that can be typed as they are. */
  readonly examples: readonly string[]
  /**
   * Resolves when the command is done.
   * @throws CommandError, StoreError and StatementError, whose messages are printed
   */
  run(context: Context<Table>): Promise<void>
}

/** A command of `kontor`: `kontor import`. */
export interface Command extends CommandParts<FlagTable> {
  readonly kind: 'command'
}

/** Commands under one word: `kontor keys create`. */
export interface CommandGroup {
  readonly kind: 'group'
  readonly name: string
  readonly summary: string
  readonly commands: readonly CommandEntry[]
}

/**
 * A command or group whose code is loaded when it is named, so that serving needs no memory for
 * statement readers.
 */
interface UnloadedCommand {
  readonly kind: 'unloaded'
  /** As those of the loaded command or group. */
  readonly name: string
  readonly summary: string
  load(): Promise<Command | CommandGroup>
}

export type CommandEntry = Command | CommandGroup | UnloadedCommand

/**
 * A command whose `run` has its flags typed by its own table. It is only ever called with flags
 * that were parsed by that table (arguments.ts).
 */
export function defineCommand<const Table extends FlagTable>(parts: CommandParts<Table>): Command {
  return { ...parts, kind: 'command' }
}

/** Name of the environment variable that mirrors a flag. */
export function environmentName(flagName: string): string {
  return `KONTOR_${flagName.toUpperCase().replaceAll('-', '_')}`
}
