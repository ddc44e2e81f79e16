// npm run matrix [-- 22 24 26]: kontor's tarball, installed and used on each of these Node.js.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runContractTests } from './contract-tests.js'
import { installKontor, packKontor } from './installation.js'
import { checkInstallation } from './installation-check.js'
import { fetchNode } from './node-release.js'

const ROOT = resolve(import.meta.dirname, '../..')
/** Below the checkout, so that the tests find the libraries that only they import. */
const FOLDER = join(ROOT, '.matrix')
const LINES = ['20', '22', '24', '26']
const STATEMENT = 'camt053/iso20022js__ing-example_camt.xml'

const HELP = `npm run matrix [-- VERSION…]

Packs kontor, and for each version of Node.js (default ${LINES.join(', ')})
fetches it from the npm registry into .matrix/, installs the tarball into an empty folder, on
Node.js 22 and newer with no compiler on the PATH, and uses it: imports a file, serves, lists,
searches, matches, makes a key and an OAuth integration, walks the code flow, calls an MCP tool,
restarts from the cache, is killed and starts again, backs up and restores; then runs the quick
tests of the HTTP layer against it. Prints a line per version; exits with 1 when any fails.
KONTOR_STATEMENTS names a folder of real bank files; without it an invented one is imported.
`

/** @returns whether all steps passed */
async function runLine(line: string, tarball: string): Promise<boolean> {
  const startedMs = performance.now()
  let at = 'fetching Node.js'
  let version = line
  const report = (step: string): void => {
    at = step
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[Knode ${version}: ${step}`)
  }
  try {
    const node = await fetchNode(line, join(FOLDER, 'node'))
    version = node.version
    report('npm install')
    const installation = await installKontor(tarball, node, join(FOLDER, `kontor-on-${line}`))
    await checkInstallation(installation, statementPath(), report)
    const { fileCount, passedCount } = await runContractTests(installation, report)
    const tests = `${passedCount.toLocaleString('en')} assertions of ${fileCount} test files`
    print(`ok    node ${version}: installed, used, ${tests}, ${secondsSince(startedMs)} s`)
    return true
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    print(`fail  node ${version}: ${at}, after ${secondsSince(startedMs)} s: ${text}`)
    return false
  }
}

function statementPath(): string {
  const folder = process.env['KONTOR_STATEMENTS']
  const real = folder === undefined ? undefined : join(folder, STATEMENT)
  return real !== undefined && existsSync(real) ? real : join(ROOT, 'data/example/statement.xml')
}

function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 1_000)
}

function print(line: string): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  process.stdout.write(`${line}\n`)
}

const words = process.argv.slice(2)
if (words.includes('--help')) {
  process.stdout.write(HELP)
} else {
  const tarball = await packKontor(FOLDER)
  for (const line of words.length === 0 ? LINES : words) {
    if (!(await runLine(line, tarball))) process.exitCode = 1
  }
}
