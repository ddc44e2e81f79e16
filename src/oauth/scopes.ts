import { SCOPES, type Scope } from '../domain/key-scope.js'

/**
 * The scopes that a `scope` parameter asks for, in display order.
 * @param text words separated by single spaces (RFC 6749, 3.3)
 * @returns undefined when there is none, or one that is not permitted
 */
export function requestedScopes(text: string, permitted: readonly Scope[]): Scope[] | undefined {
  const words = text.split(' ')
  const areAllPermitted = words.every((word) => permitted.some((scope) => scope === word))
  return areAllPermitted ? SCOPES.filter((scope) => words.includes(scope)) : undefined
}
