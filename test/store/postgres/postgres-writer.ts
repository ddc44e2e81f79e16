import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { PostgresReader } from '../../../src/store/postgres/postgres-reader.js'
import { PostgresWriter } from '../../../src/store/postgres/postgres-writer.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { LostCommitError, StoreError } from '../../../src/store/store-error.js'
import { CHANGES_KEPT_MAX, type OpenWorkspace } from '../../../src/store/workspace-writer.js'
import { connected, errorOf, migratedDatabase } from '../../fixtures/postgres.js'
import { logLines, logOf, makeWorkspace } from '../../fixtures/postgres-workspace.js'
import { accountRow, FIRST_DAY_MS, transactionRow } from '../../fixtures/sample-workspace.js'

interface Begun {
  readonly url: string
  readonly admin: PostgresConnection
  readonly writer: PostgresWriter
  readonly reader: PostgresReader
}

/** A writer of a workspace with the number 1 and two accounts. */
async function begun(t: Test): Promise<Begun> {
  const url = await migratedDatabase(t)
  const admin = await connected(t, url)
  await makeWorkspace(admin, 'acme')
  const [writer, reader] = [await PostgresWriter.open(url, 1), new PostgresReader(url, 1)]
  t.teardown(() => {
    writer.close()
    reader.close()
  })
  await writer.atomically(async (open) => {
    for (const id of [1, 2]) open.insertAccount(accountRow(id))
  })
  return { url, admin, writer, reader }
}

test('a transaction is atomic, and invisible before its commit', async (t) => {
  const { writer, reader } = await begun(t)
  const before = writer.version()
  t.match(before, { uid: /^[0-9a-f]{32}$/, sequence: 2 })
  t.same(await reader.read((state) => state.version()), before)
  const result = await writer.atomically(async (open) => {
    t.same(open.addTransactions([{ row: transactionRow(7, 1), identity: null }]), [7])
    t.equal(open.transactionCount(), 1)
    t.equal(await reader.read((state) => state.transactionCount()), 0)
    return 'done'
  })
  t.equal(result, 'done')
  t.same(await reader.read((state) => state.transactionsOf([7])), [transactionRow(7, 1)])
  const after = await reader.read((state) => state.version())
  t.same(writer.version(), after)
  t.equal(after.sequence, 3)
  for (const write of [giveUp, addToNone]) {
    await t.rejects(writer.atomically(write), /mine|foreign key/)
    t.same(await reader.read((state) => state.version()), after)
    t.same(writer.version(), after)
  }
  t.equal(await writer.atomically(async (open) => open.largestTransactionId()), 7)
})

/** Fails while a COPY goes on, which is refused: its own fault is told. */
async function giveUp(open: OpenWorkspace): Promise<void> {
  open.addTransactions([{ row: transactionRow(8, 9), identity: null }])
  throw new RangeError('mine')
}

async function addToNone(open: OpenWorkspace): Promise<void> {
  open.addTransactions([{ row: transactionRow(8, 9), identity: null }])
}

test('many rows are added at once, and read in parts', async (t) => {
  const { writer, reader, admin } = await begun(t)
  const count = 12_000
  const added = Array.from({ length: count }, (_, i) => ({
    row: { ...transactionRow(1, 1 + (i % 2)), id: null, bookedAt: FIRST_DAY_MS, purpose: `${i}` },
    identity: Buffer.from(String(i).padStart(16)),
  }))
  const ids = await writer.atomically(async (open) => open.addTransactions(added))
  t.same(
    ids,
    Array.from(added.keys(), (i) => i + 1),
  )
  const [row] = await reader.read((state) => state.transactionsOf([count]))
  t.match(row, { purpose: `${count - 1}`, accountId: 2 })
  await admin.query('UPDATE kontor.workspaces SET earlier_rows_last = 11000')
  const earlier = await writer.atomically(async (open) => {
    const [first, second] = [open.earlierRows(1), [...open.earlierRows(2)]]
    return [...first, ...second].map(({ id }) => id)
  })
  const odd = Array.from({ length: 5_500 }, (_, i) => 2 * i + 1)
  t.same(earlier, [...odd, ...odd.map((id) => id + 1)])
})

