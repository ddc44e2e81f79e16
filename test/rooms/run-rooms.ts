import { join, resolve } from 'node:path'
import { t as root } from 'tap'
import { type Room, roomsOf, SLOW, testFilesIn } from './plan.js'

const ROOT = resolve(import.meta.dirname, '../../..')
const ROOM = join(import.meta.dirname, 'room.js')

/**
 * Runs the tests in a process for each room, as many at once as tap has jobs; with words on the
 * command line only the rooms whose names begin with one of them. The processes do not load what
 * tap puts into NODE_OPTIONS: it notes imports on a thread of its own, once more for each thread
 * that a test starts.
 */
export function runRooms(isSlow: boolean): void {
  // The run may take longer than any file.
  root.setTimeout(0)
  root.jobs = Number(process.env['TAP_JOBS'] ?? 1)
  const names = process.argv.slice(2)
  const files = testFilesIn(join(ROOT, 'test')).filter((file) => SLOW.has(file) === isSlow)
  for (const room of roomsOf(files)) {
    if (names.length === 0 || names.some((name) => room.name.startsWith(name))) spawnRoom(room)
  }
}

function spawnRoom({ name, files }: Room): void {
  const compiled = files.map((file) => `dist/test/${file.replace(/\.tsx?$/, '.js')}`)
  const words = [process.execPath, '--enable-source-maps', ROOM, ...compiled]
  root.spawn('env', ['-u', 'NODE_OPTIONS', ...words], { cwd: ROOT }, name)
}
