import { test } from 'tap'
import {
  ACCOUNT_SUMMARY_TABLE,
  parseSummaryQuery,
  SUMMARY_TABLE,
} from '../../src/wire/summary-query.js'

test('a summary has filters, a search, groups, an order and a page', async (t) => {
  t.match(parseSummaryQuery('', SUMMARY_TABLE), {
    ...{ filters: {}, groupBy: [], offset: 0, limit: 100 },
  })
  t.equal(parseSummaryQuery('', SUMMARY_TABLE).order, undefined)
  const rawQuery =
    'groupBy=month,category&query=frey%20ag&category=Reise&direction=in&sortBy=net&offset=3&limit=0'
  const query = parseSummaryQuery(rawQuery, SUMMARY_TABLE)
  t.match(query, {
    ...{ groupBy: ['month', 'category'], offset: 3, limit: 0 },
    filters: { category: { text: 'Reise' }, direction: 'in' },
    order: { sortBy: 'net', order: 'desc' },
  })
  t.equal(query.terms?.length, 2)
  t.equal(parseSummaryQuery('query=%20', SUMMARY_TABLE).terms, undefined)
  t.match(parseSummaryQuery('sortBy=in&order=1', SUMMARY_TABLE).order, { order: 'asc' })
})

test('an order needs a figure, and one account has no filter by account', async (t) => {
  t.throws(() => parseSummaryQuery('order=asc', SUMMARY_TABLE), { message: /^order needs sortBy/ })
  t.throws(() => parseSummaryQuery('groupBy=month,month', SUMMARY_TABLE), { message: /^groupBy/ })
  t.throws(() => parseSummaryQuery('groupBy=day,month,year', SUMMARY_TABLE), {
    message: /^groupBy/,
  })
  t.same(parseSummaryQuery('accountIds=1', SUMMARY_TABLE).filters.accountIds, [{ accountId: 1 }])
  t.throws(() => parseSummaryQuery('accountIds=1', ACCOUNT_SUMMARY_TABLE), {
    code: 'unknown_parameter',
  })
})
