// The package within a program, against REST over the same data directory.
import { type Test, test } from 'tap'
import { KontorError, type KontorWorkspace, openKontor } from '../../src/embedded/kontor.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { ServedDirectory, type Serving } from '../fixtures/served-directory.js'

const ROWS = {
  ...SAMPLE,
  transactions: [
    ...SAMPLE.transactions,
    transactionRow(400, 1, { purpose: 'RE-2026-0815', counterpartName: 'Tannweiler Holz' }),
  ],
}

async function opened(
  t: Test,
): Promise<{ served: ServedDirectory; serving: Serving; acme: KontorWorkspace }> {
  const served = await ServedDirectory.make(t, ROWS)
  const serving = await served.start()
  // No test depends on the speed of the machine.
  const kontor = await openKontor({ dataDir: served.path, matchBudgetMs: 60_000 })
  t.teardown(() => kontor.close())
  return { served, serving, acme: await kontor.workspace('w') }
}

test('calls have the answers of REST', async (t) => {
  const { served, serving, acme } = await opened(t)
  const rest = async (target: string) => {
    const reply = await served.ask(serving, target)
    return { total: Number(reply.headers.get('x-total-count')), items: await reply.json() }
  }
  const pages: readonly (readonly [unknown, string])[] = [
    [acme.accounts(), '/accounts'],
    [acme.accounts({ blz: '12030000', limit: 1 }), '/accounts?blz=12030000&limit=1'],
    [acme.categories(), '/categories'],
    [acme.transactions(), '/transactions'],
    [
      acme.transactions({ parentCategory: 'Büro', sortBy: 'amount', order: 'asc', offset: 3 }),
      '/transactions?parentCategory=B%C3%BCro&sortBy=amount&order=asc&offset=3',
    ],
    [
      acme.transactions({ query: 're-2026', accountIds: [1, 2], amountTo: '-0.01', limit: 5 }),
      '/transactions/search?query=re-2026&accountIds=1,2&amountTo=-0.01&limit=5',
    ],
    [
      acme.transactions({ bookedAfter: new Date(0), uncategorized: true }),
      '/transactions?bookedAfter=1970-01-01T00:00:00.000Z&uncategorized=true',
    ],
    [acme.transactions({ account: 2 }), '/accounts/2/transactions'],
    [
      acme.transactions({ counterpartIban: 'DE89 3704 0044 0532 0130 00' }),
      '/counterpart/DE89370400440532013000/transactions',
    ],
    [
      await acme.match('RE 2026 0815', { explain: true }),
      '/transactions/match?query=RE%202026%200815&explain=true',
    ],
    [
      await acme.summary({ groupBy: ['category', 'month'] }),
      '/transactions/summary?groupBy=category,month',
    ],
  ]
  for (const [page, target] of pages) t.strictSame(page, await rest(target), target)
  t.strictSame(acme.account(1), (await rest('/accounts/1')).items)
  t.strictSame(acme.category(2), (await rest('/categories/2')).items)
  t.strictSame(acme.transaction(400), (await rest('/transactions/400')).items)
  const suggested = await rest('/transactions/suggestions?query=tannwieler')
  t.strictSame(await acme.suggestions('tannwieler'), suggested.items)
  const [entry] = await acme.matchAll({ queries: [{ id: 'a', query: 'RE-2026-0815' }] })
  t.match(entry, { id: 'a', total: 1, matches: [{ id: 400 }] })
})

test('errors have the codes of REST, and name what is wrong', async (t) => {
  const { served, acme } = await opened(t)
  const cases: readonly (readonly [() => unknown, string, RegExp])[] = [
    [() => acme.transaction(9_999), 'not_found', /9999/],
    [() => acme.transactions({ limit: 251 }), 'invalid_parameter', /^limit must be .* 250/],
    [() => acme.transactions({ limt: 3 } as object), 'unknown_parameter', /did you mean limit/],
    [
      () => acme.transactions({ account: 1, counterpartIban: 'DE1' }),
      'invalid_parameter',
      /cannot be combined/,
    ],
  ]
  for (const [call, code, message] of cases) {
    try {
      call()
      t.fail(`${message} is expected`)
    } catch (error) {
      t.ok(error instanceof KontorError)
      t.match(error, { code, message })
    }
  }
  await t.rejects(acme.match('x'), { code: 'invalid_parameter', message: /^query must be/ })
  await t.rejects(acme.summary({ groupBy: ['week'] }), { code: 'invalid_parameter' })
  const kontor = await openKontor({ dataDir: served.path })
  t.teardown(() => kontor.close())
  for (const id of ['v', '../w']) {
    await t.rejects(kontor.workspace(id), { code: 'not_found', message: /There is no workspace/ })
  }
  await t.rejects(openKontor({ dataDir: `${served.path}/none` }), /there is no data directory/)
})

