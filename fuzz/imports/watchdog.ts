// Ends the process when an input takes so long that the run does not come back from it: on a thread
// of its own, because such an input keeps the main thread busy.
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

/** Worker data. */
export interface WatchdogOptions {
  /** Shared: the number of the present input, and of its format among `formats`. */
  readonly present: Int32Array
  readonly formats: readonly string[]
  readonly seed: number
}

const LOOK_MS = 1_000

/** Looks at one and the same input before it is taken for a hang, on a busy machine too. */
const LOOKS_MAX = 60

const { present, formats, seed } = workerData as WatchdogOptions
let last = ''
for (let looks = 0; ; looks++) {
  await wait(LOOK_MS)
  const [input = 0, format = 0] = [Atomics.load(present, 0), Atomics.load(present, 1)]
  const now = `--format ${formats[format]} --seed ${seed} --input ${input}`
  if (now !== last) looks = 0
  last = now
  if (looks < LOOKS_MAX) continue
  writeSync(2, `fuzz: an input hangs\n  repeat: npm run fuzz -- imports ${now}\n`)
  process.kill(process.pid, 'SIGKILL')
}
