import type { EpochMs } from '../instant.js'
import { noteApiKeyUses } from '../store/api-key-rows.js'
import type { ControlStore } from '../store/control-store.js'
import { noteMcpKeyUses } from '../store/mcp-key-rows.js'
import type { Access, KeyReference } from './access.js'

interface PendingUse extends KeyReference {
  at: EpochMs
  operation: string
}

/** Time and operation of each key's last use: noted in memory, written now and then. */
export class LastUses {
  /** By the tag of the access. */
  #pending = new Map<string, PendingUse>()

  constructor(
    private readonly control: ControlStore,
    private readonly clock: () => EpochMs,
  ) {}

  /** Notes a use, at the cost of a look-up. The use of a token is not noted. */
  note({ key, tag }: Access, operation: string): void {
    if (key === null) return
    const use = this.#pending.get(tag)
    if (use === undefined) {
      this.#pending.set(tag, { ...key, at: this.clock(), operation })
    } else {
      use.at = this.clock()
      use.operation = operation
    }
  }

  /**
   * Writes the uses noted before, in one transaction. Rejects with StoreError; the noted uses are
   * kept then.
   */
  async write(): Promise<void> {
    if (this.#pending.size === 0) return
    const written = this.#pending
    const uses = [...written.values()]
    this.#pending = new Map()
    try {
      await this.control.atomically(function* () {
        yield* noteApiKeyUses(usesOf(uses, 'api'))
        yield* noteMcpKeyUses(usesOf(uses, 'mcp'))
      })
    } catch (error) {
      // What was noted meanwhile is later.
      this.#pending = new Map([...written, ...this.#pending])
      throw error
    }
  }
}

function usesOf(uses: readonly PendingUse[], kind: KeyReference['kind']) {
  return uses
    .filter((use) => use.kind === kind)
    .map(({ id, at, operation }) => ({ id, at, operation }))
}
