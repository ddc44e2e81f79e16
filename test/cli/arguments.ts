import { test } from 'tap'
import { parseArguments } from '../../src/cli/arguments.js'
import { defineCommand, environmentName } from '../../src/cli/command.js'
import { CommandError } from '../../src/errors.js'

const command = defineCommand({
  name: 'serve',
  summary: 's',
  description: 'd',
  flags: {
    workspace: { kind: 'text', placeholder: 'W', isRequired: true, summary: 'w' },
    format: {
      kind: 'text',
      placeholder: 'F',
      choices: ['csv', 'ofx'],
      default: 'csv',
      summary: 'f',
    },
    port: { kind: 'count', placeholder: 'P', default: 8080, min: 0, max: 65_535, summary: 'p' },
    limit: { kind: 'count', placeholder: 'N', min: 1, max: 9, summary: 'l' },
    'redirect-uri': { kind: 'texts', placeholder: 'U', summary: 'u' },
    lenient: { kind: 'switch', summary: 'l' },
  },
  positionals: { placeholder: 'FILE', summary: 'a file', min: 1, max: Number.POSITIVE_INFINITY },
  examples: [],
  run: async () => undefined,
})

const single = defineCommand({
  name: 'revoke',
  summary: 's',
  description: 'd',
  flags: {},
  positionals: { placeholder: 'ID', summary: 'id of the key', min: 1, max: 1 },
  examples: [],
  run: async () => undefined,
})

test('flags, defaults and positionals are parsed in any order', async (t) => {
  const words = ['a', '--workspace=demo', '-', '--port', '0', '--lenient', '--', '--b']
  t.same(parseArguments(command, words, {}), {
    flags: {
      workspace: 'demo',
      format: 'csv',
      port: 0,
      limit: undefined,
      'redirect-uri': [],
      lenient: true,
      'data-dir': './data/local',
      json: false,
      help: false,
    },
    positionals: ['a', '-', '--b'],
  })
  const repeated = ['--redirect-uri', 'u', '--redirect-uri=v', '--workspace', 'w', 'f']
  t.same(parseArguments(command, repeated, {}).flags['redirect-uri'], ['u', 'v'])
})

test('the environment mirrors the flags, and flags take precedence', async (t) => {
  t.equal(environmentName('data-dir'), 'KONTOR_DATA_DIR')
  const environment = {
    KONTOR_WORKSPACE: 'w',
    KONTOR_PORT: '1',
    KONTOR_LENIENT: 'true',
    KONTOR_JSON: '0',
    KONTOR_FORMAT: '',
    KONTOR_HELP: '1',
    KONTOR_OTHER: 'x',
  }
  const { flags } = parseArguments(command, ['f', '--port', '2'], environment)
  t.match(flags, {
    workspace: 'w',
    port: 2,
    lenient: true,
    json: false,
    format: 'csv',
    help: false,
  })
  t.throws(() => parseArguments(command, ['f'], { ...environment, KONTOR_PORT: 'x' }), {
    message: 'KONTOR_PORT must be a whole number from 0 to 65535, not "x"',
  })
  t.throws(() => parseArguments(command, ['f'], { ...environment, KONTOR_JSON: 'x' }), {
    message: 'KONTOR_JSON must be 1 or 0, not "x"',
  })
})

test('each error is one sentence', async (t) => {
  const cases: [string[], string][] = [
    [['--workspce', 'w'], 'there is no flag --workspce; did you mean --workspace?'],
    [['--xyzzyxyzzy'], 'there is no flag --xyzzyxyzzy; see --help for the list of flags'],
    [['-x'], 'there is no flag -x; see --help for the list of flags'],
    [['--toString'], 'there is no flag --toString; see --help for the list of flags'],
    [['--workspace'], '--workspace needs a value: --workspace W'],
    [['--workspace='], '--workspace needs a value: --workspace W'],
    [['--workspace', '--json'], '--workspace needs a value: --workspace W'],
    [['--workspace', 'a', '--workspace', 'b'], '--workspace may be given only once'],
    [['--json', '--json'], '--json may be given only once'],
    [['--json=1'], '--json takes no value'],
    [['f'], '--workspace is missing: --workspace W'],
    [['--workspace', 'w'], 'FILE is missing: a file'],
    [
      ['--workspace', 'w', '--port', '65536'],
      '--port must be a whole number from 0 to 65535, not "65536"',
    ],
    [
      ['--workspace', 'w', '--format', 'cvs'],
      '--format must be one of csv, ofx, not cvs; did you mean csv?',
    ],
  ]
  for (const [words, message] of cases) {
    t.throws(() => parseArguments(command, words, {}), new CommandError('usage', message), message)
  }
  t.throws(() => parseArguments(single, ['1', '2'], {}), {
    message: 'unexpected argument "2"',
  })
})

test('help ignores all other arguments', async (t) => {
  for (const flag of ['--help', '-h']) {
    t.equal(parseArguments(command, [flag], {}).flags['help'], true)
  }
})
