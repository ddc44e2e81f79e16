import { test } from 'tap'
import { CheckpointPool } from '../../src/threads/checkpoint-pool.js'
import { newControlFile, someIntegration } from '../fixtures/control.js'

test('a thread checkpoints the WAL, and reports why it cannot', async (t) => {
  const control = newControlFile(t)
  await someIntegration(control)
  const pool = new CheckpointPool()
  t.match(await pool.checkpoint(control.path, 1_000), { checkpointedCount: 0 })
  const { pageCount, checkpointedCount } = await pool.checkpoint(control.path)
  t.ok(pageCount > 0)
  t.equal(checkpointedCount, pageCount)
  await t.rejects(pool.checkpoint(`${control.path}x`), /there is no such file/)
  await pool.close()
})
