// A process that freezes over and over is killed in the middle: what is found afterwards is whole.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import { freeze, thaw } from '../../src/snapshot/frozen.js'
import { spawnNode } from '../fixtures/child-process.js'

const LAYOUT = '0'.repeat(32)
const FROZEN = new URL('../../src/snapshot/frozen.js', import.meta.url).href

/** Freezes rounds whose array holds their number everywhere, until it is killed. */
function freezingProcess(path: string): ChildProcess {
  const script = `
    const { freeze } = await import(${JSON.stringify(FROZEN)})
    const value = new Uint8Array(new SharedArrayBuffer(20_000_001))
    for (let round = 1; ; round = (round + 1) % 250) {
      value.fill(round)
      freeze(${JSON.stringify(path)}, { layout: '${LAYOUT}', tag: round, value })
    }`
  return spawnNode(['--input-type=module', '-e', script], { stdio: 'ignore' })
}

function isWhole(path: string): boolean {
  const thawed = thaw(path, LAYOUT, () => true)
  if (thawed.kind !== 'thawed') return false
  const bytes = thawed.value as Uint8Array
  return bytes.length === 20_000_001 && bytes.every((byte) => byte === thawed.tag)
}

test('a killed freeze leaves the old file or the new one', async (t) => {
  const path = join(t.testdir(), 'a.frozen')
  const parts = (): string[] => readdirSync(dirname(path)).filter((name) => name.endsWith('.part'))
  freeze(path, { layout: LAYOUT, tag: 0, value: new Uint8Array(new SharedArrayBuffer(20_000_001)) })
  t.ok(isWhole(path))
  let leftCount = 0
  for (let kills = 0; kills < 30 && leftCount < 5; kills++) {
    const before = parts()
    const child = freezingProcess(path)
    const closed = once(child, 'close')
    const isWriting = (): boolean => parts().some((name) => !before.includes(name))
    while (!isWriting()) {
      if (child.exitCode !== null) throw new Error('the freezing process ended by itself')
      await pause(1)
    }
    child.kill('SIGKILL')
    await closed
    t.ok(parts().length <= 1, 'what the one before left is gone')
    leftCount += parts().length
    t.ok(isWhole(path))
  }
  t.ok(leftCount >= 3, `${leftCount} were killed in the middle`)
  freeze(path, { layout: LAYOUT, tag: 1, value: 1 })
  t.same(parts(), [])
})
