// Matches over both engines, against the naive twin: of a workspace, of one account, of one
// counterpart, for keys with and without an account restriction.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { assertProperty } from '../../fixtures/assert-property.js'
import { given } from '../../fixtures/given-workspace.js'
import { naiveList, naiveTransaction } from '../../fixtures/naive.js'
import {
  matchedWorkspaces,
  type NaiveMatch,
  naiveMatches,
  referencesFor,
} from '../../fixtures/naive-match.js'
import { listQueries } from '../../fixtures/queries.js'
import { queryText } from '../../fixtures/query-text.js'
import { rankHere } from '../../fixtures/ranking.js'
import {
  FIRST_DAY_MS,
  OTHER_IBAN,
  SAMPLE,
  transactionRow,
} from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines } from '../../fixtures/service.js'
import type { WorkspaceRows } from '../../fixtures/workspaces.js'

const IBAN = 'DE89370400440532013000'
const PLACES = ['workspace', 'account', 'counterpart'] as const
const WINDOW_ROWS = 4

/** The threshold as a caller writes it, and in 1/10,000. */
const THRESHOLDS = {
  '0': 0,
  '0.00004': 1,
  '3e-1': 3_000,
  '.55': 5_500,
  '0.6': 6_000,
  '0.94999': 9_500,
  '1': 10_000,
} as const

const workspaces = matchedWorkspaces({ maxLength: 25 }).filter(
  ({ transactions }) => transactions.length > WINDOW_ROWS,
)

/** Every other reference occurs in a row of the window, or nearly. */
function newestOf(workspace: WorkspaceRows): WorkspaceRows {
  const newest = naiveList(workspace, { sortBy: 'bookingDate', order: 'desc' }, {})
  const inWindow = newest.slice(0, WINDOW_ROWS)
  const again = Array.from({ length: newest.length / WINDOW_ROWS }, () => inWindow)
  return { ...workspace, transactions: [...newest, ...again.flat()] }
}

const cases = workspaces.chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    // Codes of the accounts that the key may see; null = all.
    seen: fc.option(fc.subarray(workspace.accounts.map((_, code) => code)), { nil: null }),
    lists: fc.array(listQueries(workspace), { minLength: 3, maxLength: 3 }),
    // One place in three: ten filters at once select few rows.
    filtered: fc.constantFrom(...PLACES),
    texts: fc.array(referencesFor(newestOf(workspace)), { minLength: 3, maxLength: 3 }),
    threshold: fc.constantFrom(undefined, ...Object.keys(THRESHOLDS)),
    account: fc.constantFrom(...workspace.accounts.map((_, code) => code)),
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 30 })),
  }),
)

/** The matches as JSON values. */
function resourcesOf(matches: readonly NaiveMatch[], workspace: WorkspaceRows): unknown[] {
  return matches.map(({ row, score }) => ({
    ...JSON.parse(JSON.stringify(naiveTransaction(row, workspace))),
    score: Number(`${score}e-4`),
  }))
}

test(
  'a match equals the naive one: rows, scores, order, count and page',
  overEngines(
    async (t, service) => {
      let foundCount = 0
      let cutCount = 0
      await assertProperty(
        fc.asyncProperty(cases, async (drawn) => {
          const { workspace, seen, lists, filtered, texts, threshold, account } = drawn
          const { limit, offset } = drawn
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
            const { order: _order, sortBy: _sortBy, ...drawnFilters } = lists[i]?.query ?? {}
            const filters = filtered === place ? drawnFilters : {}
            const text = texts[i] ?? ''
            const parameters = queryText(filters, { query: text, limit, offset, threshold })
            const target = `${root}/${path}transactions/match?${parameters}`
            const reply = await service.ask(target, { key })
            if (place === 'account' && seen?.includes(account) === false) {
              assert.equal(outcomeOf(reply), '400 not_found')
              continue
            }
            const scoreMin = THRESHOLDS[(threshold ?? '0.6') as keyof typeof THRESHOLDS]
            const request = { text, filters, bounds, scoreMin, windowRowsMax: WINDOW_ROWS }
            const matches = naiveMatches(workspace, request)
            const expected = resourcesOf(matches.slice(offset, offset + limit), workspace)
            assert.equal(outcomeOf(reply), '200', target)
            assert.deepEqual(bodyOf(reply), expected, target)
            assert.equal(reply.fields['x-total-count'], String(matches.length), target)
            foundCount += matches.filter(({ score }) => score > 0).length
            const everything = { ...request, scoreMin: 0, windowRowsMax: 1_000 }
            if (naiveMatches(workspace, everything).length > WINDOW_ROWS) cutCount += 1
          }
        }),
        { numRuns: 35 },
      )
      t.ok(foundCount > 3, `${foundCount} rows found`)
      t.ok(cutCount > 0, `${cutCount} windows cut off`)
    },
    {
      rankMatches: rankHere({ windowRowsMax: WINDOW_ROWS, hereRowsMax: 3, blockRows: 2 }),
    },
  ),
)

