import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { t as root } from 'tap'
import {
  clearCoverage,
  filesNotRun,
  foldersNotRun,
  IS_RECORDED,
  RUN_ELSEWHERE,
  readCoverage,
} from './coverage.js'
import { CHECKS, folderOf, ON_DISK, type Room, roomsOf, SLOW, testFilesIn } from './plan.js'
import { MALLOC_SETTINGS, NODE_OPTIONS } from './process-settings.js'

const ROOT = resolve(import.meta.dirname, '../../..')
const ROOM = join(import.meta.dirname, 'room.js')

/** Not for whole runs: each process and thread would read the maps of hundreds of modules. */
const SELECTED_OPTIONS = ['--enable-source-maps']

/** A file system in memory, where Linux has one, and the space that it needs to be used. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 2 * 1024 ** 3

/** Folder below which tap makes those of tests: a link to one in memory, where there is memory. */
const LINK = join(ROOT, '.tap/memory')

/**
 * Runs the tests in one process per room, as many at once as tap has jobs. Arguments on the command
 * line select the files whose paths below test/ begin with one of them (`house`: those in no
 * folder). The processes do not load tap's preloads in NODE_OPTIONS, which record imports on an
 * extra thread for each thread of a test.
 * @throws Error when the arguments select no file
 */
export async function runRooms(isSlow: boolean): Promise<void> {
  // The run may take longer than any file.
  root.setTimeout(0)
  root.jobs = Number(process.env['TAP_JOBS'] ?? 1)
  const names = process.argv.slice(2)
  const files = testFilesIn(join(ROOT, 'test')).filter(
    (file) => SLOW.has(file) === isSlow && !CHECKS.has(file),
  )
  const isNamed = (file: string): boolean =>
    names.some((begin) => file.startsWith(begin) || folderOf(file) === begin)
  const chosen = names.length === 0 ? files : files.filter(isNamed)
  if (chosen.length === 0) throw new Error(`no test file begins with ${names.join(' or ')}`)
  const rooms = roomsOf(chosen)
  // The quick tests run first, and the slow ones add to their coverage.
  if (IS_RECORDED && !isSlow) clearCoverage()
  const memory = isMemoryFree() ? makeMemoryFolder() : undefined
  const missing = IS_RECORDED && isSlow ? foldersNotRun(readCoverage()) : undefined
  const options = names.length === 0 ? NODE_OPTIONS : [...NODE_OPTIONS, ...SELECTED_OPTIONS]
  await Promise.all(rooms.map((room) => spawnRoom(room, { options, memory, recorded: missing })))
  if (memory !== undefined) rmSync(memory, { recursive: true, force: true })
  if (!IS_RECORDED || !isSlow || names.length > 0) return
  await root.test('the tests of each folder run every file of it', async (t) => {
    t.strictSame(filesNotRun(readCoverage()), [...RUN_ELSEWHERE.keys()])
  })
}

/** How rooms are run. */
interface RoomSettings {
  /** Of Node.js. */
  readonly options: readonly string[]
  /** Folder in memory; undefined = there is none. */
  readonly memory: string | undefined
  /** Folders whose coverage is recorded, if any is; undefined = all. */
  readonly recorded: ReadonlySet<string> | undefined
}

async function spawnRoom(
  { name, files }: Room,
  { options, memory, recorded }: RoomSettings,
): Promise<void> {
  const compiled = files.map((file) => `dist/test/${file.replace(/\.tsx?$/, '.js')}`)
  const isOnDisk = memory === undefined || files.some((file) => ON_DISK.has(folderOf(file)))
  const folder = isOnDisk ? [] : [`TMPDIR=${memory}`, `KONTOR_TEST_FOLDER=${LINK}`]
  const isRecorded = recorded === undefined || recorded.has(folderOf(files[0] ?? ''))
  const coverage = isRecorded ? [] : ['KONTOR_TEST_COVERAGE=0']
  const words = [
    ...folder,
    ...coverage,
    ...Object.entries(MALLOC_SETTINGS).map(([name, value]) => `${name}=${value}`),
    process.execPath,
    ...options,
    ROOM,
    ...compiled,
  ]
  await root.spawn('env', ['-u', 'NODE_OPTIONS', ...words], { cwd: ROOT }, name)
}

/** Makes a folder in memory, and a link to it. @returns its path */
function makeMemoryFolder(): string {
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'kontor-tests-'))
  mkdirSync(join(ROOT, '.tap'), { recursive: true })
  rmSync(LINK, { force: true })
  symlinkSync(folder, LINK)
  return folder
}

/**
 * Whether folders of tests can be in memory: each of a thousand services waits a dozen times for a
 * disk, for milliseconds.
 */
function isMemoryFree(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MEMORY_BYTES_MIN
}
