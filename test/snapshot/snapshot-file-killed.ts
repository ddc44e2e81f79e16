// A process that writes a snapshot file is killed, repeatedly in the middle and once at each of its
// calls to the file system: the file found afterwards is complete.
import { strict as assert } from 'node:assert'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import { readSnapshotFile, writeSnapshotFile } from '../../src/snapshot/snapshot-file.js'
import { killedAtCall, spawnNode } from '../fixtures/child-process.js'

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

/** Arrays of several kinds and lengths, which hold the tag everywhere. */
function taggedArrays(tag: number): { readonly bytes: Uint8Array; readonly doubles: Float64Array } {
  const bytes = new Uint8Array(new SharedArrayBuffer(1_001)).fill(tag)
  const doubles = new Float64Array(new SharedArrayBuffer(800)).fill(tag)
  return { bytes, doubles }
}

/** Writes one file, and is killed at this call. @returns the exit code, or the signal */
async function writeKilledAt(path: string, call: number, tag: number): Promise<number | string> {
  const script = `
    const { writeSnapshotFile } = await import(${JSON.stringify(CACHED)})
    const value = (${taggedArrays})(${tag})
    writeSnapshotFile(${JSON.stringify(path)}, { layout: '${LAYOUT}', tag: ${tag}, value })`
  const { words, environment } = killedAtCall(call)
  const child = spawnNode([...words, '--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const [code, signal] = await once(child, 'close')
  return code ?? signal
}

function tagOf(path: string): number {
  const read = readSnapshotFile(path, LAYOUT, () => true)
  assert.equal(read.kind, 'read')
  assert(read.kind === 'read')
  const tag = Number(read.tag)
  assert.deepEqual(read.value, taggedArrays(tag))
  return tag
}

test('a write killed at any of its calls leaves the old file or the new one', async (t) => {
  const path = join(t.testdir(), 'a.frozen')
  writeSnapshotFile(path, { layout: LAYOUT, tag: 0, value: taggedArrays(0) })
  const seen = { old: 0, new: 0 }
  let tag = 0
  for (let call = 1; ; call++) {
    const ended = await writeKilledAt(path, call, call)
    const found = tagOf(path)
    if (ended !== 'SIGKILL') {
      t.equal(ended, 0)
      t.equal(found, call)
      break
    }
    // Once the new file has its name, it stays.
    if (found === call) seen.new += 1
    else if (found === tag) seen.old += 1
    else t.fail(`call ${call} left the file of call ${found}`)
    tag = found
  }
  t.ok(seen.old > 5 && seen.new > 0, JSON.stringify(seen))
  t.same(readdirSync(dirname(path)), ['a.frozen'])
})
