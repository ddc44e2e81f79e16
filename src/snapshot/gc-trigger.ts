import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects this thread's garbage when enough was let go of. V8 does so when its own heap grows, in
 * which a handle to shared memory weighs nothing, however many megabytes lie behind it: without
 * this, snapshots that nobody holds any more would stay in memory for minutes.
 */
export class GcTrigger {
  #bytes = 0
  #atRest: NodeJS.Timeout | undefined

  /** @param bytesMax so much may lie about   @param collect collects it */
  constructor(
    private readonly bytesMax: number,
    private readonly collect: () => void = collector(),
  ) {}

  /** Something of that size has been let go of. */
  add(byteCount: number): void {
    this.#bytes += byteCount
    if (this.#bytes > this.bytesMax) this.#collect()
  }

  /** It is collected, however little, when this has not been called for so long. */
  collectAfter(restMs: number): void {
    this.#atRest ??= setTimeout(() => this.#collect(), restMs).unref()
    this.#atRest.refresh()
  }

  #collect(): void {
    this.#bytes = 0
    this.collect()
  }
}

/**
 * V8's own `gc`, which only a context that is made under this flag has. The flag is the process's,
 * and stays: turned off, it would be off for a thread that is between these two lines.
 */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('V8 has no gc')
  return () => collect()
}
