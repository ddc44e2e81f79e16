import { strict as assert } from 'node:assert'
import { type Test, test } from 'tap'
import { TRANSACTION_COLUMNS, type TransactionRow } from '../../../src/store/columns.js'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { copyIn } from '../../../src/store/postgres/copy-in.js'
import { PostgresReader } from '../../../src/store/postgres/postgres-reader.js'
import { StoreRefusedError, StoreUnavailableError } from '../../../src/store/store-error.js'
import type { SealedVersion, WorkspaceState } from '../../../src/store/workspace.js'
import {
  connected,
  databaseOf,
  errorOf,
  migratedDatabase,
  urlFor,
} from '../../fixtures/postgres.js'
import { PostgresProxy } from '../../fixtures/postgres-proxy.js'
import { administer } from '../../fixtures/postgres-server.js'
import {
  insertAccount,
  insertTransactions,
  makeWorkspace,
} from '../../fixtures/postgres-workspace.js'

/** More bytes than the sockets between two processes hold. */
const ROWS = 3_000

/** Rows of a batch, and of what had already been read from the socket. */
const BATCH_ROWS_MAX = 1_500

const AMOUNTS = [-999_999_999_999_999, -1, 0, 1, 4_294_967_295, 999_999_999_999_999]
const INSTANTS = [-62_167_219_200_000, -1, 0, 1_782_864_000_001, 253_402_300_799_999]
const TEXTS = ['', ' ', 'Grüße 🙈 aus 東京', 'a\tb\\c\nd', '\\N', 'x'.repeat(300), '\u{10ffff}']

function pick<Value>(values: readonly Value[], i: number): Value {
  const value = values[i % values.length]
  assert(value !== undefined)
  return value
}

/** A row whose columns all differ from each other in most rows; every third value is absent. */
function rowOf(id: number): TransactionRow {
  const isAbsent = (i: number): boolean => (id + i) % 3 === 0
  const text = (i: number): string | null =>
    isAbsent(i) ? null : `${pick(TEXTS, id + i)}${id % 5 === 0 ? '' : i}`
  const instant = (i: number): number => pick(INSTANTS, id + i)
  const amount = (i: number): number => pick(AMOUNTS, id * i)
  return {
    ...{ id, accountId: 1, amountUnscaled: amount(1), amountScale: id % 6, currency: 'EUR' },
    ...{ categoryId: isAbsent(0) ? null : 2, parentCategoryId: isAbsent(0) ? null : 1 },
    ...{ counterpartAccountNumber: text(1), counterpartName: text(2), counterpartIban: text(3) },
    ...{ counterpartBic: text(4), counterpartBankName: text(5), mandateReference: text(6) },
    ...{ creditorId: text(7), customerReference: text(8), createdAt: instant(1) },
    ...{ updatedAt: instant(2), importedAt: instant(3) },
    ...{ bookedAt: isAbsent(1) ? null : instant(4), valuedAt: isAbsent(2) ? null : instant(5) },
    ...{ type: text(9), purpose: id % 1_000 === 1 ? '漢'.repeat(200_000) : text(10) },
    endToEndReference: text(11),
    ...{ originalAmountUnscaled: isAbsent(0) ? null : amount(2) },
    ...{ originalAmountScale: isAbsent(0) ? null : (id + 1) % 6 },
    ...{ originalCurrency: isAbsent(1) ? null : pick(['USD', 'CHF'], id) },
    ...{ sepaPurposeCode: text(12), primanota: text(13), paypalInvoiceNumber: text(14) },
    ...{ paypalFeeUnscaled: isAbsent(1) ? null : amount(3) },
    ...{ paypalFeeScale: isAbsent(1) ? null : (id + 2) % 6 },
    ...{ paypalNetUnscaled: isAbsent(2) ? null : amount(5) },
    ...{ paypalNetScale: isAbsent(2) ? null : (id + 3) % 6 },
  }
}

function copiedText(value: string | number | null): string {
  if (value === null) return '\\N'
  return String(value).replace(/[\\\n\t]/g, (one) => `\\${one}`)
}

/** A workspace with rows of all kinds of values, whose number is 1. */
async function filled(
  t: Test,
  rowCount = ROWS,
): Promise<{ url: string; writer: PostgresConnection }> {
  const { url, writer } = await begun(t)
  await writer.query(`INSERT INTO kontor.categories (workspace, id, name, parent_id)
    VALUES (1, 1, 'Haus', NULL), (1, 2, 'Miete', 1)`)
  const names = TRANSACTION_COLUMNS.map(([, column]) => column)
  const lines = Array.from({ length: rowCount }, (_, i) => {
    const row = rowOf(i + 1)
    return ['1', ...TRANSACTION_COLUMNS.map(([name]) => copiedText(row[name]))].join('\t')
  })
  const sql = `COPY kontor.transactions (workspace, ${names.join(', ')}) FROM STDIN`
  await copyIn(writer, sql, Buffer.from(`${lines.join('\n')}\n`))
  return { url, writer }
}

