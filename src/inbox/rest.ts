import type { EpochMs } from '../instant.js'
import type { FoundFile } from './found-files.js'

/** Time without a change after which a file counts as finished, unless `--settle` says other. */
export const SETTLE_MS_DEFAULT = 5_000

/**
 * Age of the last change from which on one look is enough, and for which an empty file is left
 * alone: some programs make a file long before they write it.
 */
export const AGED_MS = 60_000

/** Options of {@link Sightings}. */
export interface RestOptions {
  /** Time between two looks that see a file unchanged, ms. */
  readonly settleMs: number
  /** Epoch ms, as file systems know it. */
  readonly clock: () => EpochMs
  /** Monotonic ms: the clock of a file system may differ from that of the machine. */
  readonly ticks: () => number
}

/** The files of one folder as they were seen, to know which of them are still being written. */
export class Sightings {
  /** Name -> stamp, and when it was first seen. */
  #seen = new Map<string, { readonly stamp: string; readonly sinceTicks: number }>()

  constructor(private readonly options: RestOptions) {}

  /**
   * Takes what a look has found, and forgets all other files.
   * @returns the files that have come to rest, in their order
   */
  resting(files: readonly FoundFile[]): FoundFile[] {
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
