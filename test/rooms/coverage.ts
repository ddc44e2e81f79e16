// Functions of src/ that the tests of a folder run, to find files without a test.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../../..')
/** Not `.tap/coverage`, which each run of tap empties: the slow tests add to the quick ones. */
const FOLDER = join(ROOT, '.tap/functions')

/** Whether coverage is recorded, which takes some of the time of all tests: `.ci/run` does. */
export const IS_RECORDED = process.env['KONTOR_TEST_COVERAGE'] === '1'

/** Files of src/ that the tests of another folder run, or that only run elsewhere, and where. */
export const RUN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['src/browser/style.ts', 'a style sheet is computed when it is imported'],
  ['src/free-text/latin-forms.ts', 'its tables are computed when it is imported'],
  ['src/free-text/search-task.ts', 'test/snapshot and test/query search by it'],
  ['src/statements/csv/csv-profiles-german.ts', 'a table that is computed when it is imported'],
  ['src/statements/formats.ts', 'test/cli imports texts of all formats'],
  ['src/store/postgres/workers/answer-requests.ts', 'runs on a thread'],
  ['src/threads/workers/build-snapshot.ts', 'runs on a thread'],
  ['src/threads/workers/checkpoint.ts', 'runs on a thread'],
  ['src/threads/workers/import-file.ts', 'runs on a thread'],
  ['src/threads/workers/score-matches.ts', 'runs on a thread'],
  ['src/threads/workers/suggest-words.ts', 'runs on a thread'],
])

/** Records the functions that run in this process from now on; not those on worker threads. */
export function startCoverage(): Session {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })
  return session
}

/** Writes the functions run since then, as the coverage of the tests of `folder`. */
export function saveCoverage(session: Session, folder: string): void {
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error
    const files = taken.result.flatMap(runFileOf)
    mkdirSync(FOLDER, { recursive: true })
    const name = `${folder} ${process.pid} ${Date.now()}.json`
    writeFileSync(join(FOLDER, name), JSON.stringify({ folder, files }))
  })
}

/** @returns the source of the script, if it is one of src/ and a function in it has run */
function runFileOf({ url, functions }: Profiler.ScriptCoverage): string[] {
  if (!url.startsWith('file:')) return []
  const file = relative(ROOT, fileURLToPath(url))
  if (!file.startsWith('dist/src/')) return []
  // Ranges without a name are the script itself and functions that a mere import may run.
  const isRun = functions.some(
    ({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0),
  )
  return isRun ? [file.replace(/^dist\//, '').replace(/\.js$/, '')] : []
}

export function clearCoverage(): void {
  rmSync(FOLDER, { recursive: true, force: true })
}

/** Functions that the tests of each folder have run since the coverage was cleared. */
export function readCoverage(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  mkdirSync(FOLDER, { recursive: true })
  for (const name of readdirSync(FOLDER)) {
    const saved = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))
    const files = found.get(saved.folder) ?? new Set()
    for (const file of saved.files) files.add(file)
    found.set(saved.folder, files)
  }
  return found
}

/** The files of src/ with a function that no test of their own folder has run, sorted. */
export function filesNotRun(coverage: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path) && hasFunctions(path))
    .filter((path) => {
      const folder = path.includes('/') ? (path.split('/')[0] ?? '') : ''
      return coverage.get(folder)?.has(`src/${path.replace(/\.tsx?$/, '')}`) !== true
    })
    .map((path) => `src/${path}`)
    .sort()
}

/** The folders of src/ of which the tests have not run every file yet; the slow tests run these. */
export function foldersNotRun(
  coverage: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const files = filesNotRun(coverage).filter((file) => !RUN_ELSEWHERE.has(file))
  return new Set(files.map((file) => file.split('/')[1] ?? ''))
}

function hasFunctions(path: string): boolean {
  const compiled = join(ROOT, 'dist/src', path.replace(/\.tsx?$/, '.js'))
  return /\bfunction\b|\bclass\b|=>/.test(readFileSync(compiled, 'utf8').replace(/^\s*\*.*$/gm, ''))
}
