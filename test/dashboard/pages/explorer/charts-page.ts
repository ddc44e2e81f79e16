import { test } from 'tap'
import { type DashboardFixture, overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { type PageVisitor, type Visit, wordsOf } from '../../../fixtures/page-visitor.js'
import { SAMPLE } from '../../../fixtures/sample-workspace.js'

const PATH = '/dashboard/workspaces/w/transactions/charts'

/** A policy without 'unsafe-inline' blocks all of these. */
function inlineStyles({ text }: Visit): string[] {
  return text.match(/<style|<script(?![^>]* src=)[^>]*>| style="| on\w+="/g) ?? []
}

/** The page once its figures are added up, with or without a chart. */
async function figuresAt(
  fixture: DashboardFixture,
  visitor: PageVisitor,
  query: string,
): Promise<Visit> {
  let page = await visitor.get(fixture.url + PATH + query)
  await fixture.service.until(async () => {
    if (!page.text.includes('being computed')) return true
    page = await visitor.get(fixture.url + PATH + query)
    return false
  })
  return page
}

test(
  'charts are shown as soon as their figures are added up',
  overOneDashboard(
    async (t, fixture) => {
      const { visitor } = await openExplorer(fixture)
      const first = await figuresAt(fixture, visitor, '')
      t.match(wordsOf(first), 'By month, EUR')
      t.match(wordsOf(first), '2026-01')
      t.match(wordsOf(first), 'Büro &lt;b>')
      const drawn = await visitor.get(fixture.url + PATH)
      t.equal(drawn.text.match(/<svg role="img"/g)?.length, 2)
      t.notMatch(drawn.text, 'data-refresh')
      t.same(inlineStyles(drawn), [])
      t.match(drawn.headers.get('content-security-policy'), "style-src 'self';")
      t.match(drawn.text, 'role="img" aria-label="Bars of money in and money out by month')
      t.match(drawn.text, /<text [^>]*>Büro &lt;b/)
      t.notMatch(drawn.text, '<b>')
      const dollars = await figuresAt(fixture, visitor, '?currency=USD')
      t.match(wordsOf(dollars), 'By month, USD')
      t.match(wordsOf(first), 'All 302 as CSV')
      t.match(wordsOf(dollars), /302 transactions in all currencies.* All 1 as CSV/)
      t.match(dollars.text, /csv\?currency=USD"/)
    },
    {
      rows: {
        ...SAMPLE,
        categories: SAMPLE.categories.map((row) =>
          row.id === 1 ? { ...row, name: 'Büro <b>' } : row,
        ),
        transactions: SAMPLE.transactions.map((row) =>
          row.id === 302 ? { ...row, currency: 'USD' } : row,
        ),
      },
    },
  ),
)

test(
  'figures cover the filtered rows, and an empty list has none',
  overOneDashboard(async (t, fixture) => {
    const { visitor } = await openExplorer(fixture)
    const january = await figuresAt(fixture, visitor, '?bookedTo=2026-01-31')
    t.match(wordsOf(january), 'Month Transactions In Out 2026-01 240 85.50 −25.50 By broad')
    t.match(wordsOf(await visitor.get(`${fixture.url}${PATH}?query=nobody`)), 'No data')
    t.equal((await visitor.get(`${fixture.url}${PATH}?bookedTo=x`)).status, 400)
  }),
)
