// Workload: `kontor import` into an empty workspace, as a process of its own.
//   ndjson   the export of the demo's company, 1,000,000 rows, seed 7
//   camt053  a generated statement of 10 MB and one of 100 MB: memory must not grow with the file
// Read: rows per second and peak memory, and which step of a statement's import takes how much of
// its time; there is no floor and no peer.
// Run: npm run bench -- import [--rows N]
import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeCamtFile } from './camt-file.js'
import { runToEnd } from './child.js'
import { openCorpus, WORKSPACE_ID } from './corpus.js'
import { type ImportSteps, measureSteps } from './import-steps.js'
import { memoryFigures } from './process-figures.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'

/** Cost of one import. */
export interface ImportFigures {
  readonly name: string
  readonly fileBytes: number
  readonly rowCount: number
  readonly seconds: number
  /** NaN where the system does not report it. */
  readonly peakResidentBytes: number
  /** Of the smaller generated statement alone. */
  readonly steps?: ImportSteps
}

/** Sizes of the generated statements, ascending. */
export interface ImportOptions {
  readonly camtBytes: readonly [small: number, large: number]
}

/** Imports each file into its own workspace and checks that every row has arrived. */
export async function measureImports(
  settings: Settings,
  { camtBytes }: ImportOptions,
): Promise<readonly ImportFigures[]> {
  const { say, rowCount, seed } = settings
  const corpus = await openCorpus(settings)
  const ndjson = join(corpus.path, 'export.ndjson')
  if (!existsSync(ndjson)) {
    say('exporting the corpus')
    const words = ['export', '--data-dir', corpus.directory.path, '--workspace', WORKSPACE_ID]
    await runToEnd('program/main.js', [...words, '--output', ndjson])
  }
  const scratch = join(corpus.path, 'imports')
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch)
  try {
    say(`importing ${rowCount} rows of NDJSON`)
    const figures = [await importFile(scratch, ndjson, { name: 'ndjson', rowCount })]
    for (const byteCount of camtBytes) {
      const path = join(scratch, `statement-${byteCount}.xml`)
      const entryCount = writeCamtFile(path, byteCount, seed)
      const name = `camt053, ${shown(byteCount / 1e6)} MB`
      say(`importing ${name}`)
      const whole = await importFile(scratch, path, { name, rowCount: entryCount })
      const isFirst = byteCount === camtBytes[0]
      const steps = isFirst ? { steps: await measureSteps('camt053', path, scratch) } : {}
      figures.push({ ...whole, ...steps })
    }
    return figures
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function importFile(
  scratch: string,
  path: string,
  expected: { readonly name: string; readonly rowCount: number },
): Promise<ImportFigures> {
  const dataDir = join(scratch, 'data')
  let peakResidentBytes = Number.NaN
  const words = ['import', '--data-dir', dataDir, '--workspace', 'bench', '--json', path]
  const { stdout, seconds } = await runToEnd('program/main.js', words, (pid) => {
    peakResidentBytes = memoryFigures(pid)?.peakResidentBytes ?? peakResidentBytes
  })
  const { added } = JSON.parse(stdout) as { added: number }
  assert.equal(added, expected.rowCount, `${expected.name}: every row is imported`)
  rmSync(dataDir, { recursive: true })
  return { ...expected, fileBytes: statSync(path).size, seconds, peakResidentBytes }
}

/**
 * Upper bound of the memory ratio for ten times the file: 50 B an entry, and buffers filled once.
 */
const GROWTH_MAX = 1.2

/** Speed of a large statement: a year of a busy account takes a few seconds. */
const CAMT_ROWS_PER_SECOND_MIN = 20_000

/** What keeps the speeds from their bounds. */
const ROW_OBSTACLE =
  'one thread reads, checks and writes a row after the other, and logs each for those who follow ' +
  'the changes.'

/** What makes the peak of a large file higher: the same with a heap of 64 MB as without a limit. */
const PEAK_OBSTACLE =
  'an entry adds 60 to 90 B to the peak, whatever the limit of the heap; the rest is garbage, ' +
  'which differs from run to run (1.07 to 1.28 ×).'

/** Bounds of the figures. @param figures as {@link measureImports} returns them */
export function importTargets(figures: readonly ImportFigures[]): Target[] {
  const [ndjson, small, large] = figures
  return [
    {
      what: 'import of the NDJSON export',
      measured: ndjson?.seconds ?? Number.NaN,
      unit: 's',
      bound: 40,
      direction: 'at most',
      obstacle: ROW_OBSTACLE,
    },
    {
      what: `import of the ${megabytes(large)} statement`,
      measured: (large?.rowCount ?? Number.NaN) / (large?.seconds ?? Number.NaN),
      unit: 'rows/s',
      bound: CAMT_ROWS_PER_SECOND_MIN,
      direction: 'at least',
      obstacle: ROW_OBSTACLE,
    },
    {
      what: `peak of the ${megabytes(large)} file against the ${megabytes(small)} one`,
      measured: (large?.peakResidentBytes ?? Number.NaN) / (small?.peakResidentBytes ?? Number.NaN),
      unit: '×',
      bound: GROWTH_MAX,
      direction: 'at most',
      obstacle: PEAK_OBSTACLE,
    },
  ]
}

function megabytes(figures: ImportFigures | undefined): string {
  return `${shown((figures?.fileBytes ?? Number.NaN) / 1e6)} MB`
}

/** The figures as Markdown. */
export function reportImports(figures: readonly ImportFigures[]): string {
  const rows = figures.map(({ name, fileBytes, rowCount, seconds, peakResidentBytes }) => [
    name,
    shown(fileBytes / 1e6),
    shown(rowCount),
    shown(seconds),
    shown(rowCount / seconds),
    shown(peakResidentBytes / 1e6),
  ])
  const head = ['file', 'MB', 'rows', 'seconds', 'rows/s', 'peak resident MB']
  const tables = [targetTable(importTargets(figures)), table(head, rows), ...stepTables(figures)]
  return tables.join('\n\n')
}

/**
 * Share of each step in the seconds of the whole import. The rest is the start of the process and
 * the code that is not compiled yet, which the steps of a warm process do not have.
 */
function stepTables(figures: readonly ImportFigures[]): string[] {
  const head = ['file', 'seconds', 'read', 'parse', 'identity', 'write', 'start and warm-up']
  const rows = figures.flatMap(({ name, seconds, steps }) => {
    if (steps === undefined) return []
    const parts = [steps.read, steps.parse, steps.identity, steps.write]
    const rest = parts.reduce((left, each) => left - each, seconds)
    const shares = [...parts, rest].map((each) => `${shown((100 * each) / seconds)} %`)
    return [[name, shown(seconds), ...shares]]
  })
  return rows.length === 0 ? [] : [table(head, rows)]
}
