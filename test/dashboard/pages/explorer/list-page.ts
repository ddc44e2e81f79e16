import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type FilterValues,
  urlWith,
} from '../../../../src/dashboard/pages/explorer/filter-values.js'
import { csvText } from '../../../../src/dashboard/pages/explorer/list-page.js'
import { listRequest, targetOf } from '../../../../src/dashboard/pages/explorer/rest-request.js'
import { assertProperty } from '../../../fixtures/assert-property.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { PageVisitor, type Visit, wordsOf } from '../../../fixtures/page-visitor.js'
import { OTHER_IBAN, SAMPLE } from '../../../fixtures/sample-workspace.js'

const PATH = '/dashboard/workspaces/w/transactions'

/** Ids of the transactions that a page links to, in order. */
function linkedIds(text: string): number[] {
  return [...text.matchAll(/\/transactions\/(\d+)"/g)].map(([, id]) => Number(id))
}

/** The number of results that the page states. */
function countOn(text: string): number {
  const digits = /<h2 id="found">([\d,]+) transactions?</.exec(text)?.[1] ?? '0'
  return Number(digits.replaceAll(',', ''))
}

const days = fc.constantFrom('2026-01-01', '2026-01-10', '2026-01-25', '2026-02-10')
const maybe = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some })

const questions: fc.Arbitrary<FilterValues> = fc.record({
  query: maybe(fc.constantFrom('büro', 'BUERO', '4711', 'telefon', 'nobody', '  ')),
  account: maybe(fc.constantFrom('1', '2', '3')),
  category: maybe(fc.constantFrom('1', '2', 'Telefon', '4711', 'none')),
  parentCategory: maybe(fc.constantFrom('1', 'Büro')),
  bookedFrom: maybe(days),
  bookedTo: maybe(days),
  importedFrom: maybe(days),
  updatedAfter: maybe(fc.constantFrom('2025-12-31', '2026-01-01T00:00:00Z')),
  amountFrom: maybe(fc.constantFrom('-0.25', '0', '1')),
  absoluteAmount: maybe(fc.constantFrom('0.5', '1')),
  direction: maybe(fc.constantFrom('in', 'out')),
  currency: maybe(fc.constantFrom('EUR', 'USD')),
  uncategorized: maybe(fc.constantFrom('true', 'false')),
  ownTransfers: maybe(fc.constantFrom('exclude', 'only')),
  sortBy: maybe(fc.constantFrom('amount', 'bookingDate', 'valueDate', 'importDate', '_id')),
  order: maybe(fc.constantFrom('asc', '-1')),
  limit: maybe(fc.constantFrom('1', '25', '250')),
  offset: maybe(fc.constantFrom('0', '3', '40')),
})

test(
  "a page shows the service's answer: the same rows, order and count",
  overOneDashboard(async (t, fixture) => {
    const { visitor, key } = await openExplorer(fixture)
    let rowCount = 0
    await assertProperty(
      fc.asyncProperty(questions, async (values) => {
        const page = await visitor.get(fixture.url + urlWith(PATH, values))
        const asked = { ...values, limit: values.limit ?? '50' }
        const reply = await fixture.service.ask(targetOf('w', listRequest(asked)), { key })
        assert.equal(reply.status, 200)
        const rows = JSON.parse(reply.text) as { id: number }[]
        assert.equal(page.status, 200)
        assert.deepEqual(
          linkedIds(page.text),
          rows.map(({ id }) => id),
        )
        assert.equal(countOn(page.text), Number(reply.fields['x-total-count']))
        rowCount += rows.length
      }),
      { numRuns: 80 },
    )
    t.ok(rowCount > 50, `${rowCount} rows`)
  }),
)

test(
  'sums cover the whole list, and search terms are marked',
  overOneDashboard(async (t, fixture) => {
    const { visitor } = await openExplorer(fixture)
    const see = async (query: string) => visitor.get(`${fixture.url}${PATH}?${query}`)
    const whole = wordsOf(await see('limit=1'))
    const cents = SAMPLE.transactions.reduce(
      (sum, row) => sum + (row.currency === 'EUR' ? row.amountUnscaled : 0),
      0,
    )
    const count = SAMPLE.transactions.length
    t.match(whole, `${count} transactions`)
    const text = `${cents < 0 ? '−' : ''}${(Math.abs(cents) / 100).toFixed(2)}`
    t.match(whole, new RegExp(`EUR ${count} [\\d,.]+ −[\\d,.]+ ${text.replace('.', '\\.')}`))
    const marked = await see('query=buero')
    t.match(marked.text, '<mark>Büro</mark>')
    t.match(marked.text, `value="buero"`)
    t.match(wordsOf(await see('query=nobody+at+all')), 'No transactions found')
    t.match(wordsOf(await see('offset=50')), '51–100 of 302')
  }),
)

