import {
  COMMON_FLAGS,
  type Command,
  type CommandEntry,
  environmentName,
  type Flag,
} from './command.js'

/** Help of one command. @param path the words before the flags: `kontor keys create` */
export function usageOfCommand(path: string, command: Command): string {
  const { positionals } = command
  const required = Object.entries(command.flags)
    .filter(([, flag]) => flag.kind === 'text' && flag.isRequired === true)
    .map(([name, flag]) => ` ${spelling(name, flag)}`)
    .join('')
  const rest =
    positionals === undefined
      ? ''
      : ` ${positionals.placeholder}${positionals.max === 1 ? '' : '...'}`
  const flags = Object.entries({ ...command.flags, ...COMMON_FLAGS })
  return [
    `${path} - ${command.summary}`,
    `Usage: ${path}${required} [flags]${rest}`,
    command.description,
    ...(positionals === undefined ? [] : [`${positionals.placeholder}: ${positionals.summary}`]),
    `Flags:\n${columns(flags.map(([name, flag]) => [spelling(name, flag), words(flag)]))}`,
    'Every flag except --help can also be set in the environment, for example\n' +
      `${environmentName('data-dir')}; the value of a switch is 1 or 0. Flags on the ` +
      'command line\ntake precedence.',
    ...(command.examples.length === 0
      ? []
      : [`Examples:\n${command.examples.map((line) => `  ${line}`).join('\n')}`]),
  ].join('\n\n')
}

/** Help of `kontor` itself or of a group. @param path `kontor`, `kontor keys` */
export function usageOfGroup(
  path: string,
  summary: string,
  commands: readonly CommandEntry[],
): string {
  return [
    `${path} - ${summary}`,
    `Usage: ${path} COMMAND [flags]`,
    `Commands:\n${columns(commands.map((entry) => [entry.name, entry.summary]))}`,
    `Run ${path} COMMAND --help for the flags of a command.`,
  ].join('\n\n')
}

function spelling(name: string, flag: Flag): string {
  return flag.kind === 'switch' ? `--${name}` : `--${name} ${flag.placeholder}`
}

function words(flag: Flag): string {
  const notes: string[] = []
  if (flag.kind === 'text' && flag.isRequired === true) notes.push('required')
  if (flag.kind === 'text' && flag.choices !== undefined) notes.push(flag.choices.join(', '))
  if (flag.kind === 'texts') notes.push('may be repeated')
  if ('default' in flag && flag.default !== undefined) notes.push(`default ${flag.default}`)
  return notes.length === 0 ? flag.summary : `${flag.summary} (${notes.join('; ')})`
}

function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
