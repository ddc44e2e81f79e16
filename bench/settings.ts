import { spawnSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { CommandError, messageOf } from '../src/errors.js'
import { formatInstant } from '../src/instant.js'
import { CORPORA_FOLDER, type CorpusKind } from './corpus.js'
import { REST_MS } from './process-figures.js'
import { sectionName } from './report.js'

/** Settings of a bench run. */
export interface Settings {
  readonly corpus: CorpusKind
  readonly rowCount: number
  readonly seed: number
  /** Duration of each period of load. */
  readonly seconds: number
  readonly rounds: number
  /** Half of the time for which a contender is nearly idle before the next one is timed. */
  readonly restMs: number
  /** Folder of the corpora. */
  readonly folder: string
  /** Receives progress lines. */
  readonly say: (line: string) => void
}

/** Parsed arguments of `npm run bench -- …`. */
export interface BenchRequest {
  /** undefined = show the help. */
  readonly name: string | undefined
  readonly settings: Settings
  /** Whether to record the figures in bench/results.md. */
  readonly isRecorded: boolean
  /** The arguments, for the report. */
  readonly words: readonly string[]
}

/** @throws CommandError `usage` for an unknown flag or an invalid number */
export function readRequest(words: readonly string[], say: Settings['say']): BenchRequest {
  const { values, positionals } = parsed(words)
  const name = values.help ? undefined : positionals[0]
  if (positionals.length > 1) throw new CommandError('usage', 'one bench at a time')
  if (values.record) assertCleanTree(commit())
  const settings: Settings = {
    corpus: corpusOf(values.corpus),
    rowCount: wholeNumber('rows', values.rows, 1_000),
    seed: wholeNumber('seed', values.seed, 0),
    seconds: wholeNumber('seconds', values.seconds, 1),
    rounds: wholeNumber('rounds', values.rounds, 1),
    restMs: REST_MS,
    folder: CORPORA_FOLDER,
    say,
  }
  return { name, settings, isRecorded: values.record, words }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        corpus: { type: 'string', default: 'demo' },
        rows: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: '7' },
        seconds: { type: 'string', default: '4' },
        rounds: { type: 'string', default: '5' },
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new CommandError('usage', messageOf(error), { cause: error })
  }
}

function corpusOf(text: string): CorpusKind {
  if (text === 'demo' || text === 'shop') return text
  throw new CommandError('usage', `--corpus must be demo or shop, not ${text}`)
}

function wholeNumber(flag: string, text: string, min: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= 10_000_000) return value
  throw new CommandError('usage', `--${flag} must be a whole number from ${min}, not ${text}`)
}

/**
 * Date, machine, commit and command of a run: the opening of a section of results.
 * @param script of package.json
 */
export function provenance(
  name: string,
  words: readonly string[],
  script: 'bench' | 'eval' | 'fuzz' = 'bench',
): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const lines = [
    `date: ${formatInstant(Date.now()).slice(0, 10)}`,
    `machine: ${first?.model ?? 'unknown'}, ${cpus().length} cores, ${memory} GiB, shared`,
    `node ${process.version}, commit ${commit()}`,
    `command: \`npm run ${script} -- ${words.filter((word) => word !== '--record').join(' ')}\``,
  ]
  return `## ${sectionName(name)}\n\n${lines.map((line) => `- ${line}`).join('\n')}`
}

/**
 * Figures are recorded for a commit, so the working tree has to be clean. @param described by git
 * @throws CommandError `usage` for a tree with changes, or one outside git
 */
export function assertCleanTree(described: string): void {
  if (!/-dirty$|^unknown$/.test(described)) return
  throw new CommandError(
    'usage',
    `--record needs a clean tree, this one is ${described}: commit or stash the changes first`,
  )
}

/**
 * The commit of the tree, with `-dirty` when tracked files differ from it. Changes of
 * bench/results.md do not count, so that one bench can be recorded after another.
 */
export function commit(): string {
  const described = spawnSync('git', ['describe', '--always', '--abbrev=7'], { encoding: 'utf8' })
  if (described.status !== 0) return 'unknown'
  const others = [':(top)', ':(top,exclude)bench/results.md']
  const { status } = spawnSync('git', ['diff', '--quiet', 'HEAD', '--', ...others])
  return `${described.stdout.trim()}${status === 0 ? '' : '-dirty'}`
}
