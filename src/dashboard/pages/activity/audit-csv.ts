import { setImmediate as turn } from 'node:timers/promises'
import { type AuditEntry, searchAudit } from '../../../admin/audit-log.js'
import { formatInstant } from '../../../instant.js'
import { type CsvColumn, csvHead, csvLines, readDialect } from '../../csv-text.js'
import type { DashboardContext } from '../../dashboard-context.js'
import type { DashboardPage } from '../../page.js'
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

const COLUMNS: readonly CsvColumn<AuditEntry>[] = [
  { name: 'sequence', read: ({ sequence }) => sequence },
  { name: 'at', read: ({ at }) => formatInstant(at) },
  { name: 'actor', read: ({ actor }) => actor },
  { name: 'action', read: ({ action }) => action },
  { name: 'outcome', read: ({ outcome }) => outcome },
  { name: 'subject', read: ({ subject }) => subject },
  { name: 'workspace', read: ({ workspaceId }) => workspaceId },
  { name: 'integration', read: ({ integrationId }) => integrationId },
  { name: 'address', read: ({ fromAddress }) => fromAddress },
  { name: 'request', read: ({ requestId }) => requestId },
  { name: 'detail', read: ({ detail }) => detail },
]

/**
 * Rows of the audit log as CSV in the dialect of the URL, newest first, after a header line. Read a
 * page at a time, so that requests get their turn.
 */
async function auditCsv(context: DashboardContext): Promise<string> {
  const { search } = readAuditQuery(context.query)
  const dialect = readDialect(context.query.value('separator'))
  const texts = [csvHead(COLUMNS, dialect)]
  const bounds = { limit: AUDIT_ROWS_PER_PAGE, scannedMax: AUDIT_SCANNED_MAX }
  let beforeSequence = search.beforeSequence
  let rowCount = 0
  do {
    const found = await searchAudit(context, { ...search, beforeSequence }, bounds)
    texts.push(csvLines(COLUMNS, found.rows, dialect))
    rowCount += found.rows.length
    beforeSequence = found.nextBefore
    await turn()
  } while (beforeSequence !== undefined && rowCount < AUDIT_CSV_ROWS_MAX)
  return texts.join('')
}
