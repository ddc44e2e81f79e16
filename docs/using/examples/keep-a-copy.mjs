// Keeps a SQLite copy of the transactions of a kontor workspace in step, until it is stopped.
//
//   npm install better-sqlite3
//   KONTOR_KEY=sk-… node keep-a-copy.mjs copy.db          follows for good
//   KONTOR_KEY=sk-… node keep-a-copy.mjs copy.db --once   ends when the copy is complete
//
// KONTOR_URL and KONTOR_WORKSPACE name another service or workspace than the demo.
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'

const { KONTOR_URL = 'http://127.0.0.1:8080', KONTOR_WORKSPACE = 'demo', KONTOR_KEY } = process.env
const [path = 'copy.db', mode] = process.argv.slice(2)
const changesUrl = `${KONTOR_URL}/v1/${KONTOR_WORKSPACE}/transactions/changes`

const db = new Database(path)
db.exec(`
  CREATE TABLE IF NOT EXISTS transactions (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    amount NUMERIC NOT NULL,
    currency TEXT NOT NULL,
    booking_date TEXT,
    json TEXT NOT NULL,
    round INTEGER NOT NULL  -- the copy that has last seen the row
  );
  CREATE TABLE IF NOT EXISTS progress (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    cursor TEXT,            -- NULL = start from the beginning
    round INTEGER NOT NULL,
    is_copying INTEGER NOT NULL
  );
  INSERT OR IGNORE INTO progress VALUES (1, NULL, 1, 1)`)
const progress = db.prepare('SELECT cursor, round, is_copying AS isCopying FROM progress')
const upsert = db.prepare(`INSERT OR REPLACE INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?)`)
const remove = db.prepare('DELETE FROM transactions WHERE id = ?')
const removeUnseen = db.prepare('DELETE FROM transactions WHERE round < ?')
const keepCursor = db.prepare('UPDATE progress SET cursor = ?, is_copying = ?')
const startAgain = db.prepare(
  'UPDATE progress SET cursor = NULL, round = round + 1, is_copying = 1',
)

/** Rows and cursor change in one transaction: a crash repeats a page, and skips none. */
const apply = db.transaction(({ changes, cursor, hasMore }, { round, isCopying }) => {
  for (const change of changes) {
    if (change.kind === 'delete') remove.run(change.id)
    else {
      const { id, accountId, amount, currency, bookingDate = null } = change.transaction
      const json = JSON.stringify(change.transaction)
      upsert.run(id, accountId, amount, currency, bookingDate, json, round)
    }
  }
  // At the end of another copy: it has not seen the rows that have gone since the one before.
  if (isCopying && !hasMore) removeUnseen.run(round)
  keepCursor.run(cursor, isCopying && hasMore ? 1 : 0)
})

/** The next page, or undefined when the copy has to start again. */
async function nextPage(cursor) {
  const query = new URLSearchParams({ limit: '250' })
  if (cursor !== null) query.set('since', cursor)
  if (mode !== '--once') query.set('wait', '30')
  const reply = await fetch(`${changesUrl}?${query}`, {
    headers: { Authorization: `Bearer ${KONTOR_KEY}` },
    signal: AbortSignal.timeout(60_000),
  })
  const body = await reply.json()
  if (reply.ok) return body
  if (body.error === 'cursor_expired') return undefined
  const retryAfter = reply.headers.get('retry-after')
  throw Object.assign(new Error(body.message), { retryAfter, isFinal: retryAfter === null })
}

for (;;) {
  const state = progress.get()
  try {
    const page = await nextPage(state.cursor)
    if (page === undefined) startAgain.run()
    else {
      apply(page, state)
      if (!page.hasMore && mode === '--once') break
    }
  } catch (error) {
    // A wrong key or parameter does not get better; a busy service or a lost connection does.
    if (error.isFinal || mode === '--once') throw error
    console.error(`${error.message}; trying again`)
    await pause(1_000 * Number(error.retryAfter ?? 5))
  }
}