test('many rows are updated at once, before the next query', async (t) => {
  const { writer, reader } = await begun(t)
  const rows = Array.from({ length: 2_500 }, (_, i) => transactionRow(i + 1, 1))
  await writer.atomically(async (open) => {
    open.addTransactions(rows.map((row) => ({ row, identity: null })))
    for (const row of rows) open.updateTransaction({ ...row, purpose: 'first' })
    open.updateTransaction(transactionRow(2_500, 2))
    t.match(open.transactionsOf([1, 2_500]), [{ purpose: 'first' }, { accountId: 2 }])
    open.updateTransaction(transactionRow(1, 2))
    open.deleteTransaction(1)
    open.updateTransaction(transactionRow(2, 2))
  })
  const changed = await reader.read((state) => state.transactionsOf([1, 2, 3]))
  t.match(changed, [{ accountId: 2 }, { purpose: 'first' }])
  t.equal(writer.version().sequence, 2 + 2_500 + 2_500 + 4)
})

test('a deleted workspace stays deleted', async (t) => {
  const { url, admin, writer } = await begun(t)
  await t.rejects(PostgresWriter.open(url, 7), {
    name: 'StoreError',
    message: /: there is no workspace with the number 7$/,
  })
  let deletion: Promise<unknown> | undefined
  await writer.atomically(async (open) => {
    deletion = admin.query('DELETE FROM kontor.workspaces')
    open.insertAccount(accountRow(3))
  })
  await deletion
  const refused = writer.atomically(async () => t.fail('there is nothing to write to'))
  await t.rejects(refused, { name: 'StoreError', message: /: the workspace 1 was deleted$/ })
  t.same(await admin.query('SELECT FROM kontor.accounts'), [])
  t.same(await logOf(admin, 1), [])
})

/** Writes whose refusal has the same words in both engines. */
const REFUSED_ALIKE: readonly (readonly [
  words: RegExp,
  write: (open: OpenWorkspace) => unknown,
])[] = [
  [
    /: no ids are left: a row already has the largest possible id$/,
    (open) => {
      const rows = [Number.MAX_SAFE_INTEGER, null].map((id) => ({ ...transactionRow(1, 1), id }))
      open.addTransactions(rows.map((row) => ({ row, identity: null })))
      open.transactionCount()
    },
  ],
  [
    /: no ids are left: a row already has the largest possible id$/,
    (open) => {
      open.insertAccount(accountRow(Number.MAX_SAFE_INTEGER))
      open.insertAccount({ ...accountRow(1), id: null })
    },
  ],
  [
    /: this id of transactions was deleted; ids are never used again$/,
    (open) => {
      for (const id of [1, 2]) {
        open.addTransactions([{ row: transactionRow(id, 1), identity: null }])
      }
      open.deleteTransaction(1)
      open.addTransactions([{ row: transactionRow(1, 1), identity: null }])
      open.transactionCount()
    },
  ],
  [/./, (open) => open.updateAccount(accountRow(1, { currency: 'euro' }))],
  [/./, (open) => open.updateAccount(accountRow(1, { balanceUnscaled: 1.5, balanceScale: 1 }))],
  [/./, (open) => addOne(open, { amountUnscaled: 1_000_000_000_000_000 })],
  [/./, (open) => addOne(open, { amountUnscaled: 1.5 })],
  [/./, (open) => addOne(open, { amountScale: 6 })],
  [/./, (open) => addOne(open, { bookedAt: 253_402_300_800_000 })],
]

function addOne(open: OpenWorkspace, known: Parameters<typeof transactionRow>[2]): void {
  open.addTransactions([{ row: transactionRow(1, 1, known), identity: null }])
  open.transactionCount()
}