const DAY_MS = 86_400_000

/** One row for each field that a match reads, and some with the reference in other fields. */
const FIELDS: WorkspaceRows = {
  ...SAMPLE,
  transactions: [
    transactionRow(1, 1, { purpose: 'Zahlung RE-2026-0815' }),
    transactionRow(2, 1, { endToEndReference: 'RE-2026-0815' }),
    transactionRow(3, 1, { customerReference: 'RE-2026-0815' }),
    transactionRow(4, 1, { mandateReference: 'RE-2026-0815', counterpartIban: OTHER_IBAN }),
    transactionRow(5, 2, { paypalInvoiceNumber: 'RE-2026-0815' }),
    transactionRow(6, 1, { counterpartName: 'RE-2026-0815', type: 'RE-2026-0815' }),
    transactionRow(7, 1, { creditorId: 'RE-2026-0815', counterpartBankName: 'RE-2026-0815' }),
    transactionRow(8, 2, { purpose: 'RE-2026-0851', bookedAt: FIRST_DAY_MS }),
    transactionRow(9, 1, { primanota: '4711' }),
    transactionRow(10, 1, { purpose: 'Miete', bookedAt: FIRST_DAY_MS + DAY_MS }),
  ],
}

interface Match {
  readonly id: number
  readonly score: number
  readonly explanation?: { readonly field: string; readonly matched: string }
}

test(
  'each match field is read, and no other; the threshold decides the results',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, FIELDS)
    const ask = async (target: string): Promise<Match[]> =>
      bodyOf(await service.ask(`${root}/${target}`, { key })) as Match[]
    const idsOf = async (target: string): Promise<number[]> =>
      (await ask(target)).map(({ id }) => id).sort((a, b) => a - b)
    const query = 'query=re20260815'
    t.same(await idsOf(`transactions/match?${query}`), [1, 2, 3, 4, 5])
    t.same(await idsOf(`accounts/1/transactions/match?${query}`), [1, 2, 3, 4])
    t.same(await idsOf(`accounts/2/transactions/match?${query}`), [5])
    t.same(await idsOf(`counterpart/${OTHER_IBAN}/transactions/match?${query}`), [4])
    t.same(await idsOf('transactions/match?query=4711'), [9])
    t.same(await idsOf(`transactions/match?${query}&threshold=0.4`), [1, 2, 3, 4, 5, 8])
    t.same(await idsOf('transactions/match?query=RE-2026-9999'), [])
    const everything = await ask(`transactions/match?${query}&threshold=0&limit=50`)
    t.equal(everything.length, FIELDS.transactions.length)
    const rest = everything.filter(({ score }) => score === 0).map(({ id }) => id)
    t.same(rest, [10, 9, 7, 6], 'the newest first, those without a date last')
    t.same(
      everything.slice(-4).map(({ id }) => id),
      rest,
    )
  }),
)

