// The tool against the REST operations of the same fixture, for generated calls; and its messages
// for calls that it cannot answer.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Transaction } from '../../../src/domain/transaction.js'
import { ApiError } from '../../../src/errors.js'
import { unknownCredential } from '../../../src/http/http-errors.js'
import { budgetExceeded } from '../../../src/query/match-rank.js'
import type { TransactionRow } from '../../../src/store/columns.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { matchedWorkspaces, referencesFor } from '../../fixtures/naive-match.js'
import { naiveSums } from '../../fixtures/naive-sums.js'
import { openShares } from '../../fixtures/open-shares.js'
import { listQueries, searchTextsFor } from '../../fixtures/queries.js'
import { filterTexts } from '../../fixtures/query-text.js'
import { accountRow, SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { indexedSnapshotOf, lives, snapshotAfter } from '../../fixtures/snapshots.js'
import { ToolFixture } from '../../fixtures/tool-fixture.js'
import type { WorkspaceRows } from '../../fixtures/workspaces.js'

/** A call, and the target of the equivalent REST request. */
interface Call {
  readonly input: Readonly<Record<string, unknown>>
  /** Path below the workspace and parameters, except those of the page. */
  readonly path: string
  readonly filters: Readonly<Record<string, string>>
  readonly page: Readonly<Record<string, string>>
}

function defined(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as Record<string, string>
}

const IBANS = ['DE89370400440532013000', 'de89 3704 0044 0532 0130 00', 'AT611904300234573201']

/** Calls as models send them: numbers as numbers or as text, days in place of midnights. */
function callsOf(workspace: WorkspaceRows): fc.Arbitrary<Call> {
  const accountIds = workspace.accounts.map(({ id }) => String(id))
  const ids = workspace.transactions.map(({ id }) => id)
  const drawn = fc.record({
    kind: fc.constantFrom('list', 'list', 'search', 'search', 'match', 'match', 'id' as const),
    within: fc.constantFrom('all', 'all', 'all', 'account', 'counterpart' as const),
    list: listQueries(workspace),
    isFiltered: fc.constantFrom(true, false, false),
    text: searchTextsFor(workspace),
    reference: referencesFor(workspace),
    account: fc.constantFrom(...accountIds),
    iban: fc.constantFrom(...IBANS),
    id: fc.constantFrom(1, ...ids),
    threshold: fc.constantFrom(undefined, '0', '0.3', '1e-1', '1'),
    explain: fc.constantFrom(undefined, 'true'),
    offset: fc.constantFrom(undefined, '0', '1', '7'),
    limit: fc.constantFrom(undefined, '1', '3', '50'),
    fields: fc.constantFrom(undefined, 'compact', 'full'),
    isNumeric: fc.boolean(),
  })
  return drawn.map((call) => {
    if (call.kind === 'id') {
      const input = { ...defined({ fields: call.fields }), id: call.id }
      return { input, path: `/transactions/${call.id}`, filters: {}, page: {} }
    }
    const isMatch = call.kind === 'match'
    const { query } = call.list
    const dated = call.isFiltered ? query : { order: query.order, sortBy: query.sortBy }
    const filters = defined({
      ...filterTexts(dated),
      threshold: isMatch ? call.threshold : undefined,
    })
    const page = defined({
      offset: call.offset,
      limit: call.limit,
      ...(isMatch ? { explain: call.explain } : { order: query.order, sortBy: query.sortBy }),
    })
    const text = isMatch ? call.reference : call.text
    const searched = call.kind === 'list' ? {} : { [call.kind]: text }
    const place = placeOf(call)
    const below = call.kind === 'list' ? '' : `/${call.kind}`
    return {
      input: written(
        { ...filters, ...page, ...searched, ...place.input, ...defined({ fields: call.fields }) },
        call.isNumeric,
      ),
      path: `${place.path}/transactions${below}`,
      filters: call.kind === 'list' ? filters : { ...filters, query: text },
      page,
    }
  })
}

function placeOf({ within, account, iban }: { within: string; account: string; iban: string }) {
  if (within === 'account') return { path: `/accounts/${account}`, input: { account } }
  if (within === 'all') return { path: '', input: {} }
  const path = `/counterpart/${encodeURIComponent(iban)}`
  return { path, input: { counterpartIban: iban } }
}

function written(
  texts: Readonly<Record<string, string>>,
  isNumeric: boolean,
): Record<string, unknown> {
  const pairs = Object.entries(texts).map(([name, text]): [string, unknown] => {
    if (!isNumeric) return [name, text]
    const isNumber = /^(offset|limit|threshold|account|amount\w+|absoluteAmount)$/.test(name)
    // Beyond these numbers, JavaScript writes exponents.
    if (isNumber && String(Number(text)) === text) return [name, Number(text)]
    if (name === 'explain' || name === 'uncategorized') return [name, text === 'true']
    return [name, text.replace(/^(\d{4}-\d{2}-\d{2})T00:00:00\.000Z$/, '$1')]
  })
  return Object.fromEntries(pairs)
}

function targetOf({ path, filters, page }: Call, more: Record<string, string> = {}): string {
  const limited = /\/\d+$/.test(path) ? {} : { limit: '25' }
  const query = new URLSearchParams({ ...limited, ...filters, ...page, ...more })
  return `/v1/w${path}?${query}`
}

/** Expected compact row of a REST row, computed differently from the program. */
function projected(row: Transaction & { score?: number; explanation?: unknown }): unknown {
  const { id, accountId, amount, currency, purpose, score, explanation } = row
  const members = {
    ...{ id, accountId, bookingDate: row.bookingDate?.split('T')[0], amount, currency },
    ...{ counterpartName: row.counterpart.name, counterpartIban: row.counterpart.iban },
    ...{ purpose, categoryName: row.category.name, score, explanation },
  }
  return JSON.parse(JSON.stringify(members))
}

/** Every row that REST lists, page by page. */
async function allRows(fixture: ToolFixture, call: Call, total: number): Promise<Transaction[]> {
  const rows: Transaction[] = []
  const limit = call.path.endsWith('/match') ? 50 : 250
  while (rows.length < total) {
    const page = { offset: String(rows.length), limit: String(limit) }
    const { body } = await fixture.rest(targetOf(call, page))
    rows.push(...(body as Transaction[]))
  }
  return rows
}

function sumsOfRows(rows: readonly Transaction[]): unknown {
  const amounts = rows.map(({ amount, currency }) => {
    const [, decimals = ''] = String(amount).split('.')
    const amountScale = decimals.length
    const amountUnscaled = Number(String(amount).replace('.', ''))
    return { amountUnscaled, amountScale, currency } as TransactionRow
  })
  return naiveSums(amounts).map(({ currency, count, incoming, outgoing }) => ({
    ...{ currency, count, in: incoming, out: outgoing, net: incoming + outgoing },
  }))
}

/** The returned sums, as BigInts of five decimals. */
function readSums(sums: readonly Readonly<Record<string, unknown>>[]): unknown {
  return sums.map(({ currency, count, ...values }) => {
    const read = Object.entries(values).map(([name, value]) => {
      const [whole = '', decimals = ''] = String(value).split('.')
      return [name, BigInt(whole + decimals.padEnd(5, '0'))]
    })
    return { currency, count, ...Object.fromEntries(read) }
  })
}

const cases = matchedWorkspaces({ maxLength: 40 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: lives,
    isRestricted: fc.constantFrom(true, false, false),
    calls: fc.array(callsOf(workspace), { minLength: 4, maxLength: 4 }),
  }),
)

