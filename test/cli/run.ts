import { test } from 'tap'
import { type CommandEntry, defineCommand } from '../../src/cli/command.js'
import { CommandError } from '../../src/errors.js'
import { StatementError } from '../../src/statements/statement.js'
import { StoreError } from '../../src/store/store-error.js'
import { runHere } from '../fixtures/terminal.js'

function failing(name: string, error: unknown): CommandEntry {
  return defineCommand({
    name,
    summary: `fails with ${name}`,
    description: 'd',
    flags: {},
    examples: [],
    run: async () => {
      throw error
    },
  })
}

const create = defineCommand({
  name: 'create',
  summary: 'make a key',
  description: 'Makes a key.',
  flags: { name: { kind: 'text', placeholder: 'N', default: 'key', summary: 'its name' } },
  examples: ['kontor keys create --name N'],
  run: async ({ stdout, flags, clock }) => stdout.write(`${flags.name} at ${clock()}\n`),
})

const brokenPipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })

const commands: CommandEntry[] = [
  { kind: 'group', name: 'keys', summary: 'credentials', commands: [create] },
  failing('usage', new CommandError('usage', 'called wrongly')),
  failing('failed', new CommandError('failed', 'cannot go on')),
  failing('store', new StoreError('a.db: the disk is full')),
  failing('statement', new StatementError({ position: 'line 1', message: 'no' })),
  failing('pipe', brokenPipe),
  failing('bug', new TypeError('x is not a function')),
]

test('a command runs with its flags, also within a group', async (t) => {
  const ended = await runHere(['keys', 'create', '--name', 'n'], { commands, clock: () => 5 })
  t.same(ended, { code: 0, stdout: 'n at 5\n', stderr: '' })
})

test('help lists commands, flags and examples, on stdout', async (t) => {
  for (const words of [[], ['--help'], ['-h'], ['help']]) {
    const { code, stdout, stderr } = await runHere(words, { commands })
    t.same([code, stderr], [0, ''])
    t.match(stdout, /^kontor - .*\n\nUsage: kontor COMMAND/)
    t.match(stdout, /\n {2}keys {7}credentials\n/)
  }
  for (const words of [['keys'], ['keys', '--help'], ['help', 'keys']]) {
    const { code, stdout } = await runHere(words, { commands })
    t.equal(code, 0)
    t.match(stdout, /^kontor keys - credentials\n\nUsage: kontor keys COMMAND/)
  }
  for (const words of [
    ['keys', 'create', '--help'],
    ['help', 'keys', 'create'],
  ]) {
    const { code, stdout } = await runHere(words, { commands })
    t.equal(code, 0)
    t.match(stdout, /Usage: kontor keys create \[flags\]/)
    t.match(stdout, /--name N {6}its name \(default key\)/)
    t.match(stdout, /KONTOR_DATA_DIR/)
    t.match(stdout, /Examples:\n {2}kontor keys create --name N/)
  }
})

test('an unknown command or misplaced flag is a usage error', async (t) => {
  const cases: [string[], string][] = [
    [['kyes'], 'unknown command kontor kyes; did you mean kontor keys?'],
    [['keys', 'crate'], 'unknown command kontor keys crate; did you mean kontor keys create?'],
    [['keys', 'xxxxxxx'], 'unknown command kontor keys xxxxxxx; the commands are create'],
    [['--json', 'keys'], 'flags come after the command: kontor COMMAND --json'],
  ]
  for (const [words, sentence] of cases) {
    t.same(await runHere(words, { commands }), {
      code: 2,
      stdout: '',
      stderr: `kontor: ${sentence}\n`,
    })
  }
})

test('an expected error is one sentence and an exit code; a bug prints its stack', async (t) => {
  const cases: [string, number, string][] = [
    ['usage', 2, 'kontor: called wrongly\n'],
    ['failed', 1, 'kontor: cannot go on\n'],
    ['store', 1, 'kontor: a.db: the disk is full\n'],
    ['statement', 1, 'kontor: line 1: no\n'],
    ['pipe', 0, ''],
  ]
  for (const [name, code, stderr] of cases) {
    t.same(await runHere([name], { commands }), { code, stdout: '', stderr })
  }
  const bug = await runHere(['bug'], { commands })
  t.equal(bug.code, 1)
  t.match(bug.stderr, /^kontor: unexpected error: TypeError: x is not a function\n {4}at /)
})
