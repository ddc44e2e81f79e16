import type { EpochMs } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import type { Work } from '../store/work.js'
import type { Access, Caller } from './access.js'
import { appendAudit } from './audit.js'

interface PendingUse {
  readonly access: Access
  at: EpochMs
  /** Of the last use. */
  address: string
  count: number
}

/**
 * Uses of keys from addresses that are not allowed: a key was stolen, or a list is wrong. Written
 * to the audit log now and then, one row per key, so that frequent attempts do not fill it.
 */
export class BlockedKeyUses {
  /** By the tag of the access. */
  #pending = new Map<string, PendingUse>()

  constructor(
    private readonly control: ControlStore,
    private readonly clock: () => EpochMs,
  ) {}

  /** Notes that a key was refused because of the caller's address. */
  note(access: Access, { remoteAddress }: Caller): void {
    const known = this.#pending.get(access.tag) ?? { access, at: 0, address: '', count: 0 }
    known.at = this.clock()
    known.address = remoteAddress
    known.count += 1
    this.#pending.set(access.tag, known)
  }

  /** Writes the uses noted before. Rejects with StoreError; the noted uses are kept then. */
  async write(): Promise<void> {
    if (this.#pending.size === 0) return
    const written = this.#pending
    const uses = [...written.values()]
    this.#pending = new Map()
    try {
      await this.control.atomically(function* () {
        for (const use of uses) yield* record(use)
      })
    } catch (error) {
      for (const [tag, use] of this.#pending) {
        use.count += written.get(tag)?.count ?? 0
        written.set(tag, use)
      }
      this.#pending = written
      throw error
    }
  }
}

function record({ access, at, address, count }: PendingUse): Work<void> {
  const { key, workspaceId, keyScope } = access
  const actor = { who: `key:${key?.id}`, address, requestId: null }
  return appendAudit(actor, at, {
    action: key?.kind === 'mcp' ? 'mcp_key.refuse' : 'api_key.refuse',
    subject: key?.id,
    workspaceId,
    integrationId: keyScope.integrationId,
    outcome: 'refused',
    detail: { name: keyScope.name, times: count },
  })
}
