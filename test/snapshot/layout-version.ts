import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { codeDigest, layoutFiles, layoutVersion } from '../../src/snapshot/layout-version.js'

const program = resolve(import.meta.dirname, '../..')

/** Compiled files that these import, directly or not, and the files themselves. */
function reachedFrom(files: readonly string[]): Set<string> {
  const reached = new Set(files)
  for (const file of reached) {
    const text = readFileSync(join(program, file), 'utf8')
    for (const [, from] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+\.js)['"]/g)) {
      reached.add(join(dirname(file), from ?? ''))
    }
  }
  return reached
}

function compiledIn(folder: string): string[] {
  return readdirSync(join(program, folder))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name))
}

/** Whether a worker makes, follows or reads snapshots; the others do not. */
function hasPart(worker: string): boolean {
  return worker !== 'src/threads/workers/import-file.js'
}

test('all code that builds snapshots is part of the version', async (t) => {
  const counted = new Set(layoutFiles())
  const tasks = [
    ...compiledIn('src/snapshot'),
    ...compiledIn('src/threads/workers').filter(hasPart),
  ]
  const reached = reachedFrom(tasks)
  t.ok(reached.size > tasks.length + 5, 'imports are followed')
  for (const file of reached) t.ok(counted.has(file), `${file} is part of it`)
  for (const file of ['snapshot/build.js', 'money.js', 'threads/workers/build-snapshot.js']) {
    t.ok(reached.has(`src/${file}`), file)
  }
})

test('other folders are not part of it', async (t) => {
  for (const file of layoutFiles()) t.notMatch(file, /^src\/(http|cli|query|statements)\//)
})

test('the version is that of this code', async (t) => {
  t.match(layoutVersion(), /^[0-9a-f]{32}$/)
  t.equal(layoutVersion(), layoutVersion())
})

test('the bundle has the digest of the code that it consists of', async (t) => {
  const files = readdirSync(join(program, 'program'))
  const digest = codeDigest()
  t.ok(files.some((name) => readFileSync(join(program, 'program', name), 'utf8').includes(digest)))
})

test('the version depends on exactly the files that are part of it', async (t) => {
  const copy = t.testdir({
    'package.json': '{"type":"module"}',
    src: {
      'money.js': 'm',
      http: { 'server.js': 's' },
      snapshot: {},
      threads: { workers: { 'w.js': 'w' } },
      'new-room': { deep: {} },
    },
  })
  const own = 'src/snapshot/layout-version.js'
  copyFileSync(join(program, own), join(copy, own))
  const module: unknown = await import(pathToFileURL(join(copy, own)).href)
  const { layoutVersion: versionOfCopy } = module as { layoutVersion: typeof layoutVersion }
  const seen = [versionOfCopy()]
  const changed = (file: string, content: string): void => {
    writeFileSync(join(copy, file), content)
    t.notOk(seen.includes(versionOfCopy()), `${file} changes it`)
    seen.push(versionOfCopy())
  }
  changed('src/money.js', 'M')
  changed('src/threads/workers/w.js', 'W')
  changed('src/new-room/deep/a.js', '')
  changed('src/snapshot/b.js', '')
  for (const file of ['src/http/server.js', 'src/main.js', 'src/money.js.map']) {
    writeFileSync(join(copy, file), 'other')
    t.equal(versionOfCopy(), seen.at(-1), `${file} does not`)
  }
  rmSync(join(copy, 'src'), { recursive: true })
  t.throws(versionOfCopy, { code: 'ENOENT' }, 'an absent program has no version')
})
