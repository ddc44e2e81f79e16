// `kontor backup`, killed repeatedly at every moment of its run: any folder with the name of a
// backup is complete, and the older backups stay.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import { makeDataDirectory } from '../../src/store/data-directory.js'
import { backedUpDirectory, soundBackups } from '../fixtures/backups.js'
import { startKontor } from '../fixtures/child-process.js'
import { Aim, killAll, killInTwoSeries } from '../fixtures/served-directory.js'

const KEPT = 4

const KILL_COUNT = 12

test('backup, killed over and over', async (t) => {
  const aim = new Aim(60)
  const seen = { middle: 0, whole: 0, leftover: 0 }
  await killInTwoSeries(t, KILL_COUNT, async (inner, kills) => {
    const { directory, folder, backUp } = await backedUpDirectory(inner)
    for (let i = 0; i < KEPT; i++) await backUp()
    const words = ['backup', folder, '--keep', `${KEPT}`, '--data-dir', directory.path]
    const partials = (): string[] =>
      existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('.partial-')) : []
    let before = await soundBackups(folder)
    for (const _ of kills) {
      const leftBefore = partials()
      const backup = startKontor(inner, words)
      const ended = backup.ended.then(() => 'ended')
      const isOver = { now: false }
      void ended.then(() => {
        isOver.now = true
      })
      // Most of a run is the start of Node.js: a kill is aimed once there is a partial backup.
      const hasBegun = (): boolean => partials().some((name) => !leftBefore.includes(name))
      while (!hasBegun() && !isOver.now) await pause(1)
      await Promise.race([ended, pause(aim.momentMs())])
      await killAll(backup)
      const after = await soundBackups(folder)
      const isWhole = after.some((name) => !before.includes(name))
      aim.learn(isWhole ? 'late' : 'middle')
      if (isWhole) seen.whole += 1
      else seen.middle += 1
      if (partials().length > 0) seen.leftover += 1
      if (!before.slice(0, KEPT - 1).every((name) => after.includes(name))) {
        inner.fail(`${before} became ${after}`)
      }
      if (after.length < KEPT) inner.fail(`${after.length} backups are left`)
      if (!isWhole && after.length !== before.length)
        inner.fail('a backup was deleted before the new one was complete')
      before = after
    }
    const last = startKontor(inner, words)
    inner.equal(await last.ended, 0, last.output.stderr)
    inner.equal((await soundBackups(folder)).length, KEPT, 'exactly that many')
    inner.same(partials(), [], 'the partial backups are removed')
  })
  t.comment(JSON.stringify(seen))
  t.ok(seen.middle > 0, 'some kills hit the middle')
  t.ok(seen.leftover > 0, 'some left a partial backup')
})

test('restore, killed: any usable directory is complete', async (t) => {
  const { folder, backUp } = await backedUpDirectory(t)
  const { path, manifest } = await backUp()
  const aim = new Aim(40)
  const seen = { middle: 0, whole: 0 }
  for (let kill = 0; kill < KILL_COUNT / 2; kill++) {
    const to = join(t.testdirName, `to-${kill}`)
    const restore = startKontor(t, ['restore', folder, '--data-dir', to])
    const ended = restore.ended.then(() => 'ended')
    const isOver = { now: false }
    void ended.then(() => {
      isOver.now = true
    })
    while (!existsSync(join(to, '.restoring')) && !isOver.now) await pause(1)
    await Promise.race([ended, pause(aim.momentMs())])
    await killAll(restore)
    if (existsSync(join(to, '.restoring'))) {
      seen.middle += 1
      t.throws(() => makeDataDirectory(to), /a restore into .* is incomplete/)
    } else {
      seen.whole += 1
      for (const file of manifest.files) {
        t.ok(readFileSync(join(to, file.path)).equals(readFileSync(join(path, file.path))))
      }
    }
    aim.learn(existsSync(join(to, '.restoring')) ? 'middle' : 'late')
  }
  t.comment(JSON.stringify(seen))
  t.ok(seen.middle > 0, 'some kills hit the middle')
})
