import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SLOW } from '../test/rooms/plan.js'
import { MALLOC_SETTINGS, NODE_OPTIONS } from '../test/rooms/process-settings.js'
import { addTests, type Installation } from './installation.js'

/** Numbers of passed assertions of the HTTP layer's tests. */
export interface ContractCounts {
  readonly fileCount: number
  readonly passedCount: number
}

const PROCESSES_AT_ONCE = 2
/** Files of a process: a process for each file would take longer than most files. */
const PROCESS_FILES_MAX = 9
/** As package.json sets it for all tests; by default tap ends a file after thirty seconds. */
const FILE_SECONDS_MAX = 600
const COUNTS = /^# \{ total: \d+, pass: (\d+)/gm

/**
 * Runs the quick tests of the HTTP layer against the installed program, over every engine that
 * loads. The slow tests compare match results for minutes; `npm run test:slow` runs them, on the
 * Node.js that runs it.
 * @param report called with the names of the files of a process before they run
 * @throws Error with the end of the output of the first process that fails
 */
export async function runContractTests(
  installation: Installation,
  report: (names: string) => void,
): Promise<ContractCounts> {
  const folder = join(addTests(installation), 'http')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names
    .filter((name) => name.endsWith('.js') && !SLOW.has(`http/${name.replace(/\.js$/, '.ts')}`))
    .sort()
  const count = Math.ceil(files.length / PROCESS_FILES_MAX)
  const left = Array.from({ length: count }, (_, part) =>
    files.filter((_, i) => i % count === part),
  )
  let passedCount = 0
  const runSome = async (): Promise<void> => {
    for (let names = left.shift(); names !== undefined; names = left.shift()) {
      report(names.join(' '))
      // Not `+= await`, which would add to the count from before the wait.
      const passed = await runFiles(installation, names)
      passedCount += passed
    }
  }
  await Promise.all(Array.from({ length: PROCESSES_AT_ONCE }, runSome))
  return { fileCount: files.length, passedCount }
}

/** @param names paths from the folder of the tests @returns the number of passed assertions */
async function runFiles(
  { node, environment, packageFolder }: Installation,
  names: readonly string[],
): Promise<number> {
  const env = { ...environment, ...MALLOC_SETTINGS, TAP_TIMEOUT: String(FILE_SECONDS_MAX) }
  const room = join(packageFolder, 'dist/test/rooms/room.js')
  const words = [...NODE_OPTIONS, room, ...names.map((name) => `dist/test/http/${name}`)]
  const child = spawn(node.program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
    })
  }
  const [code] = await once(child, 'close')
  const passed = [...output.matchAll(COUNTS)].at(-1)?.[1]
  if (code !== 0 || passed === undefined) {
    throw new Error(`${names.join(' ')} ended with ${code}:\n${failuresIn(output)}`)
  }
  return Number(passed)
}

/** The first failures of a TAP output, or its end. */
function failuresIn(output: string): string {
  const lines = output.split('\n')
  const failed = lines.findIndex((line) => /^\s*not ok /.test(line))
  return (failed < 0 ? lines.slice(-40) : lines.slice(failed, failed + 40)).join('\n')
}
