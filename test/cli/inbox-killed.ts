// `kontor inbox`, killed repeatedly at every moment of its run, by two processes on one folder: no
// file is lost, none is archived twice, and no row is there twice.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import { WorkspaceFile } from '../../src/store/workspace-file.js'
import { startKontor } from '../fixtures/child-process.js'
import { ndjson } from '../fixtures/inbox-fixture.js'
import { Aim, KILL_COUNT, killAll } from '../fixtures/served-directory.js'

const WORKSPACES = ['a', 'b']

/** Files of a workspace for one kill, and rows of a file: some hundred milliseconds of work. */
const FILES = 3
const ROWS = 1_500

/** Paths of all bank files below a folder. */
function bankFilesIn(folder: string): string[] {
  for (;;) {
    try {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      return names.filter((name) => name.endsWith('.ndjson'))
    } catch (error) {
      // A claim ended while it was listed.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
}

test('kontor inbox, killed fifty times', async (t) => {
  const folder = t.testdir({ inbox: { a: {}, b: {} }, data: { workspaces: {} } })
  const inbox = join(folder, 'inbox')
  const pathOf = (id: string): string => join(folder, `data/workspaces/${id}.db`)
  for (const id of WORKSPACES) WorkspaceFile.open(pathOf(id)).close()
  const words = ['inbox', inbox, '--data-dir', join(folder, 'data'), '--settle', '0']
  const names = (): string[] => bankFilesIn(inbox)
  const hasBegun = (): boolean => names().some((name) => name.includes('.claimed-'))
  const aim = new Aim(300)
  const seen = { claimed: 0, done: 0 }
  let fileCount = 0
  for (let kill = 0; kill < KILL_COUNT / 2; kill++) {
    for (let i = 0; i < FILES; i++) {
      for (const id of WORKSPACES) {
        const name = `${kill}-${i}.ndjson`
        writeFileSync(join(inbox, id, name), ndjson(`${id} ${name}`, ROWS))
      }
      fileCount += 1
    }
    const before = names().filter((name) => name.includes('done/')).length
    const processes = [startKontor(t, words), startKontor(t, words)]
    while (!hasBegun() && names().some((name) => !name.includes('done/'))) await pause(1)
    await pause(aim.momentMs())
    await killAll(...processes)
    for (const { output } of processes) {
      if (output.stderr !== '') t.fail(output.stderr)
    }
    const isMiddle = hasBegun()
    seen.claimed += isMiddle ? 1 : 0
    seen.done += names().filter((name) => name.includes('done/')).length > before ? 1 : 0
    aim.learn(isMiddle ? 'middle' : 'late')
  }
  t.comment(JSON.stringify(seen))
  t.ok(seen.claimed > 0, 'some kills left a claim')
  t.ok(seen.done > 0, 'some came after the first file')
  for (let run = 0; run < 2; run++) {
    const last = startKontor(t, [...words, '--once'])
    t.equal(await last.ended, 0, last.output.stderr)
  }
  for (const id of WORKSPACES) {
    const left = names().filter((name) => name.startsWith(`${id}/`) && !name.includes('/.'))
    t.equal(left.filter((name) => name.includes('/done/')).length, fileCount, 'all are archived')
    t.equal(left.length, fileCount, 'and once')
    t.same(
      readdirSync(join(inbox, id)).filter((name) => name.startsWith('.claimed-')),
      [],
      'no claim is left',
    )
    const file = WorkspaceFile.openForReading(pathOf(id))
    t.equal(file.fault(), undefined)
    t.equal(file.transactionCount(), fileCount * ROWS, 'each row is there once')
    file.close()
  }
})
