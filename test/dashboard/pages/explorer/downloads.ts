import { parse } from 'csv-parse/sync'
import { test } from 'tap'
import { csvHead, csvLines } from '../../../../src/dashboard/csv-text.js'
import { TRANSACTION_CSV_COLUMNS } from '../../../../src/dashboard/pages/explorer/csv-columns.js'
import type { FilterValues } from '../../../../src/dashboard/pages/explorer/filter-values.js'
import { urlWith } from '../../../../src/dashboard/pages/explorer/filter-values.js'
import {
  listRequest,
  matchRequest,
  targetOf,
} from '../../../../src/dashboard/pages/explorer/rest-request.js'
import type { Transaction } from '../../../../src/domain/transaction.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import type { RunningService } from '../../../fixtures/service.js'

/** A busy machine would use up the default budget of a match before its thread starts. */
const UNHURRIED = { service: { matchBudgetMs: 600_000 } }

const PATH = '/dashboard/workspaces/w/transactions'

/** Every transaction that a request selects, fetched page by page. */
async function allRows(
  service: RunningService,
  key: string,
  values: FilterValues,
): Promise<Transaction[]> {
  const rows: Transaction[] = []
  for (;;) {
    const paged = { ...values, limit: '100', offset: String(rows.length) }
    const reply = await service.ask(targetOf('w', listRequest(paged)), { key })
    const page = JSON.parse(reply.text) as Transaction[]
    rows.push(...page)
    if (page.length < 100) return rows
  }
}

test(
  'a table contains the whole list in its order',
  overOneDashboard(async (t, fixture) => {
    const { visitor, key } = await openExplorer(fixture)
    const questions: FilterValues[] = [
      {},
      { sortBy: 'amount', order: 'asc' },
      { query: 'büro', bookedFrom: '2026-01-05' },
      { account: '2' },
      { category: 'nobody has it' },
    ]
    for (const values of questions) {
      const file = await visitor.get(fixture.url + urlWith(`${PATH}/csv`, values))
      const rows = await allRows(fixture.service, key, values)
      t.equal(file.status, 200)
      t.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
      t.match(file.headers.get('content-disposition'), 'attachment; filename="w-transactions.csv"')
      const wanted = csvHead(TRANSACTION_CSV_COLUMNS) + csvLines(TRANSACTION_CSV_COLUMNS, rows)
      // `Response.text` removes the byte order mark.
      t.equal(file.text.replace(/^\ufeff/, ''), wanted.slice(1))
      const read = parse(file.text, { bom: true, columns: true }) as { id: string }[]
      t.same(
        read.map(({ id }) => Number(id)),
        rows.map(({ id }) => id),
      )
    }
  }),
)

test(
  "JSON is the service's answer, byte for byte, and so are its errors",
  overOneDashboard(async (t, fixture) => {
    const { visitor, key } = await openExplorer(fixture)
    const lists: FilterValues[] = [
      { limit: '7', offset: '3' },
      { customSchema: '{"amount":"value"}', limit: '2' },
      { customSchema: '{"amount":7}' },
      { limit: '9000' },
    ]
    for (const values of lists) {
      const file = await visitor.get(fixture.url + urlWith(`${PATH}/json`, values))
      const reply = await fixture.service.ask(targetOf('w', listRequest(values)), { key })
      t.equal(file.status, reply.status)
      t.equal(file.text, reply.text)
    }
    const match = { query: '4711', threshold: '0' }
    const file = await visitor.get(fixture.url + urlWith(`${PATH}/match/json`, match))
    const reply = await fixture.service.ask(targetOf('w', matchRequest(match)), { key })
    t.equal(file.text, reply.text)
    const table = await visitor.get(fixture.url + urlWith(`${PATH}/match/csv`, match))
    const scores = parse(table.text, { bom: true, columns: true }) as {
      id: string
      score: string
    }[]
    t.same(
      scores.map(({ id, score }) => ({ id: Number(id), score: Number(score) })),
      (JSON.parse(reply.text) as { id: number; score: number }[]).map(({ id, score }) => ({
        id,
        score,
      })),
    )
    const one = await visitor.get(`${fixture.url}${PATH}/4/json`)
    t.equal(one.text, (await fixture.service.ask('/v1/w/transactions/4', { key })).text)
    t.equal((await visitor.get(`${fixture.url}${PATH}/9999/json`)).status, 400)
  }, UNHURRIED),
)
