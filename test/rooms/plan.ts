// Test files that share a process: those of a folder, in groups that give two jobs equal work.
import { readdirSync } from 'node:fs'

/** Test files, as paths below test/, that one process runs one after the other. */
export interface Room {
  readonly name: string
  readonly files: readonly string[]
}

/** Upper bound of files in a process: no process takes much longer than the others. */
const ROOM_FILES_MAX = 32

/** Files that need a process of their own, and why. */
export const ALONE: ReadonlyMap<string, string> = new Map([
  ['threads/thread-priority.ts', 'lowers the priority of its process, which cannot be raised'],
  ...['backup-killed', 'inbox-killed', 'restart-compacting', 'restart-killed'].map(
    (file) => [`cli/${file}.ts`, 'runs next to another kill loop'] as const,
  ),
  ['cli/restart.ts', 'takes as long as the rest of its folder'],
  ['cli/serve.ts', 'takes as long as the rest of its folder'],
  ['security/doubling.ts', 'measures the time of its process'],
  ['security/growing-imports.ts', 'measures the time of its process'],
  ['security/shares.ts', 'measures the time of its process'],
])

/** Files that `npm run check` runs. */
export const CHECKS: ReadonlySet<string> = new Set([
  'documents.ts',
  'security/regular-expressions.ts',
  'speed-figures.ts',
  'tidy-names.ts',
  'tidy-tests.ts',
  'tidy.ts',
])

/** Files whose tests run two at once, because each waits for processes of its own. */
export const WAITING: ReadonlySet<string> = new Set([
  'cli/restart.ts',
  'cli/serve.ts',
  'fuzz/run.ts',
])

/** Folders whose tests are about files on a disk: their files are written to one. */
export const ON_DISK: ReadonlySet<string> = new Set(['backup', 'changes', 'snapshot', 'store'])

/**
 * Files of `npm run test:slow`, the longest first, and why they take long. Kill loops, which take
 * all cores, run next to each other and not next to files with time limits.
 */
