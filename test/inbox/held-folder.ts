import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { causeOf, HeldFolder } from '../../src/inbox/held-folder.js'

test('a held folder stays the same when another one replaces it', async (t) => {
  const path = t.testdir({ a: { x: 'mine' }, b: { x: 'other' } })
  const root = await HeldFolder.open(path)
  const a = await root.folder('a')
  renameSync(join(path, 'a'), join(path, 'away'))
  symlinkSync(join(path, 'b'), join(path, 'a'))
  if (existsSync('/proc/self/fd')) t.equal(readFileSync(a.at('x'), 'utf8'), 'mine')
  await t.rejects(root.folder('a'), 'a link is no folder')
  await t.rejects(root.madeFolder('a'), 'nor one that is made')
  t.ok(await root.has('a'))
  t.notOk(await root.has('none'))
  await a.close()
  await root.close()
})

test('a created folder has the permissions of its parent', async (t) => {
  const path = join(t.testdir(), 'root')
  mkdirSync(path, { mode: 0o750 })
  const root = await HeldFolder.open(path)
  const made = await root.madeFolder('x')
  t.equal(made.path, join(root.path, 'x'))
  t.equal(statSync(join(path, 'x')).mode & 0o777, 0o750, 'whatever the umask')
  await (await root.madeFolder('x')).close()
  await made.close()
  await root.close()
})

test('errors of the file system end a sentence', async (t) => {
  t.equal(causeOf(Object.assign(new Error('x'), { code: 'EACCES' })), 'permission denied')
  t.equal(causeOf(Object.assign(new Error('x'), { code: 'EIO' })), 'EIO')
  t.equal(causeOf(new Error('x')), 'an unknown error')
})
