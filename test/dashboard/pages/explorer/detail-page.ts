import { test } from 'tap'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'
import { accountRow, FIRST_DAY_MS, transactionRow } from '../../../fixtures/sample-workspace.js'

const PATH = '/dashboard/workspaces/w/transactions'

/** A distinct value in every field. */
const FULL = transactionRow(1, 1, {
  amountUnscaled: 1_234_567,
  categoryId: 2,
  parentCategoryId: 1,
  counterpartAccountNumber: '202051',
  counterpartName: 'Müller & Söhne <b>',
  counterpartIban: 'DE02120300000000202051',
  counterpartBic: 'BYLADEM1001',
  counterpartBankName: 'Kreditbank',
  mandateReference: 'M-77',
  creditorId: 'DE98ZZZ09999999999',
  customerReference: 'K-88',
  bookedAt: FIRST_DAY_MS,
  valuedAt: FIRST_DAY_MS + 86_400_000,
  type: 'Gutschrift',
  purpose: 'RE-2026-1',
  endToEndReference: 'E2E-99',
  originalAmountUnscaled: 55_501,
  originalAmountScale: 3,
  originalCurrency: 'USD',
  sepaPurposeCode: 'SALA',
  primanota: 'PN-66',
  paypalInvoiceNumber: 'PP-55',
  paypalFeeUnscaled: -31,
  paypalFeeScale: 2,
  paypalNetUnscaled: 12_314,
  paypalNetScale: 0,
})

const ROWS = {
  accounts: [accountRow(1, { name: 'Giro', bankName: 'Commerzbank', accountNumber: '532013000' })],
  categories: [
    { id: 1, name: 'Büro', parentId: null },
    { id: 2, name: 'Telefon', parentId: 1 },
  ],
  transactions: [FULL, transactionRow(2, 1)],
}

test(
  'every field of a transaction is shown, and absent ones are left out',
  overOneDashboard(
    async (t, fixture) => {
      const { visitor } = await openExplorer(fixture)
      const page = await visitor.get(`${fixture.url}${PATH}/1`)
      t.equal(page.status, 200)
      const words = wordsOf(page)
      const said = [
        'Müller &amp; Söhne &lt;b>',
        ...['+12,345.67 EUR', '55.501 USD', '1 Jan 2026', '2 Jan 2026', 'Gutschrift', 'RE-2026-1'],
        ...['SALA', 'Büro', 'Telefon', 'DE02 1203 0000 0000 2020 51', '202051', 'BYLADEM1001'],
        ...['Kreditbank', 'E2E-99', 'M-77', 'DE98ZZZ09999999999', 'K-88', 'PN-66', 'PP-55'],
        ...['−0.31', '12,314.00', 'Giro', 'Commerzbank', '532013000', '/v1/w/transactions/1'],
      ]
      for (const text of said) t.match(words, text)
      t.match(page.text, 'transactions?counterpart=DE02120300000000202051"')
      t.match(page.text, 'transactions?category=2"')
      t.match(page.text, 'transactions?parentCategory=1"')
      const bare = await visitor.get(`${fixture.url}${PATH}/2`)
      t.match(wordsOf(bare), 'Transaction 2')
      t.notMatch(wordsOf(bare), /References|undefined| null[^,]/)
    },
    { rows: ROWS },
  ),
)

test(
  'an unknown transaction gives 404',
  overOneDashboard(async (t, fixture) => {
    const { visitor } = await openExplorer(fixture)
    for (const id of ['9999', '0', '-1', 'x', '%2e', "'", '1e3']) {
      const page = await visitor.get(`${fixture.url}${PATH}/${id}`)
      t.equal(page.status, 404, id)
      t.match(wordsOf(page), 'Page not found', id)
    }
  }),
)
