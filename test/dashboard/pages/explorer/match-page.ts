import { test } from 'tap'
import {
  ADJUSTMENT_WORDS,
  EVIDENCE_WORDS,
} from '../../../../src/dashboard/pages/explorer/evidence-words.js'
import { matchRequest, targetOf } from '../../../../src/dashboard/pages/explorer/rest-request.js'
import type {
  MatchAdjustment,
  MatchedTransaction,
} from '../../../../src/domain/matched-transaction.js'
import { budgetExceeded } from '../../../../src/query/match-rank.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'
import { accountRow, SAMPLE, transactionRow } from '../../../fixtures/sample-workspace.js'

/** A busy machine would use up the default budget of a match before its thread starts. */
const UNHURRIED = { service: { matchBudgetMs: 600_000 } }

const PATH = '/dashboard/workspaces/w/transactions/match'

/** The same reference, spelled in ways that each leave a different evidence. */
const ROWS = {
  ...SAMPLE,
  accounts: [accountRow(1), accountRow(2)],
  categories: [],
  transactions: [
    transactionRow(1, 1, { purpose: 'Rechnung RE-2026-00042 vom 3.1.' }),
    transactionRow(2, 1, { purpose: 'RE 2026 42', counterpartName: 'Müller <&> Söhne' }),
    transactionRow(3, 1, { endToEndReference: 'RE2026/00042' }),
    transactionRow(4, 2, { purpose: 'RE-2026-00043' }),
    transactionRow(5, 2, { paypalInvoiceNumber: 'RE-2O26-00042' }),
    transactionRow(6, 2, { customerReference: 'RG 2026-00042' }),
    transactionRow(7, 2, { purpose: 'nothing of that kind' }),
  ],
}

function unescaped(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

test(
  'matches are those of the service, with their explanation marked in the texts',
  overOneDashboard(
    async (t, fixture) => {
      const { visitor, key } = await openExplorer(fixture)
      for (const set of [{ query: 'RE-2026-00042', threshold: '0.1' }, { query: '2026-00042' }]) {
        const target = targetOf('w', matchRequest(set))
        t.match(target, /explain=true$/)
        const rows = JSON.parse((await fixture.service.ask(target, { key })).text)
        const matches = rows as MatchedTransaction[]
        t.ok(matches.length > 2)
        const page = await visitor.get(`${fixture.url}${PATH}?${new URLSearchParams(set)}`)
        const body = /<tbody.*<\/tbody>/s.exec(page.text)?.[0] ?? ''
        const cells = body.split('<tr').slice(1)
        t.equal(cells.length, matches.length)
        for (const [i, match] of matches.entries()) {
          const cell = cells[i] ?? ''
          t.match(cell, `/transactions/${match.id}"`)
          t.match(cell, new RegExp(`<meter[^>]* value="${match.score}"`))
          t.match(cell, `<span>${match.score}</span>`)
          const { matched = '', kind = 'exact', adjustments = [] } = match.explanation ?? {}
          const marked = [...cell.matchAll(/<mark>(.*?)<\/mark>/gs)].map(([, text]) => text ?? '')
          t.same(marked.map(unescaped), [matched])
          t.match(unescaped(cell), EVIDENCE_WORDS[kind])
          for (const name of adjustments) t.match(unescaped(cell), ADJUSTMENT_WORDS[name])
        }
      }
    },
    { rows: ROWS, ...UNHURRIED },
  ),
)

test(
  'a form without a reference asks for one, and a wrong one is reported at the field',
  overOneDashboard(async (t, fixture) => {
    const { visitor } = await openExplorer(fixture)
    const empty = await visitor.get(fixture.url + PATH)
    t.equal(empty.status, 200)
    t.match(wordsOf(empty), 'Finds transactions by a reference, however it is written')
    t.notMatch(empty.text, 'field-error')
    const short = await visitor.get(`${fixture.url}${PATH}?query=x`)
    t.equal(short.status, 400)
    t.match(short.text, 'id="query-error"')
    const high = await visitor.get(`${fixture.url}${PATH}?query=RE-1&threshold=2`)
    t.match(high.text, /id="threshold-error">threshold must/)
    const none = await visitor.get(`${fixture.url}${PATH}?query=ZZ-99999999`)
    t.match(wordsOf(none), 'No matches')
  }, UNHURRIED),
)

/** A purpose with the reference at its end, far from what a row shows. */
const LONG_ROWS = {
  ...SAMPLE,
  accounts: [accountRow(1)],
  categories: [],
  transactions: Array.from({ length: 40 }, (_, i) =>
    transactionRow(i + 1, 1, { purpose: `${'Posten '.repeat(1_400)}RE-2026-00042` }),
  ),
}

test(
  'long texts are cut to the part with the evidence, and whole in the table',
  overOneDashboard(
    async (t, fixture) => {
      const { visitor } = await openExplorer(fixture)
      const query = '?query=RE-2026-00042&limit=40'
      const page = await visitor.get(`${fixture.url}${PATH}${query}`)
      const rowCount = page.text.match(/<meter/g)?.length ?? 0
      t.ok(rowCount >= 10, `${rowCount} rows`)
      t.equal(page.text.match(/2026-00042<\/mark>/g)?.length, rowCount)
      t.ok(page.text.length < rowCount * 4_000, `${page.text.length} characters of a page`)
      const file = await visitor.get(`${fixture.url}${PATH}/csv${query}`)
      t.ok(file.text.length > rowCount * 9_800, 'no text is cut in the table')
      const list = await visitor.get(`${fixture.url}/dashboard/workspaces/w/transactions?limit=40`)
      t.ok(list.text.length < 40 * 2_500, `${list.text.length} characters of a list`)
    },
    { rows: LONG_ROWS, ...UNHURRIED },
  ),
)

test('every adjustment is explained in its own words', async (t) => {
  const names = Object.keys(ADJUSTMENT_WORDS) as MatchAdjustment[]
  t.equal(new Set(names.map((name) => ADJUSTMENT_WORDS[name])).size, names.length)
})

test(
  'a match that exceeds its budget is reported, and can be repeated',
  overOneDashboard(
    async (t, fixture) => {
      const { visitor } = await openExplorer(fixture)
      const page = await visitor.get(`${fixture.url}${PATH}?query=4711`)
      t.equal(page.status, 503)
      t.match(wordsOf(page), 'Matching exceeded its time budget')
    },
    { service: { rankMatches: () => Promise.reject(budgetExceeded()) } },
  ),
)
