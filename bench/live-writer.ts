// Writes to a workspace file at a steady rate until SIGTERM, then prints {"changeCount"}.
//   node live-writer.js FILE CHANGES_PER_COMMIT COMMITS_PER_SECOND SEED
// Four changes in five are updates, the rest alternate between inserts and deletes, so that the
// file keeps its size.

import { randomOf } from '../src/demo/random.js'
import { Database } from '../src/store/sqlite/sqlite-driver.js'

const [path = '', perCommit = '', perSecond = '', seed = ''] = process.argv.slice(2)
const changesPerCommit = Number(perCommit)
const intervalMs = 1_000 / Number(perSecond)
const random = randomOf(Number(seed))
const connection = new Database(path, { timeout: 5_000 })
connection.pragma('synchronous = NORMAL')
const columns = (connection.pragma('table_info(transactions)') as { name: string }[])
  .map(({ name }) => name)
  .filter((name) => name !== 'id' && name !== 'identity')
  .join(', ')
const largest = connection.prepare('SELECT max(id) FROM transactions').pluck()
const update = connection.prepare('UPDATE transactions SET amount_unscaled = ? WHERE id = ?')
const insert = connection.prepare(
  `INSERT INTO transactions (${columns}) SELECT ${columns} FROM transactions WHERE id = ?`,
)
const remove = connection.prepare(
  'DELETE FROM transactions WHERE id = (SELECT min(id) FROM transactions WHERE id >= ?)',
)
const idCount = Number(largest.get())

let changeCount = 0
const startedMs = performance.now()
const commit = connection.transaction(() => {
  for (let i = 0; i < changesPerCommit; i++) {
    const id = 1 + random.below(idCount)
    if (changeCount % 10 === 0) insert.run(id)
    else if (changeCount % 10 === 5) remove.run(id)
    else update.run(random.below(1_000_000) - 500_000, id)
    changeCount += 1
  }
})
// Late commits are caught up with, to keep the requested rate.
const timer = setInterval(() => {
  const dueMs = performance.now() - startedMs
  while ((changeCount / changesPerCommit) * intervalMs < dueMs) commit.immediate()
}, intervalMs)
process.once('SIGTERM', () => {
  clearInterval(timer)
  connection.close()
  process.stdout.write(`${JSON.stringify({ changeCount })}\n`)
})
process.stdout.write(`${JSON.stringify({ url: 'http://127.0.0.1:0' })}\n`)
