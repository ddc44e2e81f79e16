import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, openSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'
import { isBrokenPipe } from '../src/cli/terminal.js'
import { spawnNode } from './fixtures/child-process.js'
import { withDirectory } from './fixtures/files.js'

const MAIN = resolve(import.meta.dirname, '../program/main.js')

interface Exit {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

/** Runs `kontor` as a child process. @param stopReading closes stdout after its first piece */
async function run(
  words: readonly string[],
  { stdin = '', stopReading = false }: { stdin?: string; stopReading?: boolean } = {},
): Promise<Exit> {
  const child = spawnNode([MAIN, ...words])
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece
    if (stopReading) child.stdout.destroy()
  })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece
  })
  child.stdin.end(stdin)
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

test('kontor reads standard input, and stops silently when its output is closed', async (t) => {
  await withDirectory(async (directory) => {
    const data = ['--data-dir', join(directory, 'data'), '--workspace', 'w']
    const account = '{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n'
    const lines = Array.from(
      { length: 5000 },
      (_, i) => `{"id":${i + 1},"accountId":1,"amount":${i},"currency":"EUR"}\n`,
    )
    const imported = await run(['import', ...data, '-', '--json'], {
      stdin: account + lines.join(''),
    })
    t.match(imported, { code: 0, stdout: /"added":5000/, stderr: '' })
    const whole = await run(['export', ...data])
    t.match(whole, { code: 0, stderr: '' })
    t.equal(whole.stdout.split('\n').length, 5002)
    const cut = await run(['export', ...data], { stopReading: true })
    t.match(cut, { code: 0, stderr: '' })
    t.ok(cut.stdout.length < whole.stdout.length, 'it had not written all of it')
  })
})

test('an output that cannot be written is reported in one line', async (t) => {
  // Every write to it fails as on a full disk.
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [MAIN, '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  closeSync(full)
  t.equal(status, 1)
  t.match(stderr, /^kontor: the output cannot be written \(ENOSPC: .*\); .*\n$/)
})

test('files are for their owner only, in any directory', async (t) => {
  await withDirectory(async (directory) => {
    chmodSync(directory, 0o755)
    const stdin = '{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n'
    const words = ['import', '--data-dir', directory, '--workspace', 'w', '-']
    t.equal((await run(words, { stdin })).code, 0)
    const out = join(directory, 'all.ndjson')
    t.equal(
      (await run(['export', '--data-dir', directory, '--workspace', 'w', '--output', out])).code,
      0,
    )
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => ({ name, stats: statSync(join(directory, name)) }))
      .filter(({ stats }) => stats.isFile())
    t.ok(files.length >= 3, files.map(({ name }) => name).join(' '))
    for (const { name, stats } of files) t.equal(stats.mode & 0o077, 0, name)
  })
})

test('the exit code distinguishes usage errors from failures', async (t) => {
  t.match(await run(['imprt']), {
    code: 2,
    stdout: '',
    stderr: /^kontor: unknown command .*\n$/,
  })
  const missing = await run(['import', '--workspace', 'w', '/nowhere/at/all'])
  t.match(missing, { code: 1, stderr: 'kontor: there is no file /nowhere/at/all\n' })
})

test('only an error of a closed pipe is a broken pipe', async (t) => {
  t.ok(isBrokenPipe(Object.assign(new Error('write'), { code: 'EPIPE' })))
  t.notOk(isBrokenPipe(Object.assign(new Error('write'), { code: 'EIO' })))
  t.notOk(isBrokenPipe('EPIPE'))
})