test(
  'links, count, tag and customSchema are those of a list; the score stays in place',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, SAMPLE)
    const target = `${root}/transactions/match?query=RE-12&threshold=0&limit=50`
    const reply = await service.ask(target, { key })
    t.equal(reply.fields['x-total-count'], '302')
    t.match(bodyOf(reply), [{ id: 12 }])
    const next = /<([^>]*)>; rel="next"/.exec(reply.fields['link'] ?? '')?.[1] ?? ''
    t.match(next, /query=RE-12&threshold=0&limit=50&offset=50/)
    t.equal((bodyOf(await service.ask(next, { key })) as unknown[]).length, 50)
    const etag = reply.fields['etag'] ?? ''
    const again = await service.ask(target, { key, headers: { 'If-None-Match': etag } })
    t.equal(again.status, 304)
    const any = await service.ask(target, { key, headers: { 'If-None-Match': '*' } })
    t.equal(any.status, 304)
    const head = await service.ask(target, { key, method: 'HEAD' })
    t.equal(head.fields['content-length'], reply.fields['content-length'])
    const schema = encodeURIComponent('{"id":"number","purpose":"text","account":null}')
    const rewritten = await service.ask(`${target}&customSchema=${schema}`, { key })
    const [first] = bodyOf(rewritten) as Record<string, unknown>[]
    t.match(first, { number: 12, text: 'RE-12', score: Number })
    t.notOk('account' in (first ?? {}))
    t.equal(Object.keys(first ?? {}).at(-1), 'score')
  }),
)

test(
  'explanations are returned on request only',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, FIELDS)
    const target = `${root}/transactions/match?query=RE-2026-0815`
    const plain = await service.ask(target, { key })
    const explained = await service.ask(`${target}&explain=true`, { key })
    const matches = bodyOf(explained) as Match[]
    t.equal(matches.length, 5)
    for (const { explanation } of matches) t.match(explanation?.matched, /0815/)
    const fieldOf = Object.fromEntries(
      matches.map(({ id, explanation }) => [id, explanation?.field]),
    )
    t.same(fieldOf, {
      1: 'purpose',
      2: 'endToEndReference',
      3: 'counterpart.customerReference',
      4: 'counterpart.mandateReference',
      5: 'paypal.invoiceNumber',
    })
    const without = matches.map(({ explanation: _, ...rest }) => rest)
    t.equal(JSON.stringify(without), plain.text, 'byte for byte')
    t.equal((await service.ask(`${target}&explain=false`, { key })).text, plain.text)
  }),
)

const REFUSED: Readonly<Record<string, string>> = {
  '': '400 invalid_parameter',
  'query=x': '400 invalid_parameter',
  'query=RE-1&q=RE-1': '400 unknown_parameter',
  'search=RE-1': '400 unknown_parameter',
  'query=RE-1&treshold=0.5': '400 unknown_parameter',
  'query=RE-1&threshold=1.0000001': '400 invalid_parameter',
  'query=RE-1&limit=51': '400 invalid_parameter',
  'query=RE-1&limit=0': '400 invalid_parameter',
  'query=RE-1&sortBy=amount': '400 unknown_parameter',
  'query=RE-1&order=asc': '400 unknown_parameter',
  'query=RE-1&customSchema={"score":null}': '400 invalid_custom_schema',
  'query=RE-1&customSchema={"id":null}': '400 invalid_custom_schema',
}

test(
  'refusals, and their order',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, SAMPLE)
    const { key: narrow } = await service.newKey(root.slice('/v1/'.length), {
      scopes: ['accounts:read'],
    })
    for (const path of ['', 'accounts/1/', `counterpart/${OTHER_IBAN}/`]) {
      const target = `${root}/${path}transactions/match`
      for (const [query, outcome] of Object.entries(REFUSED)) {
        const encoded = encodeURI(query)
        t.equal(outcomeOf(await service.ask(`${target}?${encoded}`, { key })), outcome, query)
      }
      t.equal(outcomeOf(await service.ask(target)), '401 unauthorized', 'before any parameter')
      t.equal(outcomeOf(await service.ask(target, { key: narrow })), '401 insufficient_scope')
      const put = await service.ask(`${target}?query=RE-1`, { key, method: 'PUT' })
      t.equal(outcomeOf(put), '405 method_not_allowed')
      t.equal(put.fields['allow'], 'GET, HEAD, POST')
    }
    const unknown = await service.ask(`${root}/accounts/9/transactions/match?query=RE-1`, { key })
    t.equal(outcomeOf(unknown), '400 not_found')
    const nobody = `${root}/counterpart/DE00000000000000000000/transactions/match?query=RE-1`
    t.equal((await service.ask(nobody, { key })).text, '[]')
    const odd = await service.ask(`${root}/counterpart/x/transactions/match?query=RE-1`, { key })
    t.equal(outcomeOf(odd), '400 invalid_parameter')
  }),
)
