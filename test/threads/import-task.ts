import { appendFileSync, copyFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { stampOf } from '../../src/threads/import-task.js'

test('a stamp survives a renaming and changes when the file is written or replaced', async (t) => {
  const folder = t.testdir({ 'a.xml': '<a/>' })
  const stamp = (name: string): string => stampOf(statSync(join(folder, name), { bigint: true }))
  const first = stamp('a.xml')
  t.equal(stamp('a.xml'), first)
  renameSync(join(folder, 'a.xml'), join(folder, 'b.xml'))
  t.equal(stamp('b.xml'), first)
  copyFileSync(join(folder, 'b.xml'), join(folder, 'c.xml'))
  t.not(stamp('c.xml'), first, 'a copy')
  appendFileSync(join(folder, 'b.xml'), ' ')
  t.not(stamp('b.xml'), first, 'written')
})
