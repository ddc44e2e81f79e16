// A process that writes a snapshot file repeatedly is killed in the middle: the file found
// afterwards is complete.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import { readSnapshotFile, writeSnapshotFile } from '../../src/snapshot/snapshot-file.js'
import { spawnNode } from '../fixtures/child-process.js'

const LAYOUT = '0'.repeat(32)
const CACHED = new URL('../../src/snapshot/snapshot-file.js', import.meta.url).href

/** Writes caches whose array holds the number of the round everywhere, until it is killed. */
function writingProcess(path: string): ChildProcess {
  const script = `
    const { writeSnapshotFile } = await import(${JSON.stringify(CACHED)})
    const value = new Uint8Array(new SharedArrayBuffer(20_000_001))
    for (let round = 1; ; round = (round + 1) % 250) {
      value.fill(round)
      writeSnapshotFile(${JSON.stringify(path)}, { layout: '${LAYOUT}', tag: round, value })
    }`
  return spawnNode(['--input-type=module', '-e', script], { stdio: 'ignore' })
}

function isWhole(path: string): boolean {
  const read = readSnapshotFile(path, LAYOUT, () => true)
  if (read.kind !== 'read') return false
  const bytes = read.value as Uint8Array
  return bytes.length === 20_000_001 && bytes.every((byte) => byte === read.tag)
}

test('a killed write leaves the old file or the new one', async (t) => {
  const path = join(t.testdir(), 'a.frozen')
  const parts = (): string[] => readdirSync(dirname(path)).filter((name) => name.endsWith('.part'))
  writeSnapshotFile(path, {
    layout: LAYOUT,
    tag: 0,
    value: new Uint8Array(new SharedArrayBuffer(20_000_001)),
  })
  t.ok(isWhole(path))
  let leftCount = 0
  for (let kills = 0; kills < 30 && leftCount < 5; kills++) {
    const before = parts()
    const child = writingProcess(path)
    const closed = once(child, 'close')
    const isWriting = (): boolean => parts().some((name) => !before.includes(name))
    while (!isWriting()) {
      if (child.exitCode !== null) throw new Error('the writing process ended by itself')
      await pause(1)
    }
    child.kill('SIGKILL')
    await closed
    t.ok(parts().length <= 1, 'leftovers of the previous write are deleted')
    leftCount += parts().length
    t.ok(isWhole(path))
  }
  t.ok(leftCount >= 3, `${leftCount} kills hit a write`)
  writeSnapshotFile(path, { layout: LAYOUT, tag: 1, value: 1 })
  t.same(parts(), [])
})
