import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Bytes of released shared memory after which a thread collects its garbage: some small
 * workspaces, whose loading takes many times the ten milliseconds of a collection.
 */
const GARBAGE_BYTES_MAX = 16_777_216

/**
 * Collects this thread's garbage when enough was released. V8 collects when its own heap grows, in
 * which a handle to shared memory weighs nothing, however many megabytes lie behind it: without
 * this, unreachable snapshots would stay in memory for minutes.
 */
export class GcTrigger {
  #bytes = 0
  #atRest: NodeJS.Timeout | undefined

  /** @param bytesMax released bytes that trigger a collection @param collect collects */
  constructor(
    private readonly bytesMax = GARBAGE_BYTES_MAX,
    private readonly collect: () => void = collector(),
  ) {}

  /** Counts a released object of that size. */
  add(byteCount: number): void {
    this.#bytes += byteCount
    if (this.#bytes > this.bytesMax) this.#collect()
  }

  /** Collects, however little was released, `restMs` after the last call. */
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
 * V8's own `gc`, which only a context created under this flag has. The flag is process-wide and
 * stays set: resetting it would reset it for a thread that is between these two lines.
 */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('V8 has no gc')
  return () => collect()
}
