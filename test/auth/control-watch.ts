import { test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { ControlWatch, CREDENTIAL_TRUST_MS } from '../../src/auth/control-watch.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { listen, NOW_MS, newControl, openControl, WIDE_KEY } from '../fixtures/control.js'

async function write(control: ControlStore): Promise<void> {
  await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
}

test('the data version is read at most once per trust interval', async (t) => {
  const control = await newControl(t)
  const other = await openControl(t)
  let ticks = 0
  const watch = new ControlWatch(control, () => ticks)
  const first = watch.generation()
  await write(other)
  await listen(control)
  ticks += CREDENTIAL_TRUST_MS / 2
  t.equal(watch.generation(), first, 'still trusted')
  ticks += CREDENTIAL_TRUST_MS / 2
  const second = watch.generation()
  t.ok(second > first, 'read again')
  ticks += CREDENTIAL_TRUST_MS
  t.equal(watch.generation(), second, 'no other process has written')
})

test('a write of this process is visible at once', async (t) => {
  const control = await newControl(t)
  const watch = new ControlWatch(control, () => 0)
  const first = watch.generation()
  t.equal(watch.generation(), first)
  await write(control)
  t.ok(watch.generation() > first)
})