test('generated calls give the same answers as REST, with the sums of its pages', async (t) => {
  const seen = { calls: 0, matches: 0, restricted: 0, refused: 0, several: 0 }
  await assertProperty(
    fc.asyncProperty(cases, async ({ workspace, life, isRestricted, calls }) => {
      const own = workspace.accounts.map(({ id }) => id)
      const accountIds = isRestricted ? own.slice(1) : null
      const fixture = new ToolFixture(snapshotAfter(workspace, life), { accountIds })
      // Twice, because the second call reads cached sums.
      for (const call of [...calls, ...calls]) {
        const rest = await fixture.rest(targetOf(call))
        seen.calls += 1
        if (rest.status !== 200) {
          await fixture.refused('get_transactions', call.input)
          seen.refused += 1
          continue
        }
        const rows = (Array.isArray(rest.body) ? rest.body : [rest.body]) as Transaction[]
        const reply = await fixture.reply('get_transactions', call.input)
        const total = rest.total ?? 1
        assert.equal(reply.totalCount, total)
        assert.equal(reply.returned, rows.length)
        const isFull = call.input['fields'] === 'full'
        assert.deepEqual(reply.items, isFull ? rows : rows.map(projected))
        const all = rest.total === undefined ? rows : await allRows(fixture, call, total)
        assert.deepEqual(readSums(reply.sums), sumsOfRows(all))
        const next = Number(call.page['offset'] ?? 0) + rows.length
        const hasMore = rows.length > 0 && next < total
        assert.equal(reply.nextOffset, hasMore ? next : undefined)
        assert.equal(reply.truncated, undefined)
        if (call.path.endsWith('/match') && rows.length > 0) seen.matches += 1
        if (isRestricted && total > 0) seen.restricted += 1
        if (hasMore) seen.several += 1
      }
    }),
    { numRuns: 130 },
  )
  t.ok(seen.calls >= 500, `${seen.calls} calls`)
  t.ok(seen.matches > 10 && seen.restricted > 5 && seen.several > 5, JSON.stringify(seen))
})

