import { test } from 'tap'
import { ControlLogPool } from '../../src/snapshot/control-log-pool.js'
import { newControl, someIntegration } from '../fixtures/control.js'

test('a thread moves the log, and tells why it cannot', async (t) => {
  const control = newControl(t)
  someIntegration(control)
  const pool = new ControlLogPool()
  t.match(await pool.move(control.path, 1_000), { movedCount: 0 })
  const { pageCount, movedCount } = await pool.move(control.path)
  t.ok(pageCount > 0)
  t.equal(movedCount, pageCount)
  await t.rejects(pool.move(`${control.path}x`), /there is no such file/)
  await pool.close()
})
