import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { withDirectory } from '../fixtures/files.js'
import { runHere } from '../fixtures/terminal.js'

const LINES =
  '{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n' +
  '{"id":1,"accountId":1,"amount":-1.50,"currency":"EUR"}\n'

test('a workspace is printed, or written to a file atomically', async (t) => {
  await withDirectory(async (directory) => {
    const data = ['--data-dir', join(directory, 'data')]
    const stdin = [Buffer.from(LINES)]
    await runHere(['import', '--workspace', 'demo', ...data, '-'], { stdin })
    const printed = await runHere(['export', '--workspace', 'demo', ...data])
    t.equal(printed.code, 0)
    t.match(
      printed.stdout,
      /^\{"kind":"account".*\}\n\{"kind":"transaction".*"amount":-1\.5,.*\}\n$/,
    )

    const path = join(directory, 'out.ndjson')
    writeFileSync(path, 'old')
    const words = ['export', '--workspace', 'demo', ...data, '--output', path]
    t.same(await runHere(words), { code: 0, stdout: `2 lines in ${path}\n`, stderr: '' })
    t.equal(readFileSync(path, 'utf8'), printed.stdout)
    t.same(JSON.parse((await runHere([...words, '--json'])).stdout), { output: path, lines: 2 })
    t.same(readdirSync(directory).sort(), ['data', 'out.ndjson'], 'no partial file is left')

    const copied = await runHere(['import', '--workspace', 'copy', ...data, path])
    t.equal(copied.code, 0)
    t.equal((await runHere(['export', '--workspace', 'copy', ...data])).stdout, printed.stdout)
  })
})

test('an export that cannot be read or written fails with one sentence', async (t) => {
  await withDirectory(async (directory) => {
    const data = ['--data-dir', join(directory, 'data')]
    await runHere(['import', '--workspace', 'demo', ...data, '-'], { stdin: [Buffer.from(LINES)] })
    const unknown = await runHere(['export', '--workspace', 'dmeo', ...data])
    t.match(unknown, {
      code: 1,
      stdout: '',
      stderr: /^kontor: there is no workspace dmeo in .*; did/,
    })
    const nowhere = join(directory, 'no', 'out')
    const words = ['export', '--workspace', 'demo', ...data, '--output']
    t.match(await runHere([...words, nowhere]), {
      code: 1,
      stdout: '',
      stderr: /^kontor: .*out cannot be written: ENOENT/,
    })
    mkdirSync(join(directory, 'folder'))
    t.match(await runHere([...words, join(directory, 'folder')]), { code: 1 })
    t.same(readdirSync(directory).sort(), ['data', 'folder'], 'no partial file is left')
  })
})
