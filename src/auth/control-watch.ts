import type { ControlVersions } from '../store/control-store.js'

/**
 * How long the result "control.db was not written to" is trusted. A check is a system call; a
 * commit and a request that follows it take at least 0.4 ms in one process of Node.js.
 */
export const CREDENTIAL_TRUST_MS = 0.1

/**
 * Detects writes of control data. Other programs' writes are checked for unless that was done
 * within the last {@link CREDENTIAL_TRUST_MS}, so a revoked credential fails on the next request: a
 * client that has seen the revocation commit cannot send one sooner. Writes of this process are
 * known at once.
 */
export class ControlWatch {
  #generation = 0
  #dataVersion = ''
  #ownWriteCount = -1
  #checkedAtMs = Number.NEGATIVE_INFINITY

  /** @param ticks ms with fractions, never decreasing */
  constructor(
    private readonly control: ControlVersions,
    private readonly ticks: () => number,
  ) {}

  /** Has the next call check, however short a time ago the last one did. */
  expire(): void {
    this.#checkedAtMs = Number.NEGATIVE_INFINITY
  }

  /** Grows when a write was noticed since the last call. */
  generation(): number {
    const nowMs = this.ticks()
    const { ownWriteCount } = this.control
    if (nowMs - this.#checkedAtMs < CREDENTIAL_TRUST_MS && ownWriteCount === this.#ownWriteCount) {
      return this.#generation
    }
    this.#checkedAtMs = nowMs
    this.#ownWriteCount = ownWriteCount
    const dataVersion = this.control.dataVersion()
    if (dataVersion !== this.#dataVersion) {
      this.#dataVersion = dataVersion
      this.#generation += 1
    }
    return this.#generation
  }
}
