import type { AuditedChange } from '../admin/audited-change.js'
import { type Command, defineCommand } from './command.js'
import { readRowId, requireFound, withAdmin } from './control.js'

/** What the commands of a group change. */
interface Changed<Id extends string | number> {
  /** The words before the names of the commands, of which `list` lists ids: `kontor clients`. */
  readonly group: string
  /** The name of one: `client`. */
  readonly what: string
  /** The summary of its id, in the help. */
  readonly idSummary: string
  readonly idExample: Id
  /** @throws CommandError usage */
  readonly readId: (text: string) => Id
}

/** What a group changes that has the id of a row. @param what its name, if it is a longer one */
export function rowsOf(group: string, noun: string, what = noun): Changed<number> {
  return {
    ...{ group, what, idSummary: `id of the ${noun}, as listed`, idExample: 3 },
    readId: (text) => readRowId(text, noun, `${group} list`),
  }
}

interface ChangeParts<Id extends string | number> {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly change: AuditedChange<Id>
  /** Its state afterwards: `is revoked`. */
  readonly done: string
}

/** A command that changes what an id names. */
export function changeCommand<Id extends string | number>(
  { group, what, idSummary, idExample, readId }: Changed<Id>,
  { name, summary, description, change, done }: ChangeParts<Id>,
): Command {
  return defineCommand({
    ...{ name, summary, description },
    flags: {},
    positionals: { placeholder: 'ID', summary: idSummary, min: 1, max: 1 },
    examples: [`${group} ${name} ${idExample}`],
    run: async (call) => {
      const id = readId(call.positionals[0] ?? '')
      const isFound = await withAdmin(call, (admin) => change(admin, id))
      requireFound(isFound, what, JSON.stringify(id), `${group} list`)
      const text = call.flags.json ? JSON.stringify({ id }) : `${what} ${id} ${done}`
      await call.stdout.write(`${text}\n`)
    },
  })
}
