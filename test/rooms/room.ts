// Runs test files one after the other in this process: `node dist/test/rooms/room.js FILE…`, with
// the paths of compiled files from the root of the repository. A process for each file would take
// longer than most files.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { t as root, type Test } from 'tap'
import { IS_RECORDED, saveCoverage, startCoverage } from './coverage.js'
import { WAITING } from './plan.js'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Where tests have their folders. */
const FOLDER = process.env['KONTOR_TEST_FOLDER'] ?? resolve(ROOT, '.tap/fixtures')

/**
 * Time limit of one file, which ends what hangs. A kill loop takes a minute alone, and ten on a
 * machine with ten times as much to do.
 */
const FILE_TIMEOUT_MS = 900_000

/**
 * Runs the files in this order, each as a subtest with its path as the name. A file declares its
 * tests by calling `test` of tap while it is imported: these calls, made on the root of the
 * process, become subtests of the file's own.
 */
async function runFiles(files: readonly string[]): Promise<void> {
  const declare = root.sub.bind(root)
  let running: Test | undefined
  // The runner adopts this limit as well.
  root.setTimeout(files.length * FILE_TIMEOUT_MS)
  root.sub = (Class, extra, caller) =>
    running === undefined ? declare(Class, extra, caller) : running.sub(Class, extra, caller)
  for (const file of files) {
    await root.test(file, { timeout: FILE_TIMEOUT_MS }, async (t) => {
      // Below the working directory, which tap would otherwise leave when it removes this one.
      t.testdirName = resolve(FOLDER, file.replaceAll('/', '-'))
      if (WAITING.has(sourceOf(file))) t.jobs = 2
      running = t
      await import(pathToFileURL(resolve(ROOT, file)).href)
    })
    running = undefined
  }
}

/** The path of a compiled file's source below test/. */
function sourceOf(file: string): string {
  return file.replace(/^dist\/test\//, '').replace(/\.js$/, '.ts')
}

// Programs under test have the settings that users have, not those of process-settings.ts.
for (const name of Object.keys(process.env)) {
  if (name.startsWith('MALLOC_')) delete process.env[name]
}

const files = process.argv.slice(2)
const [, folder = ''] = /^dist\/test\/(?:([^/]+)\/)?/.exec(files[0] ?? '') ?? []
const coverage = IS_RECORDED ? startCoverage() : undefined
await runFiles(files)
if (coverage !== undefined) saveCoverage(coverage, folder)
