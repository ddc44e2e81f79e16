import type { ConfirmationOutcome } from '../domain/nodes.js'
import { formatInstant } from '../instant.js'

/**
 * A warning about a committed change that some nodes may not apply yet, as a sentence without its
 * full stop; undefined = every node applies it.
 */
export function unconfirmedText(outcome: ConfirmationOutcome): string | undefined {
  if (outcome.kind === 'confirmed') return undefined
  if (outcome.kind === 'unknown') {
    return `the change is committed, but the nodes could not be checked: ${outcome.reason}`
  }
  const nodes = outcome.nodes.map(({ id, untilMs }) => `${id} until ${formatInstant(untilMs)}`)
  const which = nodes.length === 1 ? 'a node has' : 'some nodes have'
  return (
    `the change is committed, but ${which} not confirmed it and may use the old state: ` +
    nodes.join(', ')
  )
}