const ROWS = {
  ...SAMPLE,
  accounts: [accountRow(1, { iban: 'DE89370400440532013000' }), accountRow(2)],
  transactions: Array.from({ length: 120 }, (_, i) =>
    transactionRow(i + 1, 1 + (i % 2), { purpose: `RE-2026-${1000 + i}` }),
  ),
}

test('contradictory arguments are refused, with the ones to leave out', async (t) => {
  const fixture = new ToolFixture(indexedSnapshotOf(ROWS))
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ id: 1, limit: 3, fields: 'full' }, /^id .* not with limit: omit id/],
    [{ search: 'a', match: 'b1' }, /^search and match cannot be combined/],
    [{ account: 1, counterpartIban: 'DE1' }, /^account and counterpartIban cannot be combined/],
    [{ account: 1, accountIds: '1,2' }, /^account and accountIds cannot be combined/],
    [{ match: 'RE-2026-1000', sortBy: 'amount' }, /^sortBy cannot be combined with match/],
    [{ match: 'RE-2026-1000', order: 'asc' }, /^order cannot be combined with match/],
    [{ threshold: 0.5 }, /^threshold can only be used with match/],
    [{ search: 'a', explain: true }, /^explain can only be used with match/],
  ]
  for (const [input, pattern] of cases) {
    t.match(await fixture.refused('get_transactions', input), pattern, JSON.stringify(input))
  }
})

test('an error of the REST operation names the argument', async (t) => {
  const fixture = new ToolFixture(indexedSnapshotOf(ROWS))
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ limit: 251 }, /^limit must be a whole number from 0 to 250, not "251"; .* limit: 100$/],
    [{ match: 'RE-2026-1000', limit: 51 }, /^limit must be a whole number from 1 to 50/],
    [{ limit: 1.5 }, /^limit must be a whole number/],
    [{ match: 'x' }, /^match must be at least 2 characters long; .* match: "RE-2026-00042"$/],
    [{ match: '--' }, /^match must have at least 2 letters or digits/],
    [{ search: 'a\nb' }, /^search must not contain control characters/],
    [{ bookedAfter: '31.01.2026' }, /^bookedAfter must be a valid instant/],
    [{ bookedAfter: '2026-02-30' }, /^bookedAfter must be a valid instant/],
    [{ category: '' }, /^category has no value; for example category: "Groceries"$/],
    [{ sortBy: 'date' }, /^sortBy must be one of bookingDate, /],
    [{ counterpartIban: 'nobody' }, /^counterpartIban must be an IBAN/],
    [{ account: 'DE 89' }, /^account must be an account id or an IBAN/],
    [{ account: 'a/../b' }, /^account must be/],
    [{ id: 'first' }, /^id must be a whole number/],
    [{ id: 0 }, /^id must be a whole number/],
    [{ fields: 'all' }, /^fields must be one of compact, full/],
    [{ match: 'RE-2026-1000', threshold: 2 }, /^threshold must be a number from 0 to 1/],
    [
      { accountIds: '1,99' },
      /^accountIds names an account that is not accessible: id 99; .* "1,DE/,
    ],
    [{ amountFrom: 1e21 }, /^amountFrom must be a decimal number/],
    [{ direction: 'both' }, /^direction must be one of in, out, not "both"; .* direction: "out"$/],
    [{ account: 99 }, /^account: no accessible account "99".*get_accounts/],
    [{ id: 9999 }, /^id: no accessible transaction "9999"/],
  ]
  for (const [input, pattern] of cases) {
    t.match(await fixture.refused('get_transactions', input), pattern, JSON.stringify(input))
  }
})

