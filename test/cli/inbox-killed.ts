// `kontor inbox`, killed repeatedly at every moment of its run, by two processes on one folder: no
// file is lost, none is archived twice, and no row is there twice.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import { WorkspaceFile } from '../../src/store/workspace-file.js'
import { startKontor } from '../fixtures/child-process.js'
import { ndjson } from '../fixtures/inbox-fixture.js'
import { Aim, KILL_COUNT, killAll, killInTwoSeries } from '../fixtures/served-directory.js'

const WORKSPACES = ['a', 'b']

/** Files of a workspace for one kill, and rows of a file: some hundred milliseconds of work. */
const FILES = 3
const ROWS = 1_500

const isBankFile = (name: string): boolean => name.endsWith('.ndjson')

/** Paths of all bank files below a folder. */
function bankFilesIn(folder: string): string[] {
  return retried(() =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isBankFile),
  )
}

/** Whether bank files of a workspace are claimed, or wait; the archive is not listed. */
function stateOf(folder: string): { isClaimed: boolean; isWaiting: boolean } {
  return retried(() => {
    const names = readdirSync(folder)
    const claims = names.filter((name) => name.startsWith('.claimed-'))
    return {
      isClaimed: claims.some((claim) => readdirSync(join(folder, claim)).some(isBankFile)),
      isWaiting: names.some(isBankFile),
    }
  })
}

/** The result of a listing during which no claim ended. */
function retried<Result>(list: () => Result): Result {
  for (;;) {
    try {
      return list()
    } catch (error) {
      // A claim ended while it was listed.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
}

test('kontor inbox, killed fifty times', async (t) => {
  const aim = new Aim(300)
  const seen = { claimed: 0, done: 0 }
  await killInTwoSeries(t, KILL_COUNT / 2, async (inner, kills) => {
    const folder = inner.testdir({ inbox: { a: {}, b: {} }, data: { workspaces: {} } })
    const inbox = join(folder, 'inbox')
    const pathOf = (id: string): string => join(folder, `data/workspaces/${id}.db`)
    for (const id of WORKSPACES) WorkspaceFile.open(pathOf(id)).close()
    const words = ['inbox', inbox, '--data-dir', join(folder, 'data'), '--settle', '0']
    const names = (): string[] => bankFilesIn(inbox)
    const states = (): ReturnType<typeof stateOf>[] =>
      WORKSPACES.map((id) => stateOf(join(inbox, id)))
    const hasBegun = (): boolean => states().some(({ isClaimed }) => isClaimed)
    const isWaiting = (): boolean => states().some((state) => state.isWaiting)
    let fileCount = 0
    for (const kill of kills) {
      for (let i = 0; i < FILES; i++) {
        for (const id of WORKSPACES) {
          const name = `${kill}-${i}.ndjson`
          writeFileSync(join(inbox, id, name), ndjson(`${id} ${name}`, ROWS))
        }
        fileCount += 1
      }
      const before = names().filter((name) => name.includes('done/')).length
      const processes = [startKontor(inner, words), startKontor(inner, words)]
      while (!hasBegun() && isWaiting()) await pause(1)
      await pause(aim.momentMs())
      await killAll(...processes)
      for (const { output } of processes) {
        if (output.stderr !== '') inner.fail(output.stderr)
      }
      const isMiddle = hasBegun()
      seen.claimed += isMiddle ? 1 : 0
      seen.done += names().filter((name) => name.includes('done/')).length > before ? 1 : 0
      aim.learn(isMiddle ? 'middle' : 'late')
    }
    for (let run = 0; run < 2; run++) {
      const last = startKontor(inner, [...words, '--once'])
      inner.equal(await last.ended, 0, last.output.stderr)
    }
    for (const id of WORKSPACES) {
      const left = names().filter((name) => name.startsWith(`${id}/`) && !name.includes('/.'))
      const archived = left.filter((name) => name.includes('/done/'))
      inner.equal(archived.length, fileCount, 'all are archived')
      inner.equal(left.length, fileCount, 'and once')
      inner.same(
        readdirSync(join(inbox, id)).filter((name) => name.startsWith('.claimed-')),
        [],
        'no claim is left',
      )
      const file = WorkspaceFile.openForReading(pathOf(id))
      inner.equal(file.fault(), undefined)
      inner.equal(file.transactionCount(), fileCount * ROWS, 'each row is there once')
      file.close()
    }
  })
  t.comment(JSON.stringify(seen))
  t.ok(seen.claimed > 0, 'some kills left a claim')
  t.ok(seen.done > 0, 'some came after the first file')
})
