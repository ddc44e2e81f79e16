import { trimAudit } from '../admin/audit-trim.js'
import { CommandError } from '../errors.js'
import { formatInstant } from '../instant.js'
import { defineCommand } from './command.js'
import { withAdmin } from './control.js'
import { readTime } from './credential-flags.js'

export const auditTrimCommand = defineCommand({
  name: 'trim',
  summary: 'remove the oldest entries of the audit log',
  description:
    'Removes the entries that are older than a day or instant, and adds one entry with the\n' +
    'number of removed entries of each action, their period, and the actor. That entry is ' +
    'signed\n' +
    'with a key of control.db and is never removed. The file does not shrink; later entries\n' +
    'reuse the space.',
  flags: {
    before: {
      kind: 'text',
      placeholder: 'D',
      isRequired: true,
      summary: 'keep entries from this day or instant (UTC) on, such as 2026-01-01',
    },
  },
  examples: ['kontor audit trim --before 2026-01-01'],
  run: async (call) => {
    const { flags, stdout, clock } = call
    const beforeMs = readTime('--before', flags.before)
    if (beforeMs > clock()) {
      throw new CommandError(
        'usage',
        `--before ${flags.before} is in the future; give a day in the past`,
      )
    }
    const trimmed = await withAdmin(call, (admin) => trimAudit(admin, beforeMs))
    const count = trimmed?.rowCount ?? 0
    if (flags.json) {
      const output = { rows: count, ...(trimmed === undefined ? {} : { actions: trimmed.actions }) }
      return stdout.write(`${JSON.stringify(output)}\n`)
    }
    const entries = count === 1 ? '1 entry' : `${count} entries`
    await stdout.write(`removed ${entries} from before ${formatInstant(beforeMs)}\n`)
  },
})
