import { setImmediate as turn } from 'node:timers/promises'
import { type AuditEntry, searchAudit } from '../../../admin/audit-log.js'
import { formatInstant } from '../../../instant.js'
import type { DashboardContext } from '../../dashboard-context.js'
import type { DashboardPage } from '../../page.js'
import { withoutFormulas } from '../../spreadsheet-text.js'
import {
  AUDIT_CSV_ROWS_MAX,
  AUDIT_ROWS_PER_PAGE,
  AUDIT_SCANNED_MAX,
  readAuditQuery,
} from './audit-query.js'

/** The result of an audit search as a CSV file. */
export const AUDIT_CSV_PAGE: DashboardPage = {
  path: '/dashboard/activity/audit.csv',
  show: async (context) => ({
    bytes: Buffer.from(await auditCsv(context)),
    contentType: 'text/csv; charset=utf-8',
    fileName: 'kontor-audit.csv',
  }),
}

const COLUMNS: readonly (readonly [string, (row: AuditEntry) => string | number | null])[] = [
  ['sequence', ({ sequence }) => sequence],
  ['at', ({ at }) => formatInstant(at)],
  ['actor', ({ actor }) => actor],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['subject', ({ subject }) => subject],
  ['workspace', ({ workspaceId }) => workspaceId],
  ['integration', ({ integrationId }) => integrationId],
  ['address', ({ fromAddress }) => fromAddress],
  ['request', ({ requestId }) => requestId],
  ['detail', ({ detail }) => detail],
]

/**
 * Rows of the audit log as CSV (RFC 4180), newest first, after a header line. Read a page at a
 * time, so that requests get their turn.
 */
async function auditCsv(context: DashboardContext): Promise<string> {
  const { search } = readAuditQuery(context.query)
  const lines = [COLUMNS.map(([name]) => name).join(',')]
  const bounds = { limit: AUDIT_ROWS_PER_PAGE, scannedMax: AUDIT_SCANNED_MAX }
  let beforeSequence = search.beforeSequence
  do {
    const found = searchAudit(context, { ...search, beforeSequence }, bounds)
    for (const row of found.rows) {
      lines.push(COLUMNS.map(([, pick]) => csvField(pick(row))).join(','))
    }
    beforeSequence = found.nextBefore
    await turn()
  } while (beforeSequence !== undefined && lines.length <= AUDIT_CSV_ROWS_MAX)
  return `${lines.join('\r\n')}\r\n`
}

/** A field of a CSV file, guarded against formulas. */
export function csvField(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? withoutFormulas(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
