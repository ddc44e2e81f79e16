import { closeSync, existsSync, openSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { pathsOpenForWriting } from '../../src/inbox/open-files.js'

test('only files that a process has open for writing are found', async (t) => {
  const folder = realpathSync(t.testdir({ read: 'x', idle: 'x' }))
  const write = join(folder, 'write')
  const descriptors = [openSync(write, 'w'), openSync(join(folder, 'read'), 'r')]
  t.teardown(() => descriptors.forEach(closeSync))
  t.same([...(await pathsOpenForWriting(folder))], existsSync('/proc/self/fd') ? [write] : [])
})

test('no files are found without /proc', async (t) => {
  const folder = t.testdir()
  t.same([...(await pathsOpenForWriting(folder, join(folder, 'none')))], [])
})

test('processes of other users are skipped', async (t) => {
  const proc = t.testdir({ '17': { fd: {} }, self: {}, '18': {} })
  writeFileSync(join(proc, 'uptime'), '1')
  t.same([...(await pathsOpenForWriting('/', proc))], [])
})
