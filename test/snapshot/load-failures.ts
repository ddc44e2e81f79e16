import { test } from 'tap'
import { LOAD_RETRY_MS, LOAD_RETRY_MS_MAX, LoadFailures } from '../../src/snapshot/load-failures.js'

const DAMAGED = new Error('damaged')

test('the pause after a failure doubles up to a minute', async (t) => {
  let nowMs = 0
  const failures = new LoadFailures(() => nowMs)
  t.equal(failures.recent('w'), undefined)
  const pauses: number[] = []
  for (let i = 0; i < 6; i++) {
    failures.add('w', DAMAGED, 0)
    const startedMs = nowMs
    while (failures.recent('w') === DAMAGED) nowMs += 500
    pauses.push(nowMs - startedMs)
  }
  t.same(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  t.equal(pauses.at(-1), LOAD_RETRY_MS_MAX)
})

test('after a success the next failure is a first one', async (t) => {
  let nowMs = 0
  const failures = new LoadFailures(() => nowMs)
  failures.add('w', DAMAGED, 300)
  failures.add('w', DAMAGED, 300)
  failures.delete('w')
  t.same([failures.count, failures.bytesPerRow('w')], [0, 0])
  failures.add('w', DAMAGED, 0)
  nowMs += LOAD_RETRY_MS
  t.equal(failures.recent('w'), undefined)
})

test('failures are counted, and forgotten when nobody has tried for minutes', async (t) => {
  let nowMs = 0
  const failures = new LoadFailures(() => nowMs)
  for (const id of ['u', 'v', 'w']) failures.add(id, DAMAGED, 0)
  nowMs += LOAD_RETRY_MS_MAX
  failures.add('w', DAMAGED, 700)
  t.same([failures.count, failures.bytesPerRow('w')], [3, 700])
  nowMs += 120_000
  t.same([failures.count, failures.bytesPerRow('u'), failures.bytesPerRow('w')], [1, 0, 700])
})

test('a pause can be ended, and the next failure is a first one', async (t) => {
  const failures = new LoadFailures(() => 0)
  for (let i = 0; i < 3; i++) failures.add('w', DAMAGED, 700)
  t.equal(failures.recent('w'), DAMAGED)
  failures.endPauses()
  t.equal(failures.recent('w'), undefined)
  t.same([failures.count, failures.bytesPerRow('w')], [1, 700], 'what is known of it stays')
  failures.add('w', DAMAGED, 0)
  t.equal(failures.recent('w'), DAMAGED)
})
