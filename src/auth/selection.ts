import { TOOL_NAMES, type ToolName } from '../domain/integration.js'
import { SCOPES, type Scope } from '../domain/key-scope.js'

/** Ids of a stored account selection; null = the word `all`. `''` is an empty list. */
export function accountIdsOf(accounts: string): number[] | null {
  if (accounts === 'all') return null
  return accounts === '' ? [] : accounts.split(',').map(Number)
}

/** An account selection as it is stored. @param accountIds null = all current and future ones */
export function accountsText(accountIds: readonly number[] | null): string {
  return accountIds === null ? 'all' : accountIds.join(',')
}

/** Names of a stored selection of tools, unknown ones left out; null = the word `all`. */
export function toolsOf(tools: string): ToolName[] | null {
  if (tools === 'all') return null
  const chosen = tools.split(',')
  return TOOL_NAMES.filter((name) => chosen.includes(name))
}

/** A selection of tools as it is stored. @param tools null = all current and future ones */
export function toolsText(tools: readonly ToolName[] | null): string {
  return tools === null ? 'all' : tools.join(',')
}

/** The scopes of a stored text, in the order they are shown; unknown words are left out. */
export function scopesOf(scopes: string): Scope[] {
  const granted = scopes.split(' ')
  return SCOPES.filter((scope) => granted.includes(scope))
}

/** The scopes that all of the stored texts have, in the order they are shown. */
export function scopesOfAll(...texts: readonly string[]): Scope[] {
  const lists = texts.map(scopesOf)
  return SCOPES.filter((scope) => lists.every((list) => list.includes(scope)))
}

/** Scopes as they are stored and sent. */
export function scopesText(scopes: readonly Scope[]): string {
  return scopes.join(' ')
}