/** A workspace with an account, whose number is 1. */
async function begun(t: Test): Promise<{ url: string; writer: PostgresConnection }> {
  const url = await migratedDatabase(t)
  const writer = await connected(t, url)
  await makeWorkspace(writer, 'acme')
  await writer.query(insertAccount(1))
  return { url, writer }
}

function readerOf(t: Test, url: string, no = 1): PostgresReader {
  const reader = new PostgresReader(url, no)
  t.teardown(() => reader.close())
  return reader
}

function sealedOf(reader: PostgresReader): Promise<SealedVersion> {
  return reader.read(async (state) => ({
    version: await state.version(),
    seal: await state.seal(),
  }))
}

function countOf(reader: PostgresReader): Promise<number> {
  return reader.read((state) => state.transactionCount())
}

/** Waits until the server waits for a reader to take rows. @returns its process */
async function waitingBackend(writer: PostgresConnection): Promise<number> {
  for (;;) {
    const [found] = await writer.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity
      WHERE application_name = 'kontor reader' AND wait_event = 'ClientWrite'
        AND datname = current_database()`)
    if (found !== undefined) return found.pid
  }
}

test('COPY gives each row as it was written, in both orders', async (t) => {
  const rowCount = 8_000
  const { url } = await filled(t, rowCount)
  const reader = readerOf(t, url)
  for (const order of ['newest', 'oldest'] as const) {
    let count = 0
    await reader.read(async (state) => {
      for await (const batch of state.transactions(order)) {
        assert(batch.length <= BATCH_ROWS_MAX, `${batch.length} rows`)
        for (const row of batch) {
          count += 1
          assert.deepEqual(row, rowOf(order === 'newest' ? rowCount + 1 - count : count))
        }
      }
    })
    t.equal(count, rowCount, order)
  }
  const wanted = [8_000, 1, 25_000, 7, 1_001]
  t.same(
    await reader.read((state) => state.transactionsOf(wanted)),
    [8_000, 1, 7, 1_001].map(rowOf),
  )
})

test('more ids than one statement takes are followed in their order', async (t) => {
  const { url, writer } = await begun(t)
  const reader = readerOf(t, url)
  const known = await sealedOf(reader)
  const rowCount = 25_000
  const ids = Array.from({ length: rowCount }, (_, i) => rowCount - i)
  await writer.query(insertTransactions(1, ids))
  await writer.query('DELETE FROM kontor.transactions WHERE id % 5 = 0')
  await reader.read(async (state) => {
    const written = await state.writtenSince(known, 2 * rowCount)
    assert(written.kind === 'written')
    t.same(Array.from(written.ids), ids)
    const found: number[] = []
    for await (const batch of written.transactions) found.push(...batch.map(({ id }) => id))
    t.same(
      found,
      ids.filter((id) => id % 5 > 0),
    )
    const logged = await state.loggedChanges(known.version.sequence)
    t.equal(logged.length, (rowCount + rowCount / 5) * 4)
  })
})

test('a lone broad category is the category', async (t) => {
  const { url, writer } = await begun(t)
  await writer.query("INSERT INTO kontor.categories (workspace, id, name) VALUES (1, 1, 'Haus')")
  await writer.query(insertTransactions(1))
  await writer.query('UPDATE kontor.transactions SET parent_category_id = 1')
  const rows = await readerOf(t, url).read((state) => state.transactionsOf([1]))
  t.match(rows, [{ categoryId: 1, parentCategoryId: null }])
})

test('the server waits while rows are used', async (t) => {
  const { url, writer } = await filled(t)
  let count = 0
  await readerOf(t, url).read(async (state) => {
    for await (const batch of state.transactions('newest')) {
      assert(batch.length <= BATCH_ROWS_MAX, `${batch.length} rows`)
      if (count === 0) for (let i = 0; i < 20; i++) await waitingBackend(writer)
      count += batch.length
    }
  })
  t.equal(count, ROWS)
})

test('a limit of the database for statements ends no loop over rows', async (t) => {
  const { url, writer } = await filled(t)
  await writer.query(`ALTER DATABASE ${databaseOf(url)} SET statement_timeout = '100ms'`)
  let count = 0
  await readerOf(t, url).read(async (state) => {
    for await (const batch of state.transactions('newest')) {
      if (count === 0) await writer.query('SELECT pg_sleep(0.3)')
      count += batch.length
    }
  })
  t.equal(count, ROWS)
})

test('a refused connection is an outage, which ends', async (t) => {
  const { url, writer } = await filled(t, 3)
  const reader = readerOf(t, url)
  t.equal(await countOf(reader), 3)
  const database = databaseOf(url)
  const allow = (isAllowed: boolean): Promise<unknown> =>
    administer(urlFor(url, 'postgres'), (admin) =>
      admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${isAllowed}`),
    )
  await allow(false)
  await writer.query(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE application_name = 'kontor reader' AND datname = current_database()`)
  // The first error may be that of the lost connection.
  await errorOf(countOf(reader))
  const refused = await errorOf(countOf(reader))
  t.ok(refused instanceof StoreRefusedError, String(refused))
  await allow(true)
  t.equal(await countOf(reader), 3)
})

test('a loop over rows can be left', async (t) => {
  const { url } = await filled(t)
  const reader = readerOf(t, url)
  const first = await reader.read(async (state) => {
    for await (const batch of state.transactions('newest')) return batch[0]?.id
    return undefined
  })
  t.equal(first, ROWS)
  const failure = reader.read(async (state) => {
    for await (const _ of state.transactions('newest')) throw new Error('mine')
  })
  await t.rejects(failure, { message: 'mine' })
  t.equal(await countOf(reader), ROWS, 'and the next state is there')
  const left = await reader.read((state) =>
    state.transactions('oldest')[Symbol.asyncIterator]().next(),
  )
  t.equal(left.value?.[0]?.id, 1, 'a loop without an end waits for nothing')
  t.equal(await countOf(reader), ROWS)
  const asked = reader.read(async (state) => {
    for await (const _ of state.transactions('newest')) await state.accounts()
  })
  await t.rejects(asked, { message: 'a state has no queries within a loop over its rows' })
  t.equal(await countOf(reader), ROWS)
  const ended = await errorOf(reader.read((state) => leftEarly(state)))
  t.ok(ended instanceof StoreUnavailableError, 'the state has ended with the loop')
})

async function leftEarly(state: WorkspaceState): Promise<number> {
  for await (const _ of state.transactions('newest')) break
  return state.transactionCount()
}

test('a connection lost within COPY rejects, and the next read reconnects', async (t) => {
  const { url, writer } = await filled(t)
  const reader = readerOf(t, url)
  let count = 0
  const lost = reader.read(async (state) => {
    for await (const batch of state.transactions('newest')) {
      if (count === 0) {
        await writer.query('SELECT pg_terminate_backend($1, 10000)', [await waitingBackend(writer)])
      }
      count += batch.length
    }
  })
  t.ok((await errorOf(lost)) instanceof StoreUnavailableError)
  t.ok(count > 0 && count < ROWS, `after ${count} rows`)
  t.equal(await countOf(reader), ROWS)
  await writer.query(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE application_name = 'kontor reader' AND datname = current_database()`)
  const error = await errorOf(countOf(reader))
  t.ok(error === undefined || error instanceof StoreUnavailableError, 'lost between two states')
  t.equal(await countOf(reader), ROWS)
})

