// Summaries over both engines, against the naive twin: of a workspace, of one account, of one
// counterpart, for keys with and without an account restriction.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatSum } from '../../../src/money.js'
import type { Group, GroupField } from '../../../src/query/summary.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { given } from '../../fixtures/given-workspace.js'
import { naiveList } from '../../fixtures/naive.js'
import { naivelySorted, naiveSummary } from '../../fixtures/naive-summary.js'
import { searchedWorkspaces, searchQueries } from '../../fixtures/queries.js'
import { queryText } from '../../fixtures/query-text.js'
import { OTHER_IBAN, SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines } from '../../fixtures/service.js'

const IBAN = 'DE89370400440532013000'
const PLACES = ['workspace', 'account', 'counterpart'] as const

const groupings = fc.subarray<GroupField>(
  [
    ...(['day', 'month', 'quarter', 'year', 'category', 'parentCategory'] as const),
    ...(['account', 'counterpart', 'direction'] as const),
  ],
  { maxLength: 2 },
)

const orders = fc.record({
  sortBy: fc.constantFrom('net' as const, 'in' as const, 'out' as const, 'count' as const),
  order: fc.constantFrom('asc' as const, 'desc' as const),
})

const cases = searchedWorkspaces({ maxLength: 25 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    // Codes of the accounts that the key may see; null = all.
    seen: fc.option(fc.subarray(workspace.accounts.map((_, code) => code)), { nil: null }),
    searches: fc.array(searchQueries(workspace), { minLength: 3, maxLength: 3 }),
    account: fc.constantFrom(...workspace.accounts.map((_, code) => code)),
    // Most searches find little, at times no more than thirty groups in all runs.
    isSearched: fc.boolean(),
    groupBy: groupings,
    sorting: fc.option(orders, { nil: undefined }),
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 30 })),
  }),
)

/** The text of the answer: its numbers have more digits than a double. */
function bodyText(groups: readonly Group[], groupBy: readonly GroupField[]): string {
  const texts = groups.map((group) => {
    const { values, currency, count, incoming, outgoing, firstBookedMs, lastBookedMs } = group
    const instant = (ms: number): string => new Date(ms).toISOString()
    const fields = groupBy.map((field, place) => ({ [field]: values[place] }))
    const first = JSON.stringify(Object.assign({}, ...fields, { currency, count })).slice(0, -1)
    const sums = [incoming, outgoing, incoming + outgoing].map(formatSum)
    const amounts = `"in":${sums[0]},"out":${sums[1]},"net":${sums[2]}`
    const dates =
      firstBookedMs === undefined || lastBookedMs === undefined
        ? ''
        : `,"firstBookingDate":"${instant(firstBookedMs)}"` +
          `,"lastBookingDate":"${instant(lastBookedMs)}"`
    return `${first},${amounts}${dates}}`
  })
  return `[${texts.join(',')}]`
}

test(
  'a summary equals the naive one: groups, sums, order, count and page',
  overEngines(async (t, service) => {
    let groupCount = 0
    await assertProperty(
      fc.asyncProperty(cases, async (drawn) => {
        const { workspace, seen, searches, isSearched, account } = drawn
        const { groupBy, sorting, limit, offset } = drawn
        const { root, key } = await given(service, workspace, seen)
        const visible = seen === null ? {} : { accountCodes: seen, visibleCodes: seen }
        const accountPath = `accounts/${workspace.accounts[account]?.id}/`
        const places = {
          workspace: { path: '', bounds: visible },
          account: { path: accountPath, bounds: { ...visible, accountCodes: [account] } },
          counterpart: {
            path: `counterpart/${IBAN}/`,
            bounds: { ...visible, counterpartIban: IBAN },
          },
        }
        for (const [i, place] of PLACES.entries()) {
          const { path, bounds } = places[place]
          const search = searches[i]! // one a place
          const all = { text: '', query: { order: 'desc', sortBy: '_id' } as const }
          const { text, query } = isSearched ? search : all
          const grouped = groupBy.length === 0 ? {} : { groupBy: groupBy.join() }
          const more = { query: text, limit, offset, ...grouped }
          const unsorted = { order: undefined, sortBy: undefined }
          const parameters = queryText({ ...query }, { ...more, ...unsorted, ...sorting })
          const target = `${root}/${path}transactions/summary?${parameters}`
          const reply = await service.ask(target, { key })
          if (place === 'account' && seen?.includes(account) === false) {
            assert.equal(outcomeOf(reply), '400 not_found')
            continue
          }
          const rows = naiveList(workspace, query, bounds)
          const inOrder = naiveSummary(rows, workspace, groupBy)
          const groups = sorting === undefined ? inOrder : naivelySorted(inOrder, sorting)
          assert.equal(outcomeOf(reply), '200', target)
          assert.equal(reply.text, bodyText(groups.slice(offset, offset + limit), groupBy), target)
          assert.equal(reply.fields['x-total-count'], String(groups.length), target)
          groupCount += groups.length
        }
      }),
      { numRuns: 25 },
    )
    t.ok(groupCount > 10, `${groupCount} groups`)
  }),
)

