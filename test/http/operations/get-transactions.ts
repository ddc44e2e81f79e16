// Lists of transactions over both engines, against the naive twin: of a workspace, of one account,
// of one counterpart, for keys with and without an account restriction.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { TransactionQuery } from '../../../src/query/transaction-query.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import type { Reply } from '../../fixtures/contract-check.js'
import { given } from '../../fixtures/given-workspace.js'
import { naiveList, naiveTransaction } from '../../fixtures/naive.js'
import { naiveRewrite, type Tree } from '../../fixtures/naive-rewrite.js'
import { listQueries } from '../../fixtures/queries.js'
import { queryText } from '../../fixtures/query-text.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines, type RunningService } from '../../fixtures/service.js'
import { type WorkspaceRows, workspaceRows } from '../../fixtures/workspaces.js'

/** A list to request, and its expected rows. */
interface Case {
  readonly path: string
  readonly query: TransactionQuery
  /** More parameters. */
  readonly more: Readonly<Record<string, string>>
  readonly expected: readonly Tree[]
}

const cases = workspaceRows({ maxLength: 25 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    // Codes of the accounts that the key may see; null = all.
    seen: fc.option(fc.subarray(workspace.accounts.map((_, code) => code)), { nil: null }),
    lists: fc.array(listQueries(workspace), { minLength: 4, maxLength: 4 }),
    account: fc.constantFrom(...workspace.accounts.map((_, code) => code)),
    // Codes of accounts that a list names.
    named: fc.subarray(
      workspace.accounts.map((_, code) => code),
      { minLength: 1 },
    ),
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.nat({ max: 30 }),
  }),
)

function total(reply: Reply): number {
  assert.equal(reply.status, 200, reply.text)
  return Number(reply.fields['x-total-count'])
}

/** Target of a relation of the Link field. */
function linkOf(reply: Reply, relation: string): string | undefined {
  const link = reply.fields['link'] ?? ''
  return new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link)?.[1]
}

test(
  'a list equals the naive one: rows, order, count and page',
  overEngines(async (t, service) => {
    await assertProperty(
      fc.asyncProperty(cases, async (drawn) => {
        const { workspace, seen, limit, offset } = drawn
        const { root, key } = await given(service, workspace, seen)
        for (const { path, query, more, expected } of casesOf(workspace, drawn)) {
          const target = `${root}/${path}?${queryText(query, { limit, offset, ...more })}`
          const reply = await service.ask(target, { key })
          assert.equal(total(reply), expected.length, target)
          assert.deepEqual(bodyOf(reply), expected.slice(offset, offset + limit), target)
          const plain = await service.ask(`${root}/${path}?${queryText(query, more)}`, { key })
          assert.deepEqual(bodyOf(plain), expected.slice(0, 100), 'limit is 100 by default')
          const head = await service.ask(target, { key, method: 'HEAD' })
          assert.equal(head.text, '')
          assert.deepEqual(fieldsOfGet(head), fieldsOfGet(reply), 'HEAD has the fields of GET')
        }
      }),
      { numRuns: 15 },
    )
    t.pass('all workspaces')
  }),
)

function fieldsOfGet({ fields, status }: Reply): object {
  const { date: _, 'x-request-id': _id, connection: _c, 'keep-alive': _k, ...rest } = fields
  return { status, ...rest }
}

interface Asked {
  readonly seen: readonly number[] | null
  readonly lists: readonly { query: TransactionQuery }[]
  readonly account: number
  readonly named: readonly number[]
}

function casesOf(workspace: WorkspaceRows, { seen, lists, account, named }: Asked): Case[] {
  const iban = 'DE89370400440532013000'
  const visible = seen === null ? {} : { accountCodes: seen, visibleCodes: seen }
  const idsOf = (codes: readonly number[]) => codes.map((code) => workspace.accounts[code]?.id)
  const places = [
    { path: 'transactions', bounds: visible, more: {} },
    {
      path: `counterpart/${iban}/transactions`,
      bounds: { ...visible, counterpartIban: iban },
      more: {},
    },
    {
      path: `accounts/${workspace.accounts[account]?.id}/transactions`,
      bounds: { ...visible, accountCodes: [account] },
      more: {},
    },
    {
      path: 'transactions',
      bounds: { ...visible, accountCodes: named },
      more: { accountIds: idsOf([...named, ...named]).join(',') },
    },
  ]
  const isVisible = (codes: readonly number[]) =>
    codes.every((code) => seen?.includes(code) ?? true)
  return places
    .filter(({ bounds: { accountCodes } }) => isVisible(accountCodes ?? []))
    .map(({ path, bounds, more }, i) => {
      const query = lists[i]?.query ?? { order: 'desc', sortBy: '_id' }
      const rows = naiveList(workspace, query, bounds)
      // Through JSON, so that both sides are plain objects.
      const resources = rows.map((row) => naiveTransaction(row, workspace))
      return { path, query, more, expected: JSON.parse(JSON.stringify(resources)) }
    })
}

