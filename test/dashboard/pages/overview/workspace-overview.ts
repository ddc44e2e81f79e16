import { strict as assert } from 'node:assert'
import { type Test, test } from 'tap'
import {
  type FilterValues,
  readFilters,
} from '../../../../src/dashboard/pages/explorer/filter-values.js'
import { listRequest, targetOf } from '../../../../src/dashboard/pages/explorer/rest-request.js'
import { fillDemo } from '../../../../src/demo/fill.js'
import type { TransactionRow } from '../../../../src/store/columns.js'
import { WorkspaceFile } from '../../../../src/store/sqlite/workspace-file.js'
import { Form } from '../../../../src/wire/form.js'
import { type DashboardFixture, overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { naiveSummary } from '../../../fixtures/naive-summary.js'
import { type PageVisitor, type Visit, wordsOf } from '../../../fixtures/page-visitor.js'
import {
  accountRow,
  OTHER_IBAN,
  OWN_IBAN,
  SAMPLE,
  transactionRow,
} from '../../../fixtures/sample-workspace.js'
import { START_MS } from '../../../fixtures/service.js'
import type { WorkspaceRows } from '../../../fixtures/workspaces.js'

const PATH = '/dashboard/workspaces/w/overview'
const DAY_MS = 86_400_000
const FOREIGN_IBAN = 'AT611904300234573201'

const balance = { balanceUnscaled: 123_456, balanceScale: 2 }

/**
 * Fifteen months until the present and some rows after it: accounts with and without a balance,
 * rows in another currency than their account's, without a date, a category or a counterpart.
 */
const LEDGER: WorkspaceRows = {
  ...SAMPLE,
  accounts: [
    accountRow(1, { ...balance, iban: OWN_IBAN }),
    accountRow(2, { ...balance, iban: OTHER_IBAN }),
    accountRow(3, { ...balance, currency: 'USD' }),
    accountRow(4),
  ],
  transactions: Array.from({ length: 700 }, (_, i) => ledgerRow(i + 1)),
}

function ledgerRow(id: number): TransactionRow {
  const accountId = 1 + (id % 4)
  const bookedAt = START_MS - (id - 30) * 0.65 * DAY_MS
  return transactionRow(id, accountId, {
    currency: accountId === 3 || id % 11 === 0 ? 'USD' : 'EUR',
    amountUnscaled: ((id * 7_919) % 10_007) - 5_000,
    bookedAt: id % 13 === 0 ? null : Math.floor(bookedAt / DAY_MS) * DAY_MS,
    importedAt: START_MS - ((id * 5) % 40) * DAY_MS,
    categoryId: id % 3 === 0 ? null : 1,
    counterpartIban: [null, OWN_IBAN, FOREIGN_IBAN, null, null][id % 5] ?? null,
    counterpartName: ['Bäckerei Nord', 'Own', 'Abroad', null, `Firm${id % 9}`][id % 5] ?? null,
  })
}

/** A row of a table: its cells by heading, and the list that it leads to. */
interface ShownRow {
  readonly cells: Readonly<Record<string, string>>
  readonly filters: FilterValues | undefined
}

/** The rows of the tables of a page, by caption. */
function tablesOf({ text }: Visit): Map<string, ShownRow[]> {
  const tables = [...text.matchAll(/<caption[^>]*>(.*?)<\/caption>(.*?)<\/table>/gs)]
  return new Map(
    tables.map(([, caption = '', body = '']) => [
      caption,
      [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].slice(1).map(([, row = '']) => shownRow(row)),
    ]),
  )
}

function shownRow(row: string): ShownRow {
  const cells = [...row.matchAll(/data-label="([^"]*)">(.*?)<\/t[dh]>/gs)]
  const href = /href="[^"]*\/transactions\?([^"]*)"/.exec(row)?.[1]
  return {
    cells: Object.fromEntries(
      cells.map(([, label, cell = '']) => [label, cell.replace(/<[^>]*>/g, '')]),
    ),
    filters: href === undefined ? undefined : readFilters(new Form(href.replaceAll('&amp;', '&'))),
  }
}

/** A sum as the pages print it, in units of 10^-5. */
function sumOfText(text: string): bigint {
  const [whole = '', decimals = ''] = text.replaceAll(',', '').replace('−', '-').split('.')
  return BigInt(whole + decimals.padEnd(5, '0'))
}

interface Listed {
  readonly count: number
  readonly incoming: bigint
  readonly outgoing: bigint
}

/** The list of the filters over REST: its count, and the sums of its rows. */
async function listOf(
  { service }: DashboardFixture,
  key: string,
  filters: FilterValues,
): Promise<Listed> {
  let [count, incoming, outgoing] = [0, 0n, 0n]
  for (let offset = 0; offset <= count; offset += 250) {
    const values = { ...filters, limit: '250', offset: String(offset) }
    const reply = await service.ask(targetOf('w', listRequest(values)), { key })
    assert.equal(reply.status, 200, reply.text)
    count = Number(reply.fields['x-total-count'])
    for (const { amount } of JSON.parse(reply.text) as { amount: number }[]) {
      const units = BigInt(Math.round(amount * 1e5))
      if (units > 0n) incoming += units
      else outgoing += units
    }
  }
  return { count, incoming, outgoing }
}

/** Asserts that the list behind each row has the figures of the row. @returns the number of rows */
async function assertLinks(fixture: DashboardFixture, key: string, page: Visit): Promise<number> {
  let rowCount = 0
  for (const [caption, rows] of tablesOf(page)) {
    for (const { cells, filters } of rows) {
      if (filters === undefined) continue
      const listed = await listOf(fixture, key, filters)
      const about = `${caption} ${JSON.stringify(cells)}`
      assert.equal(Number(cells['Transactions']?.split(' ')[0]?.replace(',', '')), listed.count)
      const { In, Out, Change } = cells
      if (In !== undefined) assert.equal(sumOfText(In), listed.incoming, about)
      if (Out !== undefined) assert.equal(sumOfText(Out), listed.outgoing, about)
      if (Change !== undefined) {
        assert.equal(sumOfText(Change), listed.incoming + listed.outgoing, about)
      }
      rowCount += 1
    }
  }
  // The charts lead to the lists of the months, as the tables do.
  const charted = [...page.text.matchAll(/<a href="[^"]*\?([^"]*)" aria-label="Transactions of/g)]
  const tabled = [...page.text.matchAll(/<th[^>]*><a href="[^"]*\?([^"]*)">\d{4}-\d\d</g)]
  const sorted = (links: RegExpExecArray[]) => links.map(([, query]) => query).sort()
  assert.deepEqual(sorted(charted), sorted(tabled))
  return rowCount
}

/** The page once its figures are added up. */
async function overviewAt(
  { service, url }: DashboardFixture,
  visitor: PageVisitor,
  path = PATH,
): Promise<Visit> {
  let page = await visitor.get(url + path)
  await service.until(async () => {
    if (/New transactions/.test(page.text)) return true
    page = await visitor.get(url + path)
    return false
  })
  return page
}

/** Rows of the last twelve months before the clock's, which is the latest one with a booking. */
function inMonths(rows: readonly TransactionRow[], from: string, to: string): TransactionRow[] {
  return rows.filter(({ bookedAt }) => {
    const month = bookedAt === null ? '' : new Date(bookedAt).toISOString().slice(0, 7)
    return month >= from && month <= to
  })
}

function figuresOf(rows: readonly ShownRow[] | undefined, heading: string) {
  return (rows ?? []).map(({ cells }) => [
    cells[heading],
    Number(cells['Transactions']?.replace(',', '')),
    sumOfText(cells['In'] ?? '0'),
    sumOfText(cells['Out'] ?? '0'),
  ])
}

test(
  'figures equal those of the rows, and lead to lists of the same',
  overOneDashboard(
    async (t, fixture) => {
      const { visitor, key } = await openExplorer(fixture)
      const page = await overviewAt(fixture, visitor)
      t.ok((await assertLinks(fixture, key, page)) > 30)
      const tables = tablesOf(page)
      const own = new Set<string | null>([OWN_IBAN, OTHER_IBAN])
      const foreign = LEDGER.transactions.filter(
        ({ counterpartIban, currency }) => !own.has(counterpartIban) && currency === 'EUR',
      )
      const months = naiveSummary(inMonths(foreign, '2025-08', '2026-07'), LEDGER, ['month'])
      t.same(
        figuresOf(tables.get('In and out by month, EUR'), 'Month'),
        months.map(({ values, count, incoming, outgoing }) => [
          ...[values[0], count, incoming, outgoing],
        ]),
      )
      const latest = naiveSummary(inMonths(foreign, '2026-07', '2026-07'), LEDGER, ['counterpart'])
      const payers = latest.filter(({ incoming }) => incoming > 0n)
      const largest = payers.map(({ incoming }) => incoming).sort((a, b) => (a < b ? 1 : -1))
      t.same(
        (tables.get('Largest payers') ?? []).map(({ cells }) => sumOfText(cells['In'] ?? '')),
        largest.slice(0, 5),
      )
      const bare = LEDGER.transactions.filter(({ categoryId }) => categoryId === null)
      t.same(
        figuresOf(tables.get('Without a category'), 'Transactions').map((row) => row.slice(2)),
        naiveSummary(bare, LEDGER, []).map(({ incoming, outgoing }) => [incoming, outgoing]),
      )
      assertBalances(t, tables.get('Balance, EUR'), [1, 2], 'EUR')
      const dollars = await overviewAt(fixture, visitor, `${PATH}?currency=USD`)
      t.ok((await assertLinks(fixture, key, dollars)) > 30)
      assertBalances(t, tablesOf(dollars).get('Balance, USD'), [3], 'USD')
    },
    { rows: LEDGER },
  ),
)

/** Asserts the balance at the end of each month: the reported ones less what was booked later. */
function assertBalances(
  t: Test,
  shown: readonly ShownRow[] | undefined,
  accountIds: readonly number[],
  currency: string,
): void {
  const reported = BigInt(accountIds.length * balance.balanceUnscaled) * 1_000n
  const moved = LEDGER.transactions.filter(
    (row) => accountIds.includes(row.accountId) && row.currency === currency,
  )
  t.equal(shown?.length, 12)
  for (const { cells } of shown ?? []) {
    const [year = 0, month = 0] = (cells['Month'] ?? '').split('-').map(Number)
    const later = moved.filter(({ bookedAt }) => (bookedAt ?? 0) >= Date.UTC(year, month, 1))
    const sum = later.reduce((total, { amountUnscaled }) => total + BigInt(amountUnscaled), 0n)
    t.equal(sumOfText(cells['At its end'] ?? ''), reported - sum * 1_000n, String(cells['Month']))
  }
}

test(
  'an operator sees what came in since the last sign-in',
  overOneDashboard(
    async (t, fixture) => {
      const { visitor, key } = await openExplorer(fixture)
      const first = await overviewAt(fixture, visitor)
      t.match(wordsOf(first), 'Imported in the last 7 days.')
      const week = LEDGER.transactions.filter(
        ({ importedAt }) => importedAt >= START_MS - 7 * DAY_MS,
      )
      const counts = (page: Visit) =>
        (tablesOf(page).get('New transactions') ?? []).map(({ cells }) => cells['Transactions'])
      const expected = (rows: readonly TransactionRow[]) =>
        naiveSummary(rows, LEDGER, []).map(({ count, currency }) => `${count} in ${currency}`)
      t.same(counts(first), expected(week))
      fixture.service.nowMs += 3_600_000
      const second = await fixture.signedIn()
      const again = await overviewAt(fixture, second)
      t.match(wordsOf(again), 'since your last visit, 1 Jul 2026, 00:00 UTC .')
      t.match(wordsOf(again), 'Nothing came in.', 'imported at the visit, and not after it')
      const row = { importedAt: fixture.service.nowMs, amountUnscaled: 500 }
      const file = WorkspaceFile.open(fixture.service.pathOf('w'))
      file.insertTransaction(transactionRow(9_000, 1, row), null)
      file.close()
      await fixture.service.until(async () => {
        return counts(await overviewAt(fixture, second)).join() === '1 in EUR'
      })
      t.ok(await assertLinks(fixture, key, await overviewAt(fixture, second)))
      fixture.service.nowMs += 3_600_000
      t.same(counts(await overviewAt(fixture, await fixture.signedIn())), [])
    },
    { rows: LEDGER },
  ),
)

test(
  'the only workspace is on the first page, and one without rows leads to the import',
  overOneDashboard(async (t, fixture) => {
    const { visitor } = await openExplorer(fixture)
    const single = await overviewAt(fixture, visitor, '/dashboard')
    t.match(wordsOf(single), 'In and out by month, EUR')
    t.match(wordsOf(single), 'Balance, EUR The line appears once a bank has reported a balance')
    t.match(single.text, '/dashboard?currency=USD"')
    await fixture.service.write('empty', { ...SAMPLE, accounts: [], transactions: [] })
    const several = await visitor.get(`${fixture.url}/dashboard`)
    t.notMatch(wordsOf(several), 'In and out by month')
    const path = '/dashboard/workspaces/empty/overview'
    t.match(wordsOf(await overviewAt(fixture, visitor, path)), 'No booked transactions yet')
  }),
)

test(
  'the figures of the demo lead to lists of the same',
  overOneDashboard(
    async (t, fixture) => {
      const file = WorkspaceFile.open(fixture.service.pathOf('w'))
      await fillDemo(file, { transactions: 2_000, seed: 7, endsOn: Date.UTC(2026, 5, 20) })
      file.close()
      const { visitor, key } = await openExplorer(fixture)
      const page = await overviewAt(fixture, visitor)
      t.ok((await assertLinks(fixture, key, page)) > 20)
      const [latest] = (tablesOf(page).get('Balance, EUR') ?? []).slice(-1)
      const accounts = await fixture.service.ask('/v1/w/accounts', { key })
      const reported = (JSON.parse(accounts.text) as { currency: string; balance: number }[])
        .filter(({ currency }) => currency === 'EUR')
        .reduce((sum, account) => sum + BigInt(Math.round(account.balance * 1e5)), 0n)
      t.equal(sumOfText(latest?.cells['At its end'] ?? ''), reported)
    },
    { rows: null },
  ),
)
