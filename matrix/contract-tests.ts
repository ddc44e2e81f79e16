import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addTests, type Installation } from './installation.js'

/** Numbers of passed assertions of the HTTP layer's tests. */
export interface ContractCounts {
  readonly fileCount: number
  readonly passedCount: number
}

const FILES_AT_ONCE = 2
/** As package.json sets it for all tests; by default tap ends a file after thirty seconds. */
const FILE_SECONDS_MAX = 600
const COUNTS = /^# \{ total: \d+, pass: (\d+)/gm

/**
 * Runs the tests of the HTTP layer, over every engine that loads, against the installed program.
 * @param report called with the name of each file before it runs
 * @throws Error with the end of the output of the first file that fails
 */
export async function runContractTests(
  installation: Installation,
  report: (file: string) => void,
): Promise<ContractCounts> {
  const folder = join(addTests(installation), 'http')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.js')).sort()
  const left = [...files]
  let passedCount = 0
  const runSome = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      report(name)
      // Not `+= await`, which would add to the count from before the wait.
      const passed = await runFile(installation, join(folder, name))
      passedCount += passed
    }
  }
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, runSome))
  return { fileCount: files.length, passedCount }
}

/** @returns the number of passed assertions */
async function runFile({ node, environment }: Installation, file: string): Promise<number> {
  const env = { ...environment, TAP_TIMEOUT: String(FILE_SECONDS_MAX) }
  const child = spawn(node.program, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
    })
  }
  const [code] = await once(child, 'close')
  const passed = [...output.matchAll(COUNTS)].at(-1)?.[1]
  if (code !== 0 || passed === undefined) {
    throw new Error(`${file} ended with ${code}:\n${failuresIn(output)}`)
  }
  return Number(passed)
}

/** The first failures of a TAP output, or its end. */
function failuresIn(output: string): string {
  const lines = output.split('\n')
  const failed = lines.findIndex((line) => /^\s*not ok /.test(line))
  return (failed < 0 ? lines.slice(-40) : lines.slice(failed, failed + 40)).join('\n')
}
