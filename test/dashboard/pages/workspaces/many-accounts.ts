// Pages of a workspace with more accounts and currencies than a page lists: their size does not
// grow with a bank file that names thousands.
import { test } from 'tap'
import { CURRENCIES_SHOWN_MAX } from '../../../../src/dashboard/elements/listed-currencies.js'
import { ACCOUNTS_PER_PAGE } from '../../../../src/dashboard/elements/paged-list.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'
import { accountRow, transactionRow } from '../../../fixtures/sample-workspace.js'

const ACCOUNTS = 203
const MORE = 5

/** AAA, AAB, … */
function currencyOf(i: number): string {
  const at = i % (CURRENCIES_SHOWN_MAX + MORE)
  return `AA${String.fromCharCode(65 + at)}`
}

const ids = Array.from({ length: ACCOUNTS }, (_, i) => i + 1)
const ROWS = {
  accounts: ids.map((id) =>
    accountRow(id, {
      ...{ currency: currencyOf(id - 1), accountNumber: `N${id}` },
      ...{ balanceUnscaled: id, balanceScale: 0 },
    }),
  ),
  categories: ids.map((id) => ({ id, name: `Category ${id}`, parentId: null })),
  transactions: ids.map((id) => transactionRow(id, id, { currency: currencyOf(id - 1) })),
}
const TABLE = /<td[^>]*data-label="IBAN or number"/g

test(
  'a workspace with many accounts and currencies shows some of them, and how many more there are',
  overOneDashboard(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const page = `${fixture.url}/dashboard/workspaces/w`
      await visitor.get(page)
      await fixture.service.until(async () =>
        /\bReady\b.* Transactions 203 Accounts 203/.test(wordsOf(await visitor.get(page))),
      )
      const first = await visitor.get(page)
      t.match(wordsOf(first), `1–${ACCOUNTS_PER_PAGE} of ${ACCOUNTS}`)
      t.equal([...first.text.matchAll(TABLE)].length, ACCOUNTS_PER_PAGE + 1, 'and the total')
      const last = await visitor.get(`${page}?offset=${ACCOUNTS_PER_PAGE}`)
      t.equal([...last.text.matchAll(TABLE)].length, ACCOUNTS - ACCOUNTS_PER_PAGE + 1)
      t.match(wordsOf(last), 'N203')
      for (const path of ['', '/w', '/w/transactions', '/w/transactions/charts']) {
        const { text } = await visitor.get(`${fixture.url}/dashboard/workspaces${path}`)
        const words = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
        t.match(words, `and ${MORE} more currencies`, path)
      }
      const list = await visitor.get(`${page}/transactions`)
      t.equal((list.text.match(/<td[^>]*data-label="In"/g) ?? []).length, CURRENCIES_SHOWN_MAX)
      t.match(wordsOf(await visitor.get(`${fixture.url}/dashboard`)), `and ${MORE} more currencies`)
    },
    { rows: ROWS },
  ),
)

test(
  'a form offers accounts and categories by a text field when there are too many to list',
  overOneDashboard(
    async (t, fixture) => {
      const page = await fixture.page('/dashboard/workspaces/w/transactions?account=7&category=9')
      t.match(page.text, /<input[^>]* name="account" value="7"/)
      t.match(page.text, /<input[^>]* name="category" value="9"/)
      t.match(page.text, /<input[^>]* name="parentCategory"/)
      // A form token may hold these letters.
      t.notMatch(page.text, /<option[^>]*>[^<]*N8/)
      t.match(wordsOf(page), 'An id, or an IBAN without spaces.')
    },
    { rows: ROWS },
  ),
)

test(
  'the charts of a currency that is not among the first ones are shown under its name',
  overOneDashboard(
    async (t, fixture) => {
      const currency = currencyOf(CURRENCIES_SHOWN_MAX + 2)
      const path = `/dashboard/workspaces/w/transactions/charts?currency=${currency}`
      t.match(wordsOf(await fixture.page(path)), new RegExp(`${currency} and ${MORE} more`))
    },
    { rows: ROWS },
  ),
)
