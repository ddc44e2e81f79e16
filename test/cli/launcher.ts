// bin/kontor.mjs under each shell of this machine.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { test } from 'tap'
import { withDirectory } from '../fixtures/files.js'

const LAUNCHER = resolve(import.meta.dirname, '../../../bin/kontor.mjs')
const FLAGS = ['--max-semi-space-size=1', '--initial-old-space-size=64', '--v8-pool-size=1']
const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
const SHELLS = [['sh'], ['dash'], ['bash'], ['busybox', 'ash']].filter(
  ([program = '', ...words]) => spawnSync(program, [...words, '-c', ':']).status === 0,
)

/** Preloaded by Node.js: prints how it was started, and ends as the last word says. */
const PRELOADED = `
const { pid, execArgv, argv } = process
process.stdout.write(JSON.stringify({ pid, execArgv, words: argv.slice(2) }))
if (argv.at(-1) === 'SIGTERM') process.kill(pid, 'SIGTERM')
else process.exit(7)
`

/** Runs it without the preloads of the test runner, which are added to any given environment. */
function run(words: readonly string[], options = ''): ReturnType<typeof spawnSync> {
  const variables = ['-u', 'NODE_OPTIONS', `NODE_OPTIONS=${options}`, `PATH=${PATH}`]
  return spawnSync('env', [...variables, ...words], { encoding: 'utf8' })
}

for (const shell of SHELLS) {
  test(`${shell.join(' ')} becomes Node.js, for serve alone with V8's flags`, async (t) => {
    await withDirectory(async (path) => {
      const preloaded = join(path, 'preloaded.cjs')
      writeFileSync(preloaded, PRELOADED)
      const starts: readonly (readonly [words: string[], execArgv: string[]])[] = [
        [['serve'], FLAGS],
        [['serve', '--demo', '--tls-cert', 'a file', ''], FLAGS],
        [['serve', 'SIGTERM'], FLAGS],
        [['import', '--workspace', 'serve', 'SIGTERM'], []],
        [['help', 'serve'], []],
        [['--version'], []],
        [['!', 'serve'], []],
        [[''], []],
        [[], []],
      ]
      for (const [words, execArgv] of starts) {
        const ended = run([...shell, LAUNCHER, ...words], `--require=${preloaded}`)
        t.same(JSON.parse(String(ended.stdout)), { pid: ended.pid, execArgv, words })
        const isKilled = words.includes('SIGTERM')
        t.same([ended.status, ended.signal], isKilled ? [null, 'SIGTERM'] : [7, null])
      }
    })
  })
}

test('to Node.js the launcher is a module that runs the command', async (t) => {
  const { stderr, status } = run([LAUNCHER, 'sevre'])
  t.match(stderr, /^kontor: unknown command kontor sevre; did you mean kontor serve\?/)
  t.equal(status, 2)
})
