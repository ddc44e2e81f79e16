import { test } from 'tap'
import { COMMANDS } from '../../src/cli/commands.js'
import { runHere } from '../fixtures/terminal.js'

test('the list and each command give the same summary', async (t) => {
  for (const entry of COMMANDS) {
    const loaded = entry.kind === 'unloaded' ? await entry.load() : entry
    t.equal(loaded.name, entry.name)
    t.equal(loaded.summary, entry.summary)
  }
})

test('the help lists every command', async (t) => {
  const { code, stdout } = await runHere(['--help'])
  t.equal(code, 0)
  for (const { name, summary } of COMMANDS) t.match(stdout, `  ${name.padEnd(12)}  ${summary}\n`)
  t.equal(stdout.match(/^ {2}\S/gm)?.length, COMMANDS.length)
})
