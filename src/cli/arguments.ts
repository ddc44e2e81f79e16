import { parseArgs } from 'node:util'
import { CommandError } from '../errors.js'
import { nearestName } from '../text/nearest.js'
import {
  COMMON_FLAGS,
  type Command,
  environmentName,
  type Flag,
  type FlagTable,
} from './command.js'

/** The parsed words after the command's name. */
export interface Arguments {
  readonly flags: Readonly<
    Record<string, boolean | number | string | readonly string[] | undefined>
  >
  readonly positionals: readonly string[]
}

/**
 * Reads flags and positionals of one command. The command line takes precedence over the
 * environment, and that over the default.
 * @param words the words after the command's name
 * @throws CommandError `usage` that names the flag and the allowed values
 */
export function parseArguments(
  command: Command,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Arguments {
  const table: FlagTable = { ...command.flags, ...COMMON_FLAGS }
  const { typed, positionals } = readWords(table, words)
  if (typed.has('help')) return { flags: { help: true }, positionals: [] }
  const flags: Record<string, boolean | number | string | readonly string[] | undefined> = {}
  for (const [name, flag] of Object.entries(table)) {
    const texts = typed.get(name)
    const fromEnvironment = environment[environmentName(name)]
    if (texts !== undefined) flags[name] = parsedValueOf(`--${name}`, flag, texts)
    else if (fromEnvironment !== undefined && fromEnvironment !== '' && name !== 'help') {
      flags[name] = parsedValueOf(environmentName(name), flag, [fromEnvironment])
    } else flags[name] = absentValueOf(name, flag)
  }
  checkPositionals(command, positionals)
  return { flags, positionals }
}

interface TypedWords {
  /** Flag name -> its values as typed; `[]` for a switch. */
  readonly typed: ReadonlyMap<string, readonly string[]>
  readonly positionals: readonly string[]
}

function readWords(table: FlagTable, words: readonly string[]): TypedWords {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [
      name,
      {
        type: flag.kind === 'switch' ? ('boolean' as const) : ('string' as const),
        ...(name === 'help' ? { short: 'h' } : {}),
      },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const typed = new Map<string, string[]>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(table, token.name) ? table[token.name] : undefined
    if (flag === undefined) throw unknownFlag(table, token.rawName)
    const earlier = typed.get(token.name)
    if (earlier !== undefined && flag.kind !== 'texts') {
      throw new CommandError('usage', `${token.rawName} may be given only once`)
    }
    if (flag.kind === 'switch') {
      if (token.value !== undefined) {
        throw new CommandError('usage', `${token.rawName} takes no value`)
      }
      typed.set(token.name, [])
      continue
    }
    // A negative number is a value: no flag begins with a digit.
    const isNextFlag = token.inlineValue === false && /^-\D/.test(token.value)
    if (token.value === undefined || token.value === '' || isNextFlag) {
      throw new CommandError(
        'usage',
        `${token.rawName} needs a value: ${exampleOf(token.name, flag)}`,
      )
    }
    typed.set(token.name, [...(earlier ?? []), token.value])
  }
  return { typed, positionals }
}

function unknownFlag(table: FlagTable, rawName: string): CommandError {
  const nearest = nearestName(rawName.replace(/^-+/, ''), Object.keys(table))
  const advice =
    nearest === undefined ? 'see --help for the list of flags' : `did you mean --${nearest}?`
  return new CommandError('usage', `there is no flag ${rawName}; ${advice}`)
}

function parsedValueOf(
  name: string,
  flag: Flag,
  texts: readonly string[],
): boolean | number | string | readonly string[] {
  const text = texts[0] ?? ''
  if (flag.kind === 'texts') return texts
  if (flag.kind === 'switch') {
    if (texts.length === 0 || ['1', 'true', 'yes'].includes(text)) return true
    if (['0', 'false', 'no'].includes(text)) return false
    throw new CommandError('usage', `${name} must be 1 or 0, not ${JSON.stringify(text)}`)
  }
  if (flag.kind === 'count') {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : undefined
    if (value !== undefined && value >= flag.min && value <= flag.max) return value
    const range = `a whole number from ${flag.min} to ${flag.max}`
    throw new CommandError('usage', `${name} must be ${range}, not ${JSON.stringify(text)}`)
  }
  if (flag.choices === undefined || flag.choices.includes(text)) return text
  const nearest = nearestName(text, flag.choices)
  const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`
  const choices = flag.choices.join(', ')
  throw new CommandError('usage', `${name} must be one of ${choices}, not ${text}${advice}`)
}

function absentValueOf(
  name: string,
  flag: Flag,
): boolean | number | string | readonly string[] | undefined {
  if (flag.kind === 'switch') return false
  if (flag.kind === 'texts') return []
  if (flag.kind === 'text' && flag.isRequired === true) {
    throw new CommandError('usage', `--${name} is missing: ${exampleOf(name, flag)}`)
  }
  return flag.default
}

function exampleOf(name: string, flag: Flag): string {
  return flag.kind === 'switch' ? `--${name}` : `--${name} ${flag.placeholder}`
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  const wanted = command.positionals
  const extra = wanted === undefined ? positionals[0] : positionals[wanted.max]
  if (extra !== undefined) {
    throw new CommandError('usage', `unexpected argument ${JSON.stringify(extra)}`)
  }
  if (wanted !== undefined && positionals.length < wanted.min) {
    throw new CommandError('usage', `${wanted.placeholder} is missing: ${wanted.summary}`)
  }
}