test('a server that falls silent is given up, and the next state is there', async (t) => {
  const { url } = await filled(t, 3)
  const proxy = await PostgresProxy.start(t, url)
  const reader = new PostgresReader(proxy.url, 1, 200)
  t.teardown(() => reader.close())
  for (const ask of [
    (state: WorkspaceState) => state.accounts(),
    async (state: WorkspaceState) => {
      for await (const rows of state.transactions('oldest')) t.fail(`${rows.length} rows`)
    },
  ]) {
    const silent = reader.read(async (state) => {
      proxy.silence()
      await ask(state)
    })
    const error = await errorOf(silent)
    t.ok(error instanceof StoreUnavailableError)
    t.match(error, { message: /does not answer \(Query read timeout\)/ })
    proxy.speak()
    t.equal(await countOf(reader), 3)
  }
})

test('a state does not change while it is read', async (t) => {
  const { url, writer } = await begun(t)
  await writer.query(insertTransactions(1, [1, 2]))
  const reader = readerOf(t, url)
  const before = await reader.read(async (state) => {
    const version = await state.version()
    await writer.query(insertTransactions(1, [3, 4]))
    await writer.query('DELETE FROM kontor.transactions WHERE id = 1')
    const ids: number[] = []
    for await (const batch of state.transactions('oldest')) ids.push(...batch.map(({ id }) => id))
    t.same(ids, [1, 2])
    t.equal(await state.transactionCount(), 2)
    t.same(Array.from(await state.loggedChanges(version.sequence)), [])
    t.same(await state.version(), version)
    return version
  })
  const after = await reader.read((state) => state.version())
  t.equal(after.sequence, before.sequence + 3)
  t.equal(await countOf(reader), 3)
})

