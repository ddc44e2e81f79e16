// A workspace that cannot be read now is served as it was, and read later.
import { test } from 'tap'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import type { Change } from '../fixtures/changes.js'
import { idle, sampleRig, UNLOGGED, UpdaterRig } from '../fixtures/updater-rig.js'

const UPDATE: Change = { name: 'update the amount', a: 7, b: 3 }

test('a lock is not awaited; a later poll reads what it held back', async (t) => {
  const rig = await sampleRig(t)
  // Without a WAL a writer locks readers out.
  rig.file.close()
  rig.writer.pragma('journal_mode = DELETE')
  const file = WorkspaceFile.openForReading(rig.path)
  t.teardown(() => file.close())
  const open = new UpdaterRig(rig.path, file, rig.writer)
  open.remember()
  const updater = await open.live()
  const { snapshot } = updater
  open.tasks.holdUp('follow')
  open.write(UPDATE)
  updater.poll()
  open.writer.exec('BEGIN EXCLUSIVE')
  open.tasks.release()
  await idle()
  open.nowMs += 1_000
  updater.poll()
  await idle()
  t.ok(open.tasks.countOf('follow') >= 2, 'polled again')
  t.equal(updater.snapshot, snapshot)
  open.writer.exec('ROLLBACK')
  open.nowMs += 1_000
  await open.settle(updater)
  t.notOk(open.tasks.asked.includes('reload'))
  updater.close()
})

for (const name of ['follow', 'reload'] as const) {
  test(`a busy workspace is read later, and served meanwhile: ${name}`, async (t) => {
    const rig = await sampleRig(t)
    const updater = await rig.live()
    const { snapshot } = updater
    rig.tasks.busyReason = 'the server does not answer'
    if (name === 'follow') rig.write(UPDATE)
    else {
      rig.writer.exec(UNLOGGED)
      rig.remember()
    }
    const pollFor = async (ms: number): Promise<void> => {
      for (const endMs = rig.nowMs + ms; rig.nowMs < endMs; rig.nowMs += 100) {
        updater.poll()
        await idle()
      }
    }
    await pollFor(1_900)
    t.strictSame(rig.behind, [], 'not reported at first')
    t.notOk(updater.isBehind)
    await pollFor(58_100)
    t.strictSame(rig.behind, ['the server does not answer'], 'reported once')
    t.ok(updater.isBehind)
    const attemptCount = rig.tasks.countOf(name)
    t.ok(attemptCount > 40 && attemptCount < 70, `${attemptCount} attempts in a minute`)
    t.equal(updater.snapshot, snapshot)
    rig.tasks.busyReason = undefined
    await pollFor(2_000)
    await rig.settle(updater)
    t.not(updater.snapshot, snapshot)
    t.strictSame(rig.made, name === 'reload' ? ['reloaded'] : [])
    t.strictSame(rig.reloadReasons, name === 'reload' ? ['unlogged'] : [], 'counted once')
    t.equal(rig.caughtUpMs.length, 1)
    t.ok((rig.caughtUpMs[0] ?? 0) >= 60_000, 'from the first attempt on')
    t.notOk(updater.isBehind)
    t.strictSame(rig.lost, [])
    updater.close()
  })
}
