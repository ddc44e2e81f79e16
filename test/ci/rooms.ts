// The process that runs the files of a room, on made-up files, and the plan of all rooms.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { test } from 'tap'
import { withDirectory } from '../fixtures/files.js'
import { filesNotRun, RUN_ELSEWHERE } from '../rooms/coverage.js'
import {
  ALONE,
  CHECKS,
  folderOf,
  ON_DISK,
  roomsOf,
  SHARED,
  SLOW,
  testFilesIn,
} from '../rooms/plan.js'

const ROOT = resolve(import.meta.dirname, '../../..')
const ROOM = join(ROOT, 'dist/test/rooms/room.js')
const TAP = import.meta.resolve('tap')

const testFile = (body: string): string => `import { test } from '${TAP}'\n${body}`

test('each file of a room is a subtest of its name, whatever the other files do', async (t) => {
  await withDirectory(async (directory) => {
    const files = {
      'good.js': testFile(
        "await Promise.resolve()\ntest('one', async (t) => t.ok(true, t.testdir()))",
      ),
      'bad.js': testFile(
        "test('two', async (t) => t.ok(false))\ntest('three', async (t) => t.ok(1))",
      ),
      'torn.js': testFile("throw new Error('torn')"),
      'late.js': testFile("test('one', async (t) => t.ok(true, t.testdir()))"),
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
    const paths = Object.keys(files).map((name) => relative(ROOT, join(directory, name)))
    const { stdout, status } = spawnSync(process.execPath, [ROOM, ...paths], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    })
    const results = [...stdout.matchAll(/^(not ok|ok) \d+ - (\S+)/gm)]
    t.strictSame(
      results.map(([, result, path]) => [result, path]),
      [
        ['ok', paths[0]],
        ['not ok', paths[1]],
        ['not ok', paths[2]],
        ['ok', paths[3]],
      ],
    )
    t.match(stdout, /^# \{ total: 5, pass: 3, fail: 2 \}$/m)
    t.equal(status, 1)
    const folders = [...stdout.matchAll(/ok 1 - (\/\S+)/g)].map(([, folder]) => folder)
    t.equal(new Set(folders).size, 2, 'tests with the same name have separate directories')
  })
})

test('each test file is in one room, and the named files exist', async (t) => {
  const files = testFilesIn(join(ROOT, 'test'))
  for (const isSlow of [false, true]) {
    const some = files.filter((file) => SLOW.has(file) === isSlow)
    const rooms = roomsOf(some)
    t.strictSame(rooms.flatMap((room) => room.files).sort(), some)
    t.equal(new Set(rooms.map(({ name }) => name)).size, rooms.length)
    for (const room of rooms.filter((each) => each.files.length > 1)) {
      t.notOk(
        room.files.some((file) => ALONE.has(file)),
        room.name,
      )
      t.ok(!isSlow || SHARED.includes(room.name), room.name)
    }
  }
  for (const file of [...ALONE.keys(), ...SLOW.keys(), ...CHECKS]) t.ok(files.includes(file), file)
  for (const folder of ON_DISK) t.ok(files.map(folderOf).includes(folder), folder)
})

test('npm run check runs the files that npm test leaves to it', async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named: string[] = scripts['check:built'].match(/(?<=dist\/test\/)\S+(?=\.js)/g)
  t.strictSame(named.map((name) => `${name}.ts`).sort(), [...CHECKS])
})

test('a file tested by another folder only is reported, a file of constants is not', async (t) => {
  const run = new Set(['src/money', 'src/auth/bearer'])
  const coverage = new Map([
    ['', run],
    ['auth', run],
  ])
  const named = filesNotRun(coverage)
  t.ok(named.includes('src/iban.ts') && named.includes('src/auth/secret.ts'))
  t.notOk(named.includes('src/money.ts') || named.includes('src/auth/bearer.ts'))
  t.notOk(named.includes('src/openapi/examples.ts'), 'constants only')
  const elsewhere = filesNotRun(new Map([['http', run]]))
  t.ok(elsewhere.includes('src/money.ts'))
  for (const file of RUN_ELSEWHERE.keys()) t.ok(named.includes(file), `${file} exists`)
})