test('a version is the newest change, and the seal is of it', async (t) => {
  const { url, writer } = await begun(t)
  const empty = await makeWorkspace(writer, 'empty')
  const [{ uid } = { uid: '' }] = await writer.query<{ uid: string }>(
    'SELECT uid FROM kontor.workspaces WHERE no = $1',
    [empty],
  )
  t.same(await sealedOf(readerOf(t, url, empty)), {
    version: { uid, sequence: 0, mark: 0 },
    seal: { schema: '1', content: `${uid} 0 0` },
  })
  const reader = readerOf(t, url)
  const first = await sealedOf(reader)
  const [change] = await writer.query('SELECT sequence, mark FROM kontor.changes')
  t.match(first.version, change)
  t.same(await sealedOf(reader), first)
  await writer.query(insertTransactions(1))
  t.not((await sealedOf(reader)).seal.content, first.seal.content)
})

/** What {@link WorkspaceState.writtenSince} says of a version. */
function followed(
  reader: PostgresReader,
  known: SealedVersion,
  changesMax = 100,
): Promise<string | number[]> {
  return reader.read(async (state) => {
    const written = await state.writtenSince(known, changesMax)
    return written.kind === 'lost' ? written.reason : Array.from(written.ids)
  })
}

test('a version of another history is not followed', async (t) => {
  const { url, writer } = await begun(t)
  await writer.query(insertTransactions(1, [1]))
  const reader = readerOf(t, url)
  const known = await sealedOf(reader)
  t.equal(await followed(reader, known), 'unlogged', 'nothing has been written since')
  await writer.query(insertTransactions(1, [2]))
  const newer = await sealedOf(reader)
  await writer.query(insertTransactions(1, [3, 4]))
  t.same(await followed(reader, known), [4, 3, 2])
  t.same(await followed(reader, known, 3), [4, 3, 2])
  t.equal(await followed(reader, known, 2), 'too_many_changes')
  const { version, seal } = known
  t.equal(await followed(reader, { version: { ...version, uid: 'x' }, seal }), 'other_file')
  const otherSchema = { version, seal: { ...seal, schema: '0' } }
  t.equal(await followed(reader, otherSchema), 'schema')
  // The dump of an older state is written on.
  await writer.query('DELETE FROM kontor.changes WHERE sequence >= 3')
  await writer.query(insertTransactions(1, [5, 6, 7]))
  t.equal((await sealedOf(reader)).version.sequence, 5)
  t.equal(await followed(reader, newer), 'unlogged', 'its newest change is another one')
  t.same(await followed(reader, known), [7, 6, 5], 'this change is part of both pasts')
  await writer.query('DELETE FROM kontor.changes WHERE sequence = 4')
  t.equal(await followed(reader, known), 'unlogged', 'a change is missing')
})

test('after a load with triggers off, no earlier version can be followed', async (t) => {
  const { url, writer } = await begun(t)
  const empty = await makeWorkspace(writer, 'empty')
  for (const [id, no] of [
    ['acme', 1],
    ['empty', empty],
  ] as const) {
    const reader = readerOf(t, url, no)
    const known = await sealedOf(reader)
    await writer.query("SET session_replication_role = 'replica'")
    await writer.query(insertAccount(no, 8))
    await writer.query("SET session_replication_role = 'origin'")
    await writer.query('SELECT kontor.rewritten($1)', [id])
    t.equal(await followed(reader, known), 'unlogged', id)
    const later = await sealedOf(reader)
    await writer.query(insertAccount(no, 9))
    t.same(await followed(reader, later), [], 'and what comes later is')
  }
})

test('a number that a double does not hold is an error, and no more', async (t) => {
  const { url, writer } = await begun(t)
  await writer.query(`INSERT INTO kontor.changes
    VALUES (1, 2, 7, 'transaction', 9007199254740992, 'insert', 1, -9007199254740991)`)
  const reader = readerOf(t, url)
  const message = '9007199254740992 is too large: kontor supports integers up to 2^53 - 1'
  const logged = reader.read((state) => state.loggedChanges(0))
  await t.rejects(logged, { name: 'StoreError', message })
  const ids = reader.read((state) => state.idsWritten(9, 9))
  await t.rejects(ids, { name: 'StoreError', message })
  await writer.query('UPDATE kontor.changes SET entity_id = 9007199254740991 WHERE mark = 7')
  t.same(Array.from(await reader.read((state) => state.loggedChanges(0))), [
    ...[2, 9_007_199_254_740_991, 1, -9_007_199_254_740_991],
  ])
})

test('a missing workspace is an error', async (t) => {
  const { url, writer } = await begun(t)
  const reader = readerOf(t, url)
  t.equal(await reader.fault(), undefined)
  const message = /there is no workspace with the number 7$/
  await t.rejects(readerOf(t, url, 7).fault(), { name: 'StoreError', message })
  await writer.query('DELETE FROM kontor.workspaces')
  await t.rejects(countOf(reader), {
    name: 'StoreError',
    message: /no workspace with the number 1/,
  })
})
