import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'tap'
import { ImportDeadline } from '../../src/cli/import-deadline.js'

const LATE = {
  name: 'CommandError',
  kind: 'late',
  message: 'the import took longer than 1h; allow more with --timeout 2h',
} as const

test('the deadline expires at its time', async (t) => {
  let now = 5
  const deadline = new ImportDeadline(3_600_000, () => now)
  t.teardown(() => deadline.end())
  deadline.check()
  now = 3_600_004
  deadline.check()
  now = 3_600_005
  t.throws(() => deadline.check(), LATE)
})

test('chunks pass through, and their source is released', async (t) => {
  let isLetGo = false
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield Uint8Array.of(1)
      yield Uint8Array.of(2)
    } finally {
      isLetGo = true
    }
  }
  const deadline = new ImportDeadline(3_600_000, () => 0)
  t.teardown(() => deadline.end())
  for await (const chunk of deadline.through(source())) {
    t.same(chunk, Uint8Array.of(1))
    break
  }
  t.ok(isLetGo)
  const all: number[] = []
  for await (const chunk of deadline.through(source())) all.push(...chunk)
  t.same(all, [1, 2])
})

test('a source without data is not awaited past the deadline', async (t) => {
  async function* silent(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1)
    await new Promise(() => undefined)
  }
  const deadline = new ImportDeadline(1_000, () => 0)
  const chunks = deadline.through(silent())
  t.same((await chunks.next()).value, Uint8Array.of(1))
  await t.rejects(chunks.next(), { kind: 'late', message: /longer than 1s; .* --timeout 2s$/ })
})

test('chunks that were read are not kept until the deadline', async (t) => {
  const chunks: WeakRef<Uint8Array>[] = []
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 100; i += 1) {
      const chunk = new Uint8Array(65_536)
      chunks.push(new WeakRef(chunk))
      yield chunk
    }
  }
  const deadline = new ImportDeadline(3_600_000, () => 0)
  t.teardown(() => deadline.end())
  let byteCount = 0
  for await (const chunk of deadline.through(source())) byteCount += chunk.length
  t.equal(byteCount, 100 * 65_536)
  await setImmediate()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  t.ok(chunks.filter((chunk) => chunk.deref() !== undefined).length <= 1)
})