/** Query of a summary -> outcome, and the parameter that the message begins with. */
const QUERIES: readonly (readonly [query: string, outcome: string, about?: string])[] = [
  ['', '200'],
  ['query=', '200'],
  ['limit=0', '200'],
  ['groupBy=month', '200'],
  ['groupBy=month,category', '200'],
  ['groupBy=month%2Ccategory', '200'],
  ['groupBy=year,quarter', '200'],
  ['groupBy=', '400 invalid_parameter', 'groupBy has no value'],
  ['groupBy=week', '400 invalid_parameter', 'groupBy must be words out of month'],
  ['groupBy=Month', '400 invalid_parameter', 'groupBy must be'],
  ['groupBy=month,', '400 invalid_parameter', 'groupBy must be'],
  ['groupBy=month,+category', '400 invalid_parameter', 'groupBy must be'],
  ['groupBy=month,month', '400 invalid_parameter', 'groupBy names month twice'],
  ['groupBy=month,category,account', '400 invalid_parameter', 'groupBy must be at most 2 words'],
  ['groupBy=month&groupBy=year', '400 repeated_parameter', 'groupBy is sent more than once'],
  ['sortBy=net', '200'],
  ['sortBy=out&order=asc', '200'],
  ['order=-1&sortBy=count', '200'],
  ['sortBy=amount', '400 invalid_parameter', 'sortBy must be one of net, in, out, count'],
  ['order=asc', '400 invalid_parameter', 'order needs sortBy, as in sortBy=net&order=desc'],
  ['sortBy=net&order=up', '400 invalid_parameter', 'order must be one of'],
  ['limit=251', '400 invalid_parameter', 'limit must be'],
  ['offset=-1', '400 invalid_parameter', 'offset must be'],
  ['cursor=', '400 unknown_parameter'],
  ['customSchema={}', '400 unknown_parameter'],
  ['group=month', '400 unknown_parameter'],
  ['bookedAfter=2026-02-30T00:00:00.000Z', '400 invalid_parameter', 'bookedAfter must be'],
]

test(
  'every parameter is read strictly, on each path',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, SAMPLE)
    for (const path of ['', 'accounts/1/', `counterpart/${OTHER_IBAN}/`]) {
      for (const [query, outcome, about = ''] of QUERIES) {
        const reply = await service.ask(`${root}/${path}transactions/summary?${query}`, { key })
        t.equal(outcomeOf(reply), outcome, `${path} ${query}`)
        if (about !== '') {
          const { message } = bodyOf(reply) as { readonly message: string }
          t.equal(message.slice(0, about.length), about)
          t.match(message, /, as in |; for example |, for example /, message)
        }
      }
    }
    const other = await service.ask(`${root}/accounts/9/transactions/summary`, { key })
    t.equal(outcomeOf(other), '400 not_found')
  }),
)

test(
  'pages, links and tags are those of a list',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, SAMPLE)
    const target = `${root}/transactions/summary?groupBy=day&sortBy=count&order=asc&limit=7`
    const first = await service.ask(`${target}&offset=7`, { key })
    const next = /<([^>]*)>; rel="next"/.exec(first.fields['link'] ?? '')?.[1] ?? ''
    t.match(next, /groupBy=day.*offset=14/)
    const whole = bodyOf(await service.ask(target.replace('limit=7', 'limit=250'), { key }))
    const rows = whole as { readonly count: number }[]
    t.equal(first.fields['x-total-count'], String(rows.length))
    t.same(bodyOf(first), rows.slice(7, 14))
    t.same(bodyOf(await service.ask(next, { key })), rows.slice(14, 21))
    t.equal(
      rows.reduce((sum, { count }) => sum + count, 0),
      302,
    )
    const counted = await service.ask(target.replace('limit=7', 'limit=0'), { key })
    t.same([bodyOf(counted), counted.fields['x-total-count']], [[], String(rows.length)])
    const etag = first.fields['etag'] ?? ''
    const headers = { 'If-None-Match': etag }
    t.equal((await service.ask(`${target}&offset=7`, { key, headers })).status, 304)
    const head = await service.ask(target, { key, method: 'HEAD' })
    t.same([head.status, head.text], [200, ''])
  }),
)

test(
  'a summary needs the scope of the list',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w', { scopes: ['accounts:read'] })
    for (const path of ['', 'accounts/1/', `counterpart/${OTHER_IBAN}/`]) {
      const target = `/v1/w/${path}transactions/summary?groupBy=`
      t.equal(outcomeOf(await service.ask(target, { key })), '401 insufficient_scope')
      t.equal(outcomeOf(await service.ask(target)), '401 unauthorized', 'before any parameter')
    }
  }),
)

test(
  'sums of many rows are added up in turns, and kept until the workspace changes',
  overEngines(async (t, service) => {
    const transactions = Array.from({ length: 20_000 }, (_, i) =>
      transactionRow(i + 1, 1, { counterpartName: `name ${i % 700}`, amountUnscaled: i - 9_000 }),
    )
    const workspace = { ...SAMPLE, transactions }
    const { root, key } = await given(service, workspace)
    const target = `${root}/transactions/summary?groupBy=counterpart&limit=3`
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => service.ask(`${target}&offset=${i * 3}`, { key })),
    )
    // Name by name, in the order of code points: the naive twin compares all rows with one another.
    const names = [...new Set(transactions.map(({ counterpartName }) => counterpartName))].sort()
    const all = names.flatMap((name) => {
      const own = transactions.filter(({ counterpartName }) => counterpartName === name)
      return naiveSummary(own, workspace, ['counterpart'])
    })
    for (const [i, { text }] of replies.entries()) {
      t.equal(text, bodyText(all.slice(i * 3, i * 3 + 3), ['counterpart']))
    }
    const again = await service.ask(`${target}&sortBy=net`, { key })
    const sorted = naivelySorted(all, { sortBy: 'net', order: 'desc' })
    t.equal(again.text, bodyText(sorted.slice(0, 3), ['counterpart']))
  }),
)