test('values that REST cannot have are named', async (t) => {
  const { served, acme } = await opened(t)
  const invalid = (message: RegExp) => ({ name: 'KontorError', code: 'invalid_parameter', message })
  t.throws(() => acme.transactions({ query: '\ud83d' }), invalid(/^query must not have half/))
  t.throws(() => acme.account('\ud83d'), invalid(/^an id must not/))
  t.throws(
    () => acme.transactions({ counterpartIban: '\ud83d' }),
    invalid(/^counterpartIban must not/),
  )
  t.throws(
    () => acme.transactions({ bookedAfter: new Date(Number.NaN) }),
    invalid(/^bookedAfter must be .*Invalid Date/),
  )
  const both = { account: 1, counterpartIban: 'DE1' }
  // An async function rejects, and never throws.
  await t.rejects(acme.match('x', both), invalid(/cannot be combined/))
  await t.rejects(acme.summary(both), invalid(/cannot be combined/))
  const { path: dataDir } = served
  await t.rejects(openKontor({} as { dataDir: string }), invalid(/^dataDir must be the path/))
  for (const name of ['memoryBudgetBytes', 'matchThreads', 'matchBudgetMs']) {
    for (const count of [0, 1.5, Number.NaN]) {
      const message = new RegExp(`^${name} must be a whole number from 1, not "${count}"`)
      await t.rejects(openKontor({ dataDir, [name]: count }), invalid(message))
    }
  }
  const kontor = await openKontor({ dataDir })
  t.teardown(() => kontor.close())
  const accounts = ['1'] as unknown as number[]
  await t.rejects(kontor.workspace('w', { accounts }), invalid(/^accounts must be a list of ids/))
})

test('a workspace that is restricted to accounts sees nothing of others', async (t) => {
  const { served } = await opened(t)
  const kontor = await openKontor({ dataDir: served.path })
  t.teardown(() => kontor.close())
  const acme = await kontor.workspace('w', { accounts: [2] })
  t.same(
    acme.accounts().items.map(({ id }) => id),
    [2],
  )
  t.same(
    acme.transactions().items.map(({ id }) => id),
    [301],
  )
  t.equal(acme.transactions({ query: 're-2026-0815' }).total, 0)
  t.throws(() => acme.transaction(400), { code: 'not_found' })
  t.same(await acme.suggestions('tannwieler'), [])
})

test('calls see what is committed, and changes follow it', async (t) => {
  const { served, acme } = await opened(t)
  const copied: number[] = []
  let since: string | undefined
  for await (const change of acme.changes({ follow: false })) {
    copied.push(change.kind === 'upsert' ? change.transaction.id : change.id)
    since = change.cursor ?? since
  }
  t.equal(copied.length, ROWS.transactions.length)
  t.ok(since !== undefined)
  served.write((connection) => {
    connection.exec("UPDATE transactions SET purpose = 'changed' WHERE id = 400")
    connection.exec('DELETE FROM transactions WHERE id = 301')
  })
  const ending = new AbortController()
  const seen: unknown[] = []
  const query = { signal: ending.signal, ...(since === undefined ? {} : { since }) }
  for await (const change of acme.changes(query)) {
    seen.push(change.kind === 'upsert' ? change.transaction.purpose : change.id)
    if (seen.length === 2) break
  }
  t.same(seen.sort(), [301, 'changed'])
  t.equal(acme.transaction(400).purpose, 'changed')
  t.throws(() => acme.transaction(301), { code: 'not_found' })
  const next = acme.changes(query)[Symbol.asyncIterator]()
  await next.next()
  await next.next()
  const waiting = next.next()
  setTimeout(() => ending.abort(new Error('enough')), 50)
  await t.rejects(waiting, /enough/)
})

test('a workspace that is larger than the memory budget is refused', async (t) => {
  const { served } = await opened(t)
  const events: string[] = []
  const kontor = await openKontor({
    ...{ dataDir: served.path, memoryBudgetBytes: 1 },
    onEvent: ({ kind }) => {
      events.push(kind)
    },
  })
  t.teardown(() => kontor.close())
  await t.rejects(kontor.workspace('w'), { code: 'workspace_unavailable' })
  t.ok(events.includes('failed'))
})
