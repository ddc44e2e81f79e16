// npm run fuzz [-- MINUTES]: sends hostile requests to a service and reports faults.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { recordSection, sectionName } from '../bench/report.js'
import { assertCleanTree, commit, provenance } from '../bench/settings.js'
import { CommandError, messageOf } from '../src/errors.js'
import { brokenPromises, fuzzReport } from './report.js'
import { type RunFigures, runFuzz } from './run.js'
import { type EngineName, startTarget } from './target.js'

const RESULTS = join(resolve(import.meta.dirname, '../..'), 'bench/results.md')
const ENGINES: readonly EngineName[] = ['uws', 'node']

const HELP = `npm run fuzz [-- MINUTES] [flags]

Starts kontor with a company of its own, and sends it raw bytes, ambiguous framing, hostile fields,
parameters, cookies, forms, OAuth, MCP and bank files, MINUTES for each engine (5 unless told
otherwise), written by grammars from a seed. Beside them an honest client asks for pages. Ends
with 1 when the service ends, answers 500, lets the honest client wait for more than a second, or
keeps more than 1.25 times the memory it had at rest; what was sent is printed in base64.

  --requests N   end after so many for each engine, however long it takes
  --engine E     uws or node alone
  --seed S       of what is sent (7)
  --record       put the figures into bench/results.md
`

interface FuzzRequest {
  readonly engines: readonly EngineName[]
  readonly seed: number
  readonly requestCountMax: number
  readonly msMax: number
  readonly isRecorded: boolean
}

/** @returns undefined when the arguments ask for help @throws CommandError `usage` */
function readWords(words: readonly string[]): FuzzRequest | undefined {
  const { values, positionals } = parsed(words)
  if (values.help) return undefined
  const engines = ENGINES.filter((name) => values.engine === undefined || values.engine === name)
  if (engines.length === 0) throw new CommandError('usage', '--engine is uws or node')
  if (positionals.length > 1) throw new CommandError('usage', 'one number of minutes is enough')
  if (values.record) assertCleanTree(commit())
  const [minutes] = positionals
  const { requests } = values
  const isEndless = minutes === undefined && requests !== undefined
  return {
    engines,
    seed: numberOf('--seed', values.seed),
    requestCountMax: requests === undefined ? Infinity : numberOf('--requests', requests),
    msMax: isEndless ? Infinity : numberOf('MINUTES', minutes ?? '5') * 60_000,
    isRecorded: values.record,
  }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        requests: { type: 'string' },
        engine: { type: 'string' },
        seed: { type: 'string', default: '7' },
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new CommandError('usage', messageOf(error), { cause: error })
  }
}

function numberOf(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new CommandError('usage', `${name} must be a whole number from 1, not ${text}`)
}

async function shootAt(engine: EngineName, request: FuzzRequest): Promise<RunFigures> {
  const target = await startTarget(engine)
  const progress = (requestCount: number): void => {
    if (!process.stderr.isTTY) return
    process.stderr.write(`\r\u001b[K${engine}: ${requestCount.toLocaleString('en')} requests`)
  }
  try {
    return await runFuzz(target, { ...request, progress })
  } finally {
    progress(0)
    const how = await target.stop()
    if (how !== '0') process.stderr.write(`fuzz: the service on ${engine} ended with ${how}\n`)
  }
}

async function run(words: readonly string[]): Promise<boolean> {
  const request = readWords(words)
  if (request === undefined) {
    process.stdout.write(HELP)
    return true
  }
  const runs = new Map<EngineName, RunFigures>()
  for (const engine of request.engines) runs.set(engine, await shootAt(engine, request))
  const broken = [...runs].flatMap(([engine, figures]) =>
    brokenPromises(figures).map((sentence) => `${engine}: ${sentence}`),
  )
  const section = `${provenance('fuzz', words, 'fuzz')}\n\n${fuzzReport(runs)}\n`
  process.stdout.write(`${section}\n${broken.join('\n')}\n`)
  if (request.isRecorded) recordSection(RESULTS, sectionName('fuzz'), section)
  return broken.length === 0
}

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  const isExpected = error instanceof CommandError
  const text = !isExpected && error instanceof Error ? error.stack : messageOf(error)
  process.stderr.write(`fuzz: ${text}\n`)
  process.exitCode = isExpected && error.kind === 'usage' ? 2 : 1
}