test(
  'the links walk the whole list once, forwards and backwards',
  overEngines(async (t, service) => {
    await assertProperty(
      fc.asyncProperty(cases, async ({ workspace, lists, limit }) => {
        const { root, key } = await given(service, workspace, null)
        const query = lists[0]?.query ?? {}
        const first = `${root}/transactions?${queryText(query, { limit })}`
        const forwards = await walk(service, key, first, 'next')
        const last = linkOf(await service.ask(first, { key }), 'last')
        const backwards = await walk(service, key, last ?? '', 'prev')
        const [{ expected } = { expected: [] }] = casesOf(workspace, {
          ...{ seen: null, lists, account: 0, named: [0] },
        })
        assert.deepEqual(forwards.flat(), expected)
        assert.deepEqual(backwards.toReversed().flat(), expected)
      }),
      { numRuns: 15 },
    )
    t.pass('15 workspaces')
  }),
)

async function walk(
  service: RunningService,
  key: string,
  start: string,
  relation: 'next' | 'prev',
): Promise<unknown[][]> {
  const pages: unknown[][] = []
  let target: string | undefined = start
  while (target !== undefined) {
    const reply: Reply = await service.ask(target, { key })
    pages.push(bodyOf(reply) as unknown[])
    assert(pages.length < 100, 'the links come to an end')
    target = linkOf(reply, relation)
  }
  return pages
}

const schemaPaths = fc.constantFrom(
  ...['id', 'amount', 'purpose', 'counterpart', 'counterpart.name', 'counterpart.iban', 'account'],
  ...['account.iban', 'category.name', 'paypal.fee', 'x', 'x.y', 'bookingDate', 'score'],
)
const schemas = fc
  .uniqueArray(fc.record({ from: schemaPaths, to: fc.option(schemaPaths, { freq: 4 }) }), {
    maxLength: 5,
    selector: ({ from }) => from,
  })
  .filter((pairs) => {
    const places = pairs.flatMap(({ to }) => (to === null ? [] : to))
    return new Set(places).size === places.length
  })
  .map((pairs) => Object.fromEntries(pairs.map(({ from, to }) => [from, to])))

test(
  'customSchema rewrites each row like the naive one',
  overEngines(async (t, service) => {
    const cases_ = fc.record({ given: cases, entries: schemas })
    await assertProperty(
      fc.asyncProperty(cases_, async ({ given: { workspace, lists }, entries }) => {
        const { root, key } = await given(service, workspace, null)
        const list = casesOf(workspace, { seen: null, lists, account: 0, named: [0] })[0]
        const rewritten = (list?.expected ?? []).map((row) => naiveRewrite(row, entries))
        const customSchema = JSON.stringify(entries)
        const query = queryText(list?.query ?? {}, { customSchema })
        const reply = await service.ask(`${root}/transactions?${query}`, { key })
        if (reply.status === 200) {
          assert.deepEqual(
            bodyOf(reply),
            rewritten.map(({ result }) => result),
            customSchema,
          )
          return
        }
        assert.equal(outcomeOf(reply), '400 invalid_custom_schema')
        assert.match(reply.text, /holds a single value/)
      }),
      { numRuns: 15 },
    )
    t.pass('all schemas')
  }),
)

test(
  'behind a proxy that strips a path, Link includes it',
  overEngines(
    async (t, service) => {
      await service.write('w', SAMPLE)
      const { key } = await service.newKey('w')
      const reply = await service.ask('/v1/w/transactions?limit=10&offset=20', { key })
      t.equal(linkOf(reply, 'next'), '/bank/v1/w/transactions?limit=10&offset=30')
      t.equal(linkOf(reply, 'first'), '/bank/v1/w/transactions?limit=10&offset=0')
    },
    { baseUrl: () => 'https://example.org/bank' },
  ),
)
