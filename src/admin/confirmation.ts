import type { ConfirmationOutcome } from '../domain/nodes.js'
import { formatInstant } from '../instant.js'

/**
 * What is left to say of a change that was made, as a sentence without its full stop; undefined =
 * every process acts upon it.
 */
export function unconfirmedText(outcome: ConfirmationOutcome): string | undefined {
  if (outcome.kind === 'confirmed') return undefined
  if (outcome.kind === 'unknown') {
    return `the change is made, but whether every node knows of it is not known: ${outcome.reason}`
  }
  const nodes = outcome.nodes.map(({ id, untilMs }) => `${id} until ${formatInstant(untilMs)}`)
  const which = nodes.length === 1 ? 'a node has' : 'some nodes have'
  return (
    `the change is made, but ${which} not confirmed it and may act on what was before: ` +
    nodes.join(', ')
  )
}
