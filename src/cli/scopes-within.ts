import type { Integration } from '../admin/integrations.js'
import type { Scope } from '../domain/key-scope.js'
import { CommandError } from '../errors.js'

/**
 * The requested scopes, all of which the integration has; by default those of the integration.
 * @throws CommandError
 */
export function readScopesWithin(
  { id, scopes: permitted }: Integration,
  requested: readonly Scope[] | undefined,
): readonly Scope[] {
  const beyond = requested?.find((scope) => !permitted.includes(scope))
  if (beyond === undefined) return requested ?? permitted
  const known = permitted.length === 0 ? 'none' : permitted.join(' and ')
  throw new CommandError(
    'failed',
    `--scopes: integration ${id} does not have ${beyond}, only ${known}`,
  )
}
