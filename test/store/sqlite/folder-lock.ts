import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { lockByFile } from '../../../src/store/sqlite/folder-lock.js'
import { spawnNode } from '../../fixtures/child-process.js'

const LOCK = new URL('../../../src/store/sqlite/folder-lock.js', import.meta.url).href

test('the lock has one holder at a time', async (t) => {
  const path = join(t.testdir(), '.lock')
  const lock = lockByFile(path)
  t.ok(lock)
  t.equal(lockByFile(path), undefined)
  lock?.release()
  const next = lockByFile(path)
  t.ok(next)
  next?.release()
  t.same(readdirSync(t.testdirName), ['.lock'])
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.throws(() => lockByFile(join(t.testdirName, 'no', '.lock')), { code: 'ENOENT' })
})

test('the lock of a killed process is free', async (t) => {
  const path = join(t.testdir(), '.lock')
  const script = `const { lockByFile } = await import(${JSON.stringify(LOCK)})
    process.stdout.write(String(lockByFile(${JSON.stringify(path)}) !== undefined))
    setInterval(() => undefined, 1000)`
  const child = spawnNode(['--input-type=module', '-e', script])
  const gone = once(child, 'close')
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  t.equal(said.toString(), 'true')
  t.equal(lockByFile(path), undefined, 'held by the other process')
  child.kill('SIGKILL')
  await gone
  const lock = lockByFile(path)
  t.ok(lock)
  lock?.release()
})
