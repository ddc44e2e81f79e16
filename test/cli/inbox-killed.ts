// `kontor inbox`, killed at each of its calls to the file system, and repeatedly at every moment of
// its run by two processes on one folder: no file is lost, none is archived twice, and no row is
// there twice.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Test, test } from 'tap'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { killedAtCall, startKontor } from '../fixtures/child-process.js'
import { ndjson } from '../fixtures/inbox-fixture.js'
import { Aim, killAll, killInTwoSeries } from '../fixtures/served-directory.js'

const WORKSPACES = ['a', 'b']

/** Files of a workspace for one kill, and rows of a file: some hundred milliseconds of work. */
const FILES = 3
const ROWS = 1_500

/**
 * Kills at moments of two processes, whose turns no call decides; what one process leaves at each
 * of its calls is tested without luck.
 */
const KILL_COUNT = 4

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

/** An import folder with the data directory of its workspaces. */
interface InboxFolder {
  readonly inbox: string
  readonly data: string
  /** Arguments of the command. */
  readonly words: readonly string[]
}

function makeInbox(folder: string): InboxFolder {
  const inbox = join(folder, 'inbox')
  const data = join(folder, 'data')
  mkdirSync(join(data, 'workspaces'), { recursive: true })
  for (const id of WORKSPACES) {
    mkdirSync(join(inbox, id), { recursive: true })
    WorkspaceFile.open(join(data, `workspaces/${id}.db`)).close()
  }
  return { inbox, data, words: ['inbox', inbox, '--data-dir', data, '--settle', '0'] }
}

/** Checks that each file of a workspace is archived once, and that each row is there once. */
function checkArchived(
  t: Test,
  { inbox, data }: InboxFolder,
  { id, fileCount, rowCount }: { id: string; fileCount: number; rowCount: number },
): void {
  const left = bankFilesIn(inbox).filter((name) => name.startsWith(`${id}/`))
  const seen = left.filter((name) => !name.includes('/.'))
  const archived = seen.filter((name) => name.includes('/done/'))
  t.equal(archived.length, fileCount, 'all are archived')
  t.equal(seen.length, fileCount, 'and once')
  t.same(
    readdirSync(join(inbox, id)).filter((name) => name.startsWith('.claimed-')),
    [],
    'no claim is left',
  )
  const file = WorkspaceFile.openForReading(join(data, `workspaces/${id}.db`))
  t.equal(file.fault(), undefined)
  t.equal(file.transactionCount(), rowCount, 'each row is there once')
  file.close()
}

test('kontor inbox, killed at each of its calls to the file system', async (t) => {
  const root = t.testdir()
  let killCount = 0
  for (let isOver = false; !isOver; ) {
    const call = killCount + 1
    const made = makeInbox(join(root, `${call}`))
    writeFileSync(join(made.inbox, 'a/x.ndjson'), ndjson('x', 10))
    const once = [...made.words, '--once']
    isOver = (await startKontor(t, once, killedAtCall(call)).ended) !== 'SIGKILL'
    // The one that takes over what the first leaves is killed as well.
    await startKontor(t, once, killedAtCall(call)).ended
    const last = startKontor(t, once)
    t.equal(await last.ended, 0, last.output.stderr)
    checkArchived(t, made, { id: 'a', fileCount: 1, rowCount: 10 })
    killCount += isOver ? 0 : 1
  }
  t.ok(killCount > 5, `${killCount} calls`)
})

test('two processes of kontor inbox, killed over and over', async (t) => {
  const aim = new Aim(300)
  const seen = { claimed: 0, done: 0 }
  await killInTwoSeries(t, KILL_COUNT, async (inner, kills) => {
    const made = makeInbox(inner.testdir())
    const { inbox, words } = made
    const archivedCount = (): number =>
      bankFilesIn(inbox).filter((name) => name.includes('done/')).length
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
      const before = archivedCount()
      const processes = [startKontor(inner, words), startKontor(inner, words)]
      while (!hasBegun() && isWaiting()) await pause(1)
      // Half of the kills are aimed at the time after the first file.
      while (kill % 2 === 1 && archivedCount() === before) await pause(1)
      await pause(aim.momentMs())
      await killAll(...processes)
      for (const { output } of processes) {
        if (output.stderr !== '') inner.fail(output.stderr)
      }
      const isMiddle = hasBegun()
      seen.claimed += isMiddle ? 1 : 0
      seen.done += archivedCount() > before ? 1 : 0
      aim.learn(isMiddle ? 'middle' : 'late')
    }
    for (let run = 0; run < 2; run++) {
      const last = startKontor(inner, [...words, '--once'])
      inner.equal(await last.ended, 0, last.output.stderr)
    }
    for (const id of WORKSPACES) {
      checkArchived(inner, made, { id, fileCount, rowCount: fileCount * ROWS })
    }
  })
  t.comment(JSON.stringify(seen))
  t.ok(seen.claimed > 0, 'some kills left a claim')
  t.ok(seen.done > 0, 'some came after the first file')
})
