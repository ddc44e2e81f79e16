import type { EpochMs } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import type { Access, Caller } from './access.js'
import { appendAudit } from './audit.js'

interface PendingUse {
  readonly access: Access
  at: EpochMs
  /** Of the last one. */
  address: string
  count: number
}

/**
 * Keys that were used from where they may not be: somebody has got hold of them, or a list is
 * wrong. Told to the audit log now and then, one row a key, so that trying often fills nothing.
 */
export class BlockedKeyUses {
  /** By the tag of the access. */
  #pending = new Map<string, PendingUse>()

  constructor(
    private readonly control: ControlFile,
    private readonly clock: () => EpochMs,
  ) {}

  /** Notes that a key was refused for where the caller is. */
  note(access: Access, { remoteAddress }: Caller): void {
    const known = this.#pending.get(access.tag) ?? { access, at: 0, address: '', count: 0 }
    known.at = this.clock()
    known.address = remoteAddress
    known.count += 1
    this.#pending.set(access.tag, known)
  }

  /** Writes what was noted. @throws StoreError; what was noted is kept */
  write(): void {
    if (this.#pending.size === 0) return
    this.control.atomically(() => {
      for (const refusal of this.#pending.values()) this.#record(refusal)
    })
    this.#pending = new Map()
  }

  #record({ access, at, address, count }: PendingUse): void {
    const { key, workspaceId, keyScope } = access
    const actor = { who: `key:${key?.id}`, address, requestId: null }
    appendAudit(this.control, actor, at, {
      action: key?.kind === 'mcp' ? 'mcp_key.refuse' : 'api_key.refuse',
      subject: key?.id,
      workspaceId,
      integrationId: keyScope.integrationId,
      outcome: 'refused',
      detail: { name: keyScope.name, times: count },
    })
  }
}
