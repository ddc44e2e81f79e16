import type { EpochMs } from '../instant.js'
import type { FoundFile } from './found-files.js'

/**
 * Time without a change after which a file counts as complete, unless `--settle` specifies another.
 */
export const SETTLE_MS_DEFAULT = 5_000

/**
 * Age of the last change from which on one scan is enough. An empty file is left alone until then:
 * some programs create a file long before they write it.
 */
export const AGED_MS = 60_000

/** Options of {@link StabilityCheck}. */
export interface StabilityOptions {
  /** Time between two scans that find a file unchanged, ms. */
  readonly settleMs: number
  /** Epoch ms, as file systems know it. */
  readonly clock: () => EpochMs
  /** Monotonic ms: the clock of a file system may differ from that of the machine. */
  readonly ticks: () => number
}

/** Remembers the files of one folder from scan to scan, to know which ones are being written. */
export class StabilityCheck {
  /** Name -> stamp, and the time of the first scan that found it. */
  #seen = new Map<string, { readonly stamp: string; readonly sinceTicks: number }>()

  constructor(private readonly options: StabilityOptions) {}

  /**
   * Takes the files that a scan has found, and forgets all others.
   * @returns the files that are complete, in their order
   */
  stableFiles(files: readonly FoundFile[]): FoundFile[] {
    const nowTicks = this.options.ticks()
    const nowMs = this.options.clock()
    const before = this.#seen
    this.#seen = new Map()
    return files.filter((file) => {
      const { name, stamp, bytes } = file
      const known = before.get(name)
      const sinceTicks = known?.stamp === stamp ? known.sinceTicks : nowTicks
      this.#seen.set(name, { stamp, sinceTicks })
      const ageMs = nowMs - file.changedAtMs
      if (ageMs >= AGED_MS) return true
      return nowTicks - sinceTicks >= (bytes === 0 ? AGED_MS : this.options.settleMs)
    })
  }
}