test('a hidden resource is as unknown as a missing one', async (t) => {
  const fixture = new ToolFixture(indexedSnapshotOf(ROWS), { accountIds: [2] })
  const hidden = await fixture.refused('get_transactions', { id: 1 })
  t.equal(hidden.replace('"1"', '"9999"'), await fixture.refused('get_transactions', { id: 9999 }))
  t.match(await fixture.refused('get_transactions', { account: 1 }), /no accessible account "1"/)
  t.equal((await fixture.reply('get_transactions', {})).totalCount, 60)
})

test('temporary errors are reported, internal ones are thrown', async (t) => {
  const snapshot = indexedSnapshotOf(ROWS)
  const changed = new ApiError('data_changed', 'It has changed; ask again.')
  for (const error of [budgetExceeded(), changed]) {
    const rank = () => Promise.reject(error)
    const parts = { match: { rank, budgetMs: 1_000, ticks: () => 0, shares: openShares() } }
    const fixture = new ToolFixture(snapshot, {}, { parts })
    t.equal(await fixture.refused('get_transactions', { match: 'RE-2026-1000' }), error.message)
  }
  const failingWith = (error: Error) => {
    const load = () => Promise.reject(error)
    const snapshots = { find: () => undefined, load, loadIndexed: load }
    return new ToolFixture(snapshot, {}, { parts: { snapshots } })
  }
  const unknown = unknownCredential()
  t.equal(await failingWith(unknown).refused('get_transactions', {}), unknown.message)
  const bug = new Error('a bug')
  await t.rejects(failingWith(bug).call('get_transactions', {}), bug)
})

test('a call ends when its caller disconnects, whatever it waits for', async (t) => {
  const snapshot = indexedSnapshotOf(ROWS)
  const controller = new AbortController()
  let arrive: (arrived: typeof snapshot) => void = () => undefined
  const loading = new Promise<typeof snapshot>((resolve) => {
    arrive = resolve
  })
  const snapshots = { find: () => undefined, load: () => loading, loadIndexed: () => loading }
  const fixture = new ToolFixture(snapshot, {}, { parts: { snapshots } })
  const call = fixture.call('get_transactions', {}, controller.signal)
  controller.abort(new Error('gone'))
  arrive(snapshot)
  await t.rejects(call, { message: 'gone' })
})

test('an answer is cut to its budget, and paging through it finds every row once', async (t) => {
  const long = {
    ...ROWS,
    transactions: ROWS.transactions.map((row, i) => ({
      ...row,
      purpose: 'ä"\n'.repeat(i % 40 === 7 ? 3_000 : 300),
    })),
  }
  const answerCharsMax = 10_000
  const fixture = new ToolFixture(indexedSnapshotOf(long), {}, { answerCharsMax })
  for (const fields of ['compact', 'full']) {
    const ids: unknown[] = []
    let cutCount = 0
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const input = { offset, limit: 100, fields, order: 'asc' }
      const { text } = await fixture.call('get_transactions', input)
      t.ok(text.length <= answerCharsMax, `${text.length} characters`)
      const reply = await fixture.reply('get_transactions', input)
      t.same(reply.sums, [{ currency: 'EUR', count: 120, in: 0, out: -120, net: -120 }])
      t.equal(reply.returned, reply.items.length)
      if (reply.truncated) t.match(reply.hint, /fit into one answer|were truncated/)
      if (reply.hint?.includes('were truncated')) {
        cutCount += 1
        t.match(reply.items[0]?.['purpose'], /…$/)
      }
      ids.push(...reply.items.map(({ id }) => id))
      offset = reply.nextOffset
    }
    t.same(
      ids,
      long.transactions.map(({ id }) => id),
    )
    t.equal(cutCount, 3, 'the answers cut short')
  }
})

test('a count is an answer without items', async (t) => {
  const fixture = new ToolFixture(indexedSnapshotOf(ROWS))
  t.same(await fixture.reply('get_transactions', { limit: 0, account: 'DE89370400440532013000' }), {
    totalCount: 60,
    returned: 0,
    sums: [{ currency: 'EUR', count: 60, in: 0, out: -60, net: -60 }],
    items: [],
  })
  const past = await fixture.reply('get_transactions', { offset: 500 })
  t.same([past.totalCount, past.returned, past.nextOffset], [120, 0, undefined])
})
