// Ends the process when an input hangs. It runs on a separate thread, because such an input blocks
// the main thread.
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

/** Worker data. */
export interface WatchdogOptions {
  /** Shared: the number of the current input, and of its format among `formats`. */
  readonly present: Int32Array
  readonly formats: readonly string[]
  readonly seed: number
}

const CHECK_MS = 1_000

/** Checks that find the same input before it counts as a hang; enough for a busy machine. */
const CHECKS_MAX = 60

const { present, formats, seed } = workerData as WatchdogOptions
let last = ''
for (let checks = 0; ; checks++) {
  await wait(CHECK_MS)
  const [input = 0, format = 0] = [Atomics.load(present, 0), Atomics.load(present, 1)]
  const now = `--format ${formats[format]} --seed ${seed} --input ${input}`
  if (now !== last) checks = 0
  last = now
  if (checks < CHECKS_MAX) continue
  writeSync(2, `fuzz: an input hangs\n  repeat: npm run fuzz -- imports ${now}\n`)
  process.kill(process.pid, 'SIGKILL')
}
