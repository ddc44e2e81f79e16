import { strict as assert } from 'node:assert'
import { type AuditEntry, listAudit } from '../admin/audit-log.js'
import { isTrimGenuine } from '../admin/audit-trim.js'
import { AUDIT_ACTIONS, type AuditAction } from '../domain/audit.js'
import { CommandError } from '../errors.js'
import { formatInstant } from '../instant.js'
import { nearestName } from '../text/nearest.js'
import { auditTrimCommand } from './audit-trim.js'
import { defineCommand } from './command.js'
import { withAdmin } from './control.js'
import { readTime } from './credential-flags.js'
import { type TableCell, tableText } from './table.js'

/** Lines of `kontor audit` by default: a few screens. */
const AUDIT_LINES_DEFAULT = 100

/** Lines of `kontor audit` at most: more are better read with SQL. */
const AUDIT_LINES_MAX = 1_000_000

assert(AUDIT_LINES_DEFAULT <= AUDIT_LINES_MAX)

export const auditCommand = defineCommand({
  name: 'audit',
  summary: 'show the audit log: access, changes and refusals',
  description:
    'Prints the audit log, newest first: time, outcome, actor and address, action, subject.\n' +
    'Entries cannot be changed; kontor audit trim --before D removes the oldest ones.\n' +
    `Actions:\n${actionLines()}`,
  flags: {
    workspace: { kind: 'text', placeholder: 'W', summary: 'only entries of this workspace' },
    action: { kind: 'text', placeholder: 'A', summary: 'only this action, such as token.issue' },
    since: {
      kind: 'text',
      placeholder: 'D',
      summary: 'only from this day or instant (UTC) on, such as 2026-07-01',
    },
    limit: {
      kind: 'count',
      placeholder: 'N',
      default: AUDIT_LINES_DEFAULT,
      min: 1,
      max: AUDIT_LINES_MAX,
      summary: 'maximum number of entries',
    },
  },
  commands: [auditTrimCommand],
  examples: [
    'kontor audit --workspace demo --since 2026-07-01',
    'kontor audit --action token.reuse --limit 10 --json',
  ],
  run: async (call) => {
    const { flags, stdout, stderr } = call
    const filter = {
      workspaceId: flags.workspace,
      action: flags.action === undefined ? undefined : readAction(flags.action),
      sinceMs: flags.since === undefined ? undefined : readTime('--since', flags.since),
      limit: flags.limit,
    }
    const { rows, forged } = await withAdmin(call, async (admin) => {
      const rows = await listAudit(admin, filter)
      const trims = rows.filter(({ action }) => action === 'audit.trim')
      const forged: AuditEntry[] = []
      for (const trim of trims) if (!(await isTrimGenuine(admin, trim))) forged.push(trim)
      return { rows, forged }
    })
    for (const { sequence } of forged) {
      await stderr.write(
        `warning: entry ${sequence} was not written by kontor: its signature is invalid\n`,
      )
    }
    if (flags.json) return stdout.write(`${JSON.stringify(rows.map(describe))}\n`)
    await stdout.write(tableText(HEADINGS, rows.map(cellsOf)))
  },
})

/** Four actions a line. */
function actionLines(): string {
  const lines: string[] = []
  for (let i = 0; i < AUDIT_ACTIONS.length; i += 4) {
    lines.push(`  ${AUDIT_ACTIONS.slice(i, i + 4).join(', ')}`)
  }
  return lines.join('\n')
}

function readAction(text: string): AuditAction {
  const known = AUDIT_ACTIONS.find((action) => action === text)
  if (known !== undefined) return known
  const nearest = nearestName(text, AUDIT_ACTIONS)
  const advice =
    nearest === undefined ? 'kontor audit --help lists them' : `did you mean ${nearest}?`
  throw new CommandError('usage', `--action: unknown action ${JSON.stringify(text)}; ${advice}`)
}

function describe(row: AuditEntry) {
  const { sequence, actor, action, subject, workspaceId, integrationId, outcome, detail } = row
  return {
    sequence,
    at: formatInstant(row.at),
    actor,
    action,
    outcome,
    ...(subject === null ? {} : { subject }),
    ...(workspaceId === null ? {} : { workspaceId }),
    ...(integrationId === null ? {} : { integrationId }),
    ...(row.fromAddress === null ? {} : { address: row.fromAddress }),
    ...(row.requestId === null ? {} : { requestId: row.requestId }),
    ...(detail === null ? {} : { detail: JSON.parse(detail) as unknown }),
  }
}

const HEADINGS = ['at', 'outcome', 'actor', 'action', 'subject', 'workspace', 'detail']

function cellsOf(row: AuditEntry): TableCell[] {
  const { actor, fromAddress, action, subject, workspaceId, outcome, detail } = row
  const who = fromAddress === null ? actor : `${actor}@${fromAddress}`
  return [formatInstant(row.at), outcome, who, action, subject, workspaceId, detail]
}
