// npm run eval -- match: quality of kontor's matches and of the peers' matches, as Markdown.
// npm run eval -- import: what kontor reads from real bank files, against the record.
import { parseArgs } from 'node:util'
import { CommandError, messageOf } from '../src/errors.js'
import { recordExpectations } from './import-eval/expectations.js'
import { evaluateImport } from './import-eval/run.js'
import { ALL_PEERS, evaluateMatch, missedTargets, type SEEDS } from './match-eval/run.js'
import { RESULTS_PATH, recordSection, sectionName } from './report.js'
import { assertCleanTree, commit, provenance } from './settings.js'

const HELP = `npm run eval -- match [flags]

  --seed S      report (default): for the figures; tune: for improving the scorer by its misses
  --seeds N     number of seeds of that purpose (all of them)
  --rows N      transactions in the window of each seed (20000)
  --misses N    misses shown of each class, tuning seeds only (3)
  --no-peers    runs kontor only
  --no-gate     exit code 0 even when a target is missed
  --record      writes the report to bench/results.md

KONTOR_STATEMENTS and KONTOR_MORE_STATEMENTS name the folders of real bank files that the questions
labelled by hand refer to.
PGHOST, PGDATABASE and so on name the database for pg_trgm.

npm run eval -- import [--record]

Imports each file of the folders KONTOR_STATEMENTS and KONTOR_MORE_STATEMENTS, and prints format,
rows, sums, proof by balances, fields, warnings and refusals. Exits with 1 when a file is read worse
than bench/import-eval/expected.tsv says: fewer rows, other sums, lost fields, a lost proof.

  --record      writes that file, after the difference has been read
`

function readFlags(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: 'report' },
        seeds: { type: 'string', default: '9' },
        rows: { type: 'string', default: '20000' },
        misses: { type: 'string', default: '3' },
        'no-peers': { type: 'boolean', default: false },
        'no-gate': { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new CommandError('usage', messageOf(error), { cause: error })
  }
}

function wholeNumber(flag: string, text: string): number {
  const value = Number(text)
  if (/^\d{1,7}$/.test(text) && value >= 1) return value
  throw new CommandError('usage', `--${flag} must be a whole number from 1, not ${text}`)
}

function purposeOf(text: string): keyof typeof SEEDS {
  if (text === 'tune' || text === 'report') return text
  throw new CommandError('usage', `--seed must be report or tune, not ${text}`)
}

async function run(words: readonly string[]): Promise<void> {
  const { values, positionals } = readFlags(words)
  const [name, ...more] = positionals
  if (values.help || name === undefined) {
    process.stdout.write(HELP)
    return
  }
  if (!['match', 'import'].includes(name) || more.length > 0) {
    throw new CommandError(
      'usage',
      `the evaluations are match and import, not ${positionals.join(' ')}`,
    )
  }
  if (name === 'import') await runImport(words, values.record)
  else await runMatch(words, values)
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)

async function runImport(words: readonly string[], isRecorded: boolean): Promise<void> {
  const { report, figures, changes } = await evaluateImport(process.env, say)
  process.stdout.write(`${provenance('eval import', words, 'eval')}\n\n${report}`)
  if (isRecorded) {
    recordExpectations(figures)
    return
  }
  if (changes.worse.length === 0) return
  say(`eval: ${changes.worse.length} figures are worse than recorded`)
  process.exitCode = 1
}

type MatchFlags = ReturnType<typeof readFlags>['values']

async function runMatch(words: readonly string[], values: MatchFlags): Promise<void> {
  if (values.record) assertCleanTree(commit())
  const { report, targets } = await evaluateMatch({
    purpose: purposeOf(values.seed),
    rowCount: wholeNumber('rows', values.rows),
    seedCount: wholeNumber('seeds', values.seeds),
    missesPerGroup: wholeNumber('misses', values.misses),
    peers: values['no-peers'] ? [] : ALL_PEERS,
    environment: process.env,
    say,
  })
  const section = `${provenance('eval match', words, 'eval')}\n${report}`
  process.stdout.write(section)
  if (values.record) recordSection(RESULTS_PATH, sectionName('eval match'), section)
  const missed = missedTargets(targets)
  if (missed.length === 0 || values['no-gate'] || values.seed === 'tune') return
  const names = missed.map(({ what }) => what).join('; ')
  process.stderr.write(`eval: ${missed.length} targets are missed: ${names}\n`)
  process.exitCode = 1
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isExpected = error instanceof CommandError
  const text = !isExpected && error instanceof Error ? error.stack : messageOf(error)
  process.stderr.write(`eval: ${text}\n`)
  process.exitCode = isExpected && error.kind === 'usage' ? 2 : 1
}
