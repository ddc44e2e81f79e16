import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import {
  completePartial,
  makePartial,
  removePartials,
  rotate,
  wholeBackups,
} from '../../src/backup/backup-folder.js'

const MANIFEST = '{"format":1,"kontor":"1","createdAt":"","files":[],"missing":[]}'

function addBackup(folder: string, at: number): string {
  const partial = makePartial(folder)
  writeFileSync(join(partial, 'manifest.json'), MANIFEST)
  return completePartial(folder, partial, at)
}

test('backups have unique names after their time, and are listed newest first', async (t) => {
  const folder = t.testdir()
  for (const at of [1_000, 0, 1_000]) addBackup(folder, at)
  t.same(
    wholeBackups(folder).map(({ name }) => name),
    ['1970-01-01T00-00-01-001Z', '1970-01-01T00-00-01-000Z', '1970-01-01T00-00-00-000Z'],
  )
})

test('rotation keeps the newest backups and all foreign files', async (t) => {
  const folder = t.testdir({
    photos: { 'a.jpg': '' },
    '2020-01-01': {},
    '2020-01-01T00-00-00-000Z': { 'notes.txt': 'named alike' },
    '2020-01-01T00-00-00-001Z': { 'manifest.json': 'of another program' },
    '2020-01-01T00-00-00-002Z': 'a file',
  })
  const foreign = readdirSync(folder).sort()
  for (const at of [1, 2, 3, 4]) addBackup(folder, at)
  // The clock was set back: the newest backup stays nevertheless.
  const newest = addBackup(folder, 0)
  const deleted = rotate(folder, 3, newest)
  t.same(deleted, ['1970-01-01T00-00-00-001Z', '1970-01-01T00-00-00-002Z'])
  t.same(
    wholeBackups(folder).map(({ name }) => name),
    ['1970-01-01T00-00-00-004Z', '1970-01-01T00-00-00-003Z', '1970-01-01T00-00-00-000Z'],
  )
  t.same(rotate(folder, 1, newest).length, 2)
  t.same(rotate(folder, 1, newest), [])
  t.same(readdirSync(folder).sort(), ['1970-01-01T00-00-00-000Z', ...foreign])
})

test('leftovers of killed processes are removed, and nothing else', async (t) => {
  const folder = t.testdir({ '.partial-mine': {}, partial: {} })
  mkdirSync(join(makePartial(folder), 'workspaces'))
  makePartial(folder)
  removePartials(folder)
  t.same(readdirSync(folder).sort(), ['.partial-mine', 'partial'])
})