test('what SQLite refuses is refused, in its words where they are promised', async (t) => {
  const { writer, reader } = await begun(t)
  const file = WorkspaceFile.open(join(t.testdir(), 'a.db'))
  for (const id of [1, 2]) file.insertAccount(accountRow(id))
  for (const [words, write] of REFUSED_ALIKE) {
    for (const one of [file, writer]) {
      const error = await errorOf(one.atomically(async (open) => write(open)))
      t.ok(error instanceof StoreError, String(error))
      t.match(error, { message: words })
    }
  }
  file.close()
  const nul = transactionRow(1, 1, { purpose: 'a\0b' })
  for (const write of [
    async (open: OpenWorkspace) => addOne(open, nul),
    async (open: OpenWorkspace) => open.updateTransaction(nul),
  ]) {
    const message = /a text has the character U\+0000/
    await t.rejects(writer.atomically(write), { name: 'StoreError', message })
  }
  t.equal((await reader.read((state) => state.version())).sequence, 2)
})

test('changes are trimmed', async (t) => {
  const { admin, writer } = await begun(t)
  await admin.query(`INSERT INTO kontor.changes
    SELECT 1, n, 1, 'account', n, 'update' FROM generate_series(3, ${CHANGES_KEPT_MAX + 10}) AS n`)
  await writer.atomically(async (open) => open.insertAccount(accountRow(3)))
  t.same(await admin.query('SELECT min(sequence), max(sequence) FROM kontor.changes'), [
    { min: 12, max: CHANGES_KEPT_MAX + 11 },
  ])
  t.equal(writer.version().sequence, CHANGES_KEPT_MAX + 11)
})

test('a write that changes no resource is logged, and none is not', async (t) => {
  const { admin, writer, reader } = await begun(t)
  const known = await reader.read(async (state) => ({
    version: await state.version(),
    seal: await state.seal(),
  }))
  const entry = Buffer.alloc(16, 1)
  const kept = ['old', 'new'].map((details) => ({
    ...{ accountId: 1, entry, identities: [Buffer.alloc(16)], details },
  }))
  await writer.atomically(async (open) => open.keepEntries(kept))
  t.same(await logLines(admin, 1, 2), ['update account 0'])
  const written = await reader.read((state) => state.writtenSince(known, 10))
  assert(written.kind === 'written')
  t.same([...written.ids], [])
  await writer.atomically(async (open) => {
    t.equal(open.entriesOf(1, [entry]).get(entry.toString('latin1'))?.details, 'new', 'the last')
    open.keepEntries(kept.slice(1))
  })
  t.equal(writer.version().sequence, 3)
})

test('the server notices a vanished writer, and tolerates an idle one', async (t) => {
  const { admin, writer } = await begun(t)
  await admin.query(`CREATE TABLE public.seen AS SELECT name, reset_val AS value FROM pg_settings;
    CREATE FUNCTION public.see() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
      DELETE FROM public.seen;
      INSERT INTO public.seen SELECT name, reset_val FROM pg_settings;
      UPDATE public.seen SET value = current_setting(name)
        WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_isolation');
      RETURN NULL;
    END $$;
    CREATE TRIGGER seeing AFTER INSERT ON kontor.accounts EXECUTE FUNCTION public.see()`)
  await writer.atomically(async (open) => open.insertAccount(accountRow(3)))
  for (const [name, value] of [
    ['tcp_keepalives_idle', '5'],
    ['tcp_keepalives_interval', '1'],
    ['tcp_keepalives_count', '5'],
    ['tcp_user_timeout', '10000'],
    ['client_connection_check_interval', '5000'],
    ['lock_timeout', '5000'],
    ['idle_in_transaction_session_timeout', '10min'],
    ['transaction_isolation', 'read committed'],
  ] as const) {
    const [seen] = await admin.query('SELECT value FROM public.seen WHERE name = $1', [name])
    t.same(seen, { value }, name)
  }
})

test('a lost answer to COMMIT is an error of its own', async (t) => {
  const { admin, writer } = await begun(t)
  await admin.query(`CREATE FUNCTION public.end_at_commit() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER ending AFTER INSERT ON kontor.accounts
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.end_at_commit()`)
  const before = writer.version()
  const lost = await errorOf(writer.atomically(async (open) => open.insertAccount(accountRow(3))))
  t.ok(lost instanceof LostCommitError)
  t.match(lost, { message: /^postgres:\/\/.*: .* the change may or may not have been made/ })
  t.same(writer.version(), before)
})
