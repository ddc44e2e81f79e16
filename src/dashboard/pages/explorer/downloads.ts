import { setImmediate } from 'node:timers/promises'
import { hasWorkspace } from '../../../admin/workspaces.js'
import type { Transaction } from '../../../domain/transaction.js'
import { ApiError } from '../../../errors.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import { ordinalAt } from '../../../query/listing.js'
import { pageOf } from '../../../query/page.js'
import { rowJson } from '../../../snapshot/stale-fragments.js'
import { csvInSlices } from '../../csv-slices.js'
import { type CsvColumn, readDialect } from '../../csv-text.js'
import type { DashboardContext } from '../../dashboard-context.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, Download } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import { EXPORTED_ROWS_MAX, MATCH_COLUMNS, TRANSACTION_CSV_COLUMNS } from './csv-columns.js'
import { explorerPath } from './explorer-paths.js'
import { clashOf } from './explorer-view.js'
import { encodeQueryText, type FilterValues, readFilters } from './filter-values.js'
import { callAsOperator, type RestAnswer } from './operator-call.js'
import { listRequest, matchRequest, transactionRequest } from './rest-request.js'
import { parseRows } from './transaction-row.js'

/** Transactions that are located at a time. */
const PAGE_ROWS = 200

/** All transactions that pass the filters, up to a bound, as a table for spreadsheets. */
export const LIST_CSV_PAGE: DashboardPage = {
  path: explorerPath(':workspaceId', 'csv'),
  show: (context) => download(context, 'transactions.csv', listRequest, csvOfHits),
}

/** The reply of the REST service, byte for byte. */
export const LIST_JSON_PAGE: DashboardPage = {
  path: explorerPath(':workspaceId', 'json'),
  show: (context) => download(context, 'transactions.json', listRequest, jsonOfAnswer),
}

/** A page of matches as a table for spreadsheets. */
export const MATCH_CSV_PAGE: DashboardPage = {
  path: `${explorerPath(':workspaceId', 'match')}/csv`,
  show: (context) => download(context, 'matches.csv', matchRequest, csvOfMatches),
}

/** A page of matches as the REST service returns it. */
export const MATCH_JSON_PAGE: DashboardPage = {
  path: `${explorerPath(':workspaceId', 'match')}/json`,
  show: (context) => download(context, 'matches.json', matchRequest, jsonOfAnswer),
}

/** One transaction as the REST service returns it. */
export const TRANSACTION_JSON_PAGE: DashboardPage = {
  path: `${explorerPath(':workspaceId')}/:transactionId/json`,
  show: (context) => {
    const segment = encodeQueryText(context.named['transactionId'] ?? '')
    return download(context, 'transaction.json', () => transactionRequest(segment), jsonOfAnswer)
  },
}

type Writing = (
  answer: RestAnswer,
  context: DashboardContext,
) => Omit<Download, 'fileName'> | Promise<Omit<Download, 'fileName'>>

async function download(
  context: DashboardContext,
  what: string,
  ask: (values: FilterValues) => OperationRequest,
  write: Writing,
): Promise<DashboardReply> {
  const workspaceId = context.named['workspaceId'] ?? ''
  if (!(await hasWorkspace(context, workspaceId))) return noSuchPageView()
  const values = readFilters(context.query)
  const answer = clashOf(values) ?? (await callAsOperator(context, workspaceId, ask(values)))
  if (answer instanceof ApiError) {
    const { body, status } = answer
    const bytes = Buffer.from(JSON.stringify(body))
    return { bytes, contentType: 'application/json', status }
  }
  return { ...(await write(answer, context)), fileName: `${workspaceId}-${what}` }
}

function jsonOfAnswer({ reading }: RestAnswer): Omit<Download, 'fileName'> {
  return { bytes: Buffer.from(reading), contentType: 'application/json' }
}

async function csvOfMatches(
  { reading }: RestAnswer,
  context: DashboardContext,
): Promise<Omit<Download, 'fileName'>> {
  return csvDownload(context, MATCH_COLUMNS, parseRows(reading))
}

function csvOfHits(
  answer: RestAnswer,
  context: DashboardContext,
): Promise<Omit<Download, 'fileName'>> {
  return csvDownload(context, TRANSACTION_CSV_COLUMNS, rowsOfHits(answer))
}

async function csvDownload<Row>(
  { exchange, query }: DashboardContext,
  columns: readonly CsvColumn<Row>[],
  rows: Iterable<Row>,
): Promise<Omit<Download, 'fileName'>> {
  const dialect = readDialect(query.value('separator'))
  const bytes = await csvInSlices(columns, rows, dialect, async () => {
    await setImmediate()
    exchange.signal.throwIfAborted()
  })
  return { bytes, contentType: CSV_TYPE }
}

/** The transactions of a list, up to a bound, each read when it is asked for. */
function* rowsOfHits({ hits, snapshot }: RestAnswer): Generator<Transaction> {
  const total = Math.min(hits?.total ?? 0, EXPORTED_ROWS_MAX)
  for (let at = 0; hits !== undefined && at < total; at += PAGE_ROWS) {
    for (const run of pageOf(hits, at, Math.min(PAGE_ROWS, total - at))) {
      const { segment } = run
      const stale = snapshot.staleFragments.get(segment)
      for (let i = 0; i < run.count; i++) {
        // Rendered by resource-json.ts, which writes exactly these members.
        const json = Buffer.from(rowJson(segment, ordinalAt(run, i), stale)).toString()
        yield JSON.parse(json) as Transaction
      }
    }
  }
}

const CSV_TYPE = 'text/csv; charset=utf-8'
