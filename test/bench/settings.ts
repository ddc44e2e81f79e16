import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'tap'
import { BENCHES } from '../../bench/benches.js'
import { assertCleanTree, commit, readRequest } from '../../bench/settings.js'
import { CommandError } from '../../src/errors.js'

const say = (): void => undefined

test('flags are parsed, with the values of the requirement as defaults', async (t) => {
  const { name, settings, isRecorded } = readRequest(['reads'], say)
  t.equal(name, 'reads')
  t.match(settings, { rowCount: 1_000_000, seed: 7, seconds: 4, rounds: 5 })
  t.equal(isRecorded, false)
  const words = ['reads', '--rows', '5000', '--seconds', '1', '--rounds=2']
  t.match(readRequest(words, say).settings, { rowCount: 5_000, seconds: 1, rounds: 2 })
})

test('figures are recorded from a clean tree only', async (t) => {
  assertCleanTree('771f799')
  assertCleanTree('v0.2.0-5-g771f799')
  for (const described of ['771f799-dirty', 'unknown']) {
    t.throws(
      () => assertCleanTree(described),
      new CommandError(
        'usage',
        `--record needs a clean tree, this one is ${described}: commit or stash the changes first`,
      ),
    )
  }
  const record = (): boolean => readRequest(['reads', '--record'], say).isRecorded
  if (/-dirty$|^unknown$/.test(commit())) t.throws(record, CommandError)
  else t.equal(record(), true)
})

test('invalid numbers, unknown flags and extra words are refused', async (t) => {
  for (const words of [['--rows', 'many'], ['--rows', '10'], ['--speed'], ['reads', 'rows']]) {
    t.throws(() => readRequest(words, say), CommandError, words.join(' '))
  }
})

test('the command lists the benches and exits 2 for an unknown name', async (t) => {
  const main = resolve(import.meta.dirname, '../../bench/main.js')
  const help = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' })
  t.equal(help.status, 0)
  for (const { name } of BENCHES) t.match(help.stdout, new RegExp(`^  ${name} `, 'm'))
  const unknown = spawnSync(process.execPath, [main, 'writes'], { encoding: 'utf8' })
  t.equal(unknown.status, 2)
  const names = BENCHES.map(({ name }) => name).join(', ')
  t.equal(unknown.stderr, `bench: there is no bench writes; there are ${names}\n`)
})
