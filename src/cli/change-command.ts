import type { AuditedChange } from '../admin/audited-change.js'
import { type Command, defineCommand } from './command.js'
import { requireFound, withAdmin } from './control.js'

interface ChangeParts<Id extends string | number> {
  readonly name: string
  readonly summary: string
  readonly description: string
  /** The name of what is changed: `client`. */
  readonly what: string
  /** The summary of its id, in the help. */
  readonly idSummary: string
  readonly example: string
  /** The command that lists ids. */
  readonly listing: string
  /** @throws CommandError usage */
  readonly readId: (text: string) => Id
  readonly change: AuditedChange<Id>
  /** Its state afterwards: `is revoked`. */
  readonly done: string
}

/** A command that changes what an id names. */
export function changeCommand<Id extends string | number>(parts: ChangeParts<Id>): Command {
  const { name, summary, description, what, idSummary, example, listing, done } = parts
  return defineCommand({
    ...{ name, summary, description },
    flags: {},
    positionals: { placeholder: 'ID', summary: idSummary, min: 1, max: 1 },
    examples: [example],
    run: async (call) => {
      const id = parts.readId(call.positionals[0] ?? '')
      const isFound = await withAdmin(call, (admin) => parts.change(admin, id))
      requireFound(isFound, what, JSON.stringify(id), listing)
      const text = call.flags.json ? JSON.stringify({ id }) : `${what} ${id} ${done}`
      await call.stdout.write(`${text}\n`)
    },
  })
}
