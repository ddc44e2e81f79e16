import { ipAllowFault } from '../auth/ip-allow.js'
import { nameFault } from '../auth/name.js'
import { TOOL_NAMES, type ToolName } from '../domain/integration.js'
import { SCOPES, type Scope } from '../domain/key-scope.js'
import { CommandError } from '../errors.js'
import { type EpochMs, parseDay, parseInstant } from '../instant.js'
import { formatDuration, parseDuration } from './duration.js'

/** Flags that several kinds of credential have. */
export const SCOPES_FLAG = {
  kind: 'text',
  placeholder: 'S',
  default: SCOPES.join(','),
  summary: 'scopes, separated by commas',
} as const

export const ACCOUNTS_FLAG = {
  kind: 'text',
  placeholder: 'A',
  default: 'all',
  summary: 'all (including future ones), or ids separated by commas',
} as const

export const EXPIRES_FLAG = {
  kind: 'text',
  placeholder: 'D',
  summary: 'day or instant (UTC) when it expires, such as 2027-01-01',
} as const

export const IP_ALLOW_FLAG = {
  kind: 'texts',
  placeholder: 'N',
  summary: 'address or network it may be used from, such as 192.0.2.0/24; default anywhere',
} as const

/** The flag that limits a list to one integration. @param what the kind of items in the list */
export function integrationFilterFlag(what: string) {
  const summary = `only ${what} of this integration`
  return { kind: 'text', placeholder: 'I', summary } as const
}

/** @throws CommandError usage */
export function readScopes(text: string): Scope[] {
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !SCOPES.some((scope) => scope === word))
  if (unknown !== undefined) {
    const known = SCOPES.join(' and ')
    throw new CommandError(
      'usage',
      `--scopes: unknown scope ${JSON.stringify(unknown)}; use ${known}`,
    )
  }
  return SCOPES.filter((scope) => words.includes(scope))
}

/** Ids of accounts, ascending, each once; null = all. @throws CommandError usage */
export function readAccounts(text: string): number[] | null {
  if (text === 'all') return null
  const ids = text.split(',').map((word) => (/^\d+$/.test(word.trim()) ? Number(word) : 0))
  if (ids.some((id) => !Number.isSafeInteger(id) || id < 1)) {
    const wanted = 'the word all, or account ids separated by commas, such as 1,2'
    throw new CommandError('usage', `--accounts ${JSON.stringify(text)}: ${wanted}`)
  }
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Names of tools; null = all. @throws CommandError usage */
export function readTools(text: string): ToolName[] | null {
  if (text === 'all') return null
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !TOOL_NAMES.some((name) => name === word))
  if (unknown !== undefined) {
    const known = TOOL_NAMES.join(' and ')
    throw new CommandError(
      'usage',
      `--tools: unknown tool ${JSON.stringify(unknown)}; use ${known}, or all`,
    )
  }
  return TOOL_NAMES.filter((name) => words.includes(name))
}

/** An expiry in the future; null = never. @throws CommandError usage */
export function readExpiry(text: string | undefined, now: EpochMs): EpochMs | null {
  if (text === undefined) return null
  const at = readTime('--expires', text)
  if (at <= now) {
    throw new CommandError('usage', `--expires ${text} is in the past; the key would never work`)
  }
  return at
}

/** A day's midnight or an instant, UTC. @throws CommandError usage */
export function readTime(flag: string, text: string): EpochMs {
  const at = parseDay(text) ?? parseInstant(text)
  if (at !== undefined) return at
  const wanted = 'a day such as 2027-01-01, or an instant such as 2027-01-01T12:00:00.000Z'
  throw new CommandError('usage', `${flag} ${JSON.stringify(text)}: ${wanted}, is expected`)
}

/** Addresses and networks, given one by one or separated by commas. @throws CommandError usage */
export function readIpAllow(texts: readonly string[]): string[] | undefined {
  if (texts.length === 0) return undefined
  const entries = texts.flatMap((text) => text.split(',')).map((entry) => entry.trim())
  const fault = ipAllowFault(entries)
  if (fault !== undefined) throw new CommandError('usage', `--ip-allow ${fault}`)
  return entries
}

/** @param flag named in the message   @throws CommandError usage */
export function readName(flag: string, name: string): string {
  const fault = nameFault(name)
  if (fault !== undefined) throw new CommandError('usage', `${flag} ${fault}`)
  return name
}

/** @throws CommandError usage */
export function readDuration(
  flag: string,
  text: string,
  { minMs, maxMs }: { readonly minMs: number; readonly maxMs: number },
): number {
  const ms = parseDuration(text)
  if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms
  const range = `${formatDuration(minMs)} to ${formatDuration(maxMs)}`
  const wanted = `a time from ${range}, such as 30s, 15m, 24h or 30d, is expected`
  throw new CommandError('usage', `${flag} ${JSON.stringify(text)}: ${wanted}`)
}
