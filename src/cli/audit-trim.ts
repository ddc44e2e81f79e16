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
    'Removes the entries that are older than a day or instant, and leaves one that tells how\n' +
    'many there were of each action, from when to when, and who removed them. It is signed with\n' +
    'a key of control.db, and is never removed itself. The file does not become smaller: later\n' +
    'entries take the place.',
  flags: {
    before: {
      kind: 'text',
      placeholder: 'D',
      isRequired: true,
      summary: 'entries from this day or instant (UTC) on stay, 2026-01-01',
    },
  },
  examples: ['kontor audit trim --before 2026-01-01'],
  run: async (call) => {
    const { flags, stdout, clock } = call
    const beforeMs = readTime('--before', flags.before)
    if (beforeMs > clock()) {
      throw new CommandError('usage', `--before ${flags.before}: it is in the future`)
    }
    const trimmed = await withAdmin(call, (admin) => trimAudit(admin, beforeMs))
    const count = trimmed?.rowCount ?? 0
    if (flags.json) {
      const told = { rows: count, ...(trimmed === undefined ? {} : { actions: trimmed.actions }) }
      return stdout.write(`${JSON.stringify(told)}\n`)
    }
    const entries = count === 1 ? '1 entry was' : `${count} entries were`
    await stdout.write(`${entries} removed, of before ${formatInstant(beforeMs)}\n`)
  },
})