export const SLOW: ReadonlyMap<string, string> = new Map([
  ['cli/restart-compacting.ts', 'kills a service over and over'],
  ['cli/restart-killed.ts', 'kills a service over and over'],
  ['cli/inbox-killed.ts', 'kills an inbox over and over'],
  ['cli/backup-killed.ts', 'kills a backup over and over'],
  ['cli/restart.ts', 'starts services over and over'],
  ['cli/serve.ts', 'starts services over and over'],
  ['http/operations/match-pressure.ts', 'refuses a thousand matches'],
  ['http/operations/match-hostile.ts', 'lets the worst matches run out of time'],
  ['dashboard/pages/chromium.ts', 'opens pages in a browser'],
  ['dashboard/chromium.ts', 'opens pages in a browser'],
  ['dashboard/journey.ts', 'opens pages in a browser'],
  ['http/operations/match-bytes.ts', 'scores each demo row of three seeds'],
  ['bench/reads.ts', 'runs a bench'],
  ['fuzz/run.ts', 'sends hostile requests for seconds'],
  ['bench/launch.ts', 'runs benches of the command'],
  ['oauth/chromium.ts', 'opens pages in a browser'],
  ['bench/live.ts', 'runs a bench'],
  ['bench/changes.ts', 'runs a bench'],
  ['changes/replicas.ts', 'replays more than ten thousand changes'],
  ['deploy/proxies.ts', 'starts each proxy'],
  ['bench/match.ts', 'runs a bench'],
  ['threads/builder-pool.ts', 'starts threads over and over'],
  ['threads/thread-pool.ts', 'starts threads over and over'],
  ['security/credentials-and-operations.ts', 'calls each operation with each credential'],
  ['mcp/conformance.ts', 'runs the MCP conformance suite'],
  ['oauth/conformance.ts', 'runs the MCP conformance suite'],
  ['security/spreadsheets.ts', 'opens exports in LibreOffice'],
  ['changes/example-programs.ts', 'runs the programs of a page'],
  ['openapi/document.ts', 'runs linters over the document'],
  ['ci/package.ts', 'packs the package'],
  ['cli/doctor.ts', 'starts services over and over'],
  ['cli/import-files.ts', 'imports every real bank file'],
  ['snapshot/snapshot-file-killed.ts', 'kills a write over and over'],
  ['match/score.ts', 'compares hundreds of thousands of scores'],
  ['match/scan.ts', 'compares thousands of scans'],
  ['snapshot/cache.ts', 'compares caches with files after any writes'],
  ['snapshot/snapshot-updater.ts', 'follows hundreds of changes'],
  ['changes/model.ts', 'compares a service with its file after hundreds of changes'],
  ['free-text/rows-with-terms.ts', 'compares hundreds of indexes'],
  ['embedded/closing.ts', 'opens and closes services over and over'],
  ['security/unseen-account.ts', 'compares two services, call by call'],
  ['security/doubling.ts', 'measures readers over and over'],
  ['cli/log-secrecy.ts', 'starts services over and over'],
  ['http/operations/batch-match.ts', 'compares batches with single matches'],
  ['bench/batch.ts', 'runs a bench'],
  ['query/sort-key.ts', 'compares hundreds of orders'],
  ['snapshot/follow.ts', 'follows hundreds of changes'],
  ['query/row-position.ts', 'compares hundreds of lists'],
  ['query/match-rank.ts', 'compares hundreds of rankings'],
  ['threads/match-pool.ts', 'starts threads over and over'],
  ['match/alignment.ts', 'compares thousands of alignments'],
  ['match/unit-score.ts', 'compares thousands of scores'],
  ['http/operations/get-transaction-changes.ts', 'compares hundreds of changes'],
  ['embedded/types.ts', 'compiles programs against the package'],
  ['changes/filters.ts', 'compares hundreds of copies'],
  ['dashboard/pages/explorer/chromium.ts', 'opens pages in a browser'],
  ['changes/consistency.ts', 'reads for seconds while another process writes'],
  ['security/growing-imports.ts', 'imports each of many files up to a dozen times'],
  ['bench/search.ts', 'runs a bench'],
  ['cli/import-hostile.ts', 'imports every real bank file, damaged'],
  ['changes/many-workspaces.ts', 'serves more workspaces than fit in memory'],
  ['security/shares.ts', 'matches on 300 connections for seconds'],
  ['bench/auth-reads.ts', 'runs a bench'],
  ['cli/import-process.ts', 'kills imports'],
  ['cli/store-flag.ts', 'starts PostgreSQL'],
  ['cli/served-database.ts', 'starts PostgreSQL'],
  ['bench/shares.ts', 'runs a bench'],
  ['bench/mcp.ts', 'runs a bench'],
  ['embedded/documented-program.ts', 'compiles a program against the package'],
  ['bench/scale.ts', 'runs a bench'],
  ...[
    ...[
      'blocking-connection',
      'change-log',
      'change-order',
      'confirmations',
      'connect',
      'connection-pool',
    ],
    ...['control-database', 'control-races', 'control-tables', 'faults', 'foreign-writers'],
    ...['migrations', 'node-presence', 'node-table', 'postgres-catalog', 'postgres-copy'],
    ...['postgres-reader', 'postgres-store', 'postgres-watch', 'postgres-writer', 'pulse'],
    ...['reader-twins', 'same-work', 'upkeep', 'workspace-tables'],
    ...['writer-imports', 'writer-races', 'writer-twins'],
  ].map((file) => [`store/postgres/${file}.ts`, 'starts PostgreSQL'] as const),
  ...[
    ...['access-ended', 'another-past', 'clocks', 'database-lost', 'imports', 'nodes-lost'],
    ...['refused-readers', 'sign-in', 'soak', 'stopped-node', 'visibility'],
  ].map(
    (file) => [`cluster/${file}.ts`, 'starts PostgreSQL, and three nodes for each test'] as const,
  ),
  ['bench/pages.ts', 'runs a bench'],
  ['bench/cluster.ts', 'runs a bench over PostgreSQL'],
  ['bench/polls.ts', 'runs a bench over PostgreSQL'],
  ['bench/summary.ts', 'runs a bench'],
  ['bench/embedded.ts', 'runs a bench'],
  ['bench/suggest.ts', 'runs a bench'],
  ['bench/hidden.ts', 'runs a bench'],
  ['bench/start.ts', 'runs a bench'],
  ['bench/import.ts', 'runs a bench'],
  ['bench/many.ts', 'runs a bench'],
  ['bench/match-eval/run.ts', 'runs a bench'],
  ['bench/import-eval/run.ts', 'imports every real bank file'],
])

/**
 * Folders whose slow files share a process, except those in {@link ALONE}: that saves about a
 * second a file, and starts of PostgreSQL.
 */
export const SHARED: readonly string[] = [
  ...['bench', 'changes', 'cli', 'cluster', 'dashboard', 'embedded', 'http', 'match', 'oauth'],
  ...['query', 'security', 'snapshot', 'store/postgres', 'threads'],
]

/** All test files below `folder`, as paths from there, in the order of their names. */
export function testFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^(fixtures|rooms)\//.test(file))
    .sort()
}

/** The folder of a test file, `house` for those in none. */
export function folderOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : 'house'
}

/** The rooms of these files, the longest first, so that no job ends long after the others. */
export function roomsOf(files: readonly string[]): Room[] {
  const ofFolder = new Map<string, string[]>()
  const rooms: Room[] = []
  for (const file of files) {
    const shared = SHARED.find((folder) => file.startsWith(`${folder}/`))
    const folder = SLOW.has(file) ? shared : folderOf(file)
    const isAlone = ALONE.has(file) || folder === undefined
    if (isAlone) rooms.push({ name: file.replace(/\.tsx?$/, ''), files: [file] })
    else ofFolder.set(folder, [...(ofFolder.get(folder) ?? []), file])
  }
  for (const [folder, all] of ofFolder) {
    const count = Math.ceil(all.length / ROOM_FILES_MAX)
    for (let i = 0; i < count; i++) {
      const part = all.filter((_, at) => at % count === i)
      rooms.push({ name: count === 1 ? folder : `${folder} ${i + 1} of ${count}`, files: part })
    }
  }
  const place = (room: Room): number => [...SLOW.keys()].indexOf(room.files[0] ?? '')
  return rooms.sort((a, b) => b.files.length - a.files.length || place(a) - place(b))
}
