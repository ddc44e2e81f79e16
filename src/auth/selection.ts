import { TOOL_NAMES, type ToolName } from '../domain/integration.js'
import { SCOPES, type Scope } from '../domain/key-scope.js'

/** Ids of a stored account selection; null = the word `all`. `''` is an empty list. */
export function accountIdsOf(accounts: string): number[] | null {
  if (accounts === 'all') return null
  return accounts === '' ? [] : accounts.split(',').map(Number)
}

/** An account selection in its stored form. @param accountIds null = all current and future ones */
export function accountsText(accountIds: readonly number[] | null): string {
  return accountIds === null ? 'all' : accountIds.join(',')
}

/** Names of a stored selection of tools, unknown ones left out; null = the word `all`. */
export function toolsOf(tools: string): ToolName[] | null {
  if (tools === 'all') return null
  const chosen = tools.split(',')
  return TOOL_NAMES.filter((name) => chosen.includes(name))
}

/** A selection of tools in its stored form. @param tools null = all current and future ones */
export function toolsText(tools: readonly ToolName[] | null): string {
  return tools === null ? 'all' : tools.join(',')
}

/** The scopes of a stored text, in display order; unknown words are left out. */
export function scopesOf(scopes: string): Scope[] {
  const granted = scopes.split(' ')
  return SCOPES.filter((scope) => granted.includes(scope))
}

/** The scopes that all of the stored texts have, in display order. */
export function scopesOfAll(...texts: readonly string[]): Scope[] {
  const lists = texts.map(scopesOf)
  return SCOPES.filter((scope) => lists.every((list) => list.includes(scope)))
}

/** Scopes in their stored form, which is also sent. */
export function scopesText(scopes: readonly Scope[]): string {
  return scopes.join(' ')
}
