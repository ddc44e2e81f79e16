// The program of docs/using/in-process.md, compiled and run as a user would.
import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'
import { spawnNode, startKontor } from '../fixtures/child-process.js'
import { compiledIn, faultsOf, installedIn } from '../fixtures/user-program.js'

const PAGE = resolve(import.meta.dirname, '../../../docs/using/in-process.md')

/** What the page leaves to the reader: it closes when the copy is complete. */
const READER = `
  import type { FollowedChange, Transaction } from 'kontor'
  let since: string | undefined
  const copy = new Map<number, Transaction>()
  function apply(change: FollowedChange): void {
    if (change.kind === 'delete') copy.delete(change.id)
    else copy.set(change.transaction.id, change.transaction)
    if (copy.size === demo.transactions().total) void kontor.close()
  }
`

const CONCLUSION = 'console.log(own.id, copy.size, typeof since)'

test('the program of the page is compiled, runs and ends', async (t) => {
  const folder = installedIn(t.testdir())
  const demo = startKontor(t, ['demo', '--data-dir', join(folder, 'data/local')])
  assert.equal(await demo.ended, 0, demo.output.stderr)
  const fences = readFileSync(PAGE, 'utf8').matchAll(/^```js\n([\s\S]*?)^```/gm)
  const steps = Array.from(fences, ([, step = '']) => step)
  t.equal(steps.length, 4)
  const program = [READER, ...steps, CONCLUSION].join('\n')
  t.same(faultsOf(folder, program), [])
  const child = spawnNode([compiledIn(folder, program)], { cwd: folder })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (piece: Buffer) => {
    output.stdout += piece.toString()
  })
  child.stderr.on('data', (piece: Buffer) => {
    output.stderr += piece.toString()
  })
  const code = await new Promise((end) => child.once('close', end))
  t.equal(code, 0, output.stderr)
  const [found = '', matched = '', net = '', last = ''] = output.stdout.split('\n')
  t.match(found, /^[1-9]\d* -?[\d.]+$/)
  t.match(matched, /^\d+ (1|0\.[89]\d*)$/)
  t.match(net, /^-[\d.]+$/)
  t.match(last, /^demo \d{4,} string$/)
})