test(
  'an error of the service is shown at the field',
  overOneDashboard(async (t, fixture) => {
    const { visitor, key } = await openExplorer(fixture)
    const cases: [FilterValues, field: string][] = [
      [{ bookedFrom: 'gestern' }, 'bookedFrom'],
      [{ importedTo: '2026-02-30' }, 'importedTo'],
      [{ limit: '251' }, 'limit'],
      [{ sortBy: 'purpose' }, 'sortBy'],
      [{ order: 'up' }, 'order'],
      [{ account: '99' }, 'account'],
      [{ accountIds: '1, 2' }, 'accountIds'],
      [{ accountIds: '1,99' }, 'accountIds'],
      [{ amountTo: '1,5' }, 'amountTo'],
      [{ currency: 'euro' }, 'currency'],
      [{ direction: 'up' }, 'direction'],
      [{ updatedBefore: 'now' }, 'updatedBefore'],
      [{ counterpart: 'X' }, 'counterpart'],
      [{ query: 'a '.repeat(33) }, 'query'],
      [{ category: 'x'.repeat(257) }, 'category'],
    ]
    for (const [values, field] of cases) {
      const page = await visitor.get(fixture.url + urlWith(PATH, values))
      const reply = await fixture.service.ask(targetOf('w', listRequest(values)), { key })
      t.equal(reply.status, 400)
      t.equal(page.status, 400)
      const { message } = JSON.parse(reply.text) as { message: string }
      const said = new RegExp(`id="${field}-error">([^<]*)<`).exec(page.text)?.[1] ?? ''
      t.equal(said.replaceAll('&quot;', '"').replaceAll('&amp;', '&'), message)
    }
    const both = await visitor.get(`${fixture.url}${PATH}?account=1&counterpart=${OTHER_IBAN}`)
    t.match(wordsOf(both), 'cannot be combined with an account')
    const several = await visitor.get(`${fixture.url}${PATH}?account=1&accountIds=2`)
    t.match(wordsOf(several), 'Several accounts cannot be combined with an account')
    const twice = await visitor.get(`${fixture.url}${PATH}?query=a&query=b`)
    t.match(wordsOf(twice), 'query of the address is given more than once and was ignored')
  }),
)

test(
  'an operator sees one workspace at a time, a visitor none',
  overOneDashboard(async (t, fixture) => {
    await fixture.service.write('other', { ...SAMPLE, transactions: [] })
    const { visitor } = await openExplorer(fixture)
    const other = await visitor.get(`${fixture.url}/dashboard/workspaces/other/transactions`)
    t.same(linkedIds(other.text), [])
    const views = [
      '',
      '/match',
      '/charts',
      '/schema',
      '/csv',
      '/json',
      '/match/csv',
      '/1',
      '/1/json',
    ]
    for (const view of views) {
      const missing = await visitor.get(
        `${fixture.url}/dashboard/workspaces/nope/transactions${view}`,
      )
      t.equal(missing.status, 404, view)
      const stranger = await new PageVisitor().get(fixture.url + PATH + view)
      t.match(wordsOf(stranger), 'Sign in to see accounts and transactions', view)
      t.same(linkedIds(stranger.text), [], view)
    }
  }),
)

test(
  'an unreadable workspace is reported, a loading one is awaited',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    writeFileSync(fixture.service.pathOf('bad'), 'x'.repeat(5_000))
    const see = (workspaceId: string): Promise<Visit> =>
      visitor.get(`${fixture.url}/dashboard/workspaces/${workspaceId}/transactions?query=4711`)
    await fixture.service.until(async () => (await see('bad')).status === 503)
    t.match((await see('bad')).text, 'class="notice bad"')
    await fixture.service.until(async () => {
      const page = await see('w')
      if (/being (read|made)/.test(page.text)) t.match(page.text, 'data-refresh="2"')
      return countOn(page.text) > 0
    })
    t.notMatch((await see('w')).text, 'data-refresh')
  }),
)

test('a download link states its size', async (t) => {
  t.equal(csvText(12_345), 'All 12,345 as CSV')
  t.equal(csvText(100_000), 'All 100,000 as CSV')
  t.equal(csvText(100_001), 'The first 100,000 as CSV')
})
