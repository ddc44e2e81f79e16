import { randomBytes } from 'node:crypto'
import type { Snapshot } from '../snapshot/snapshot.js'

/** Source of the part of an entity-tag that depends on program and data. */
export interface StateTagSource {
  /** For documents that depend only on the program and its options. */
  readonly program: string
  /** Equal for snapshots whose answers are equal. */
  of(snapshot: Pick<Snapshot, 'generation' | 'version'>): string
}

/**
 * Tags of one process. After a restart, the program may render differently, or a restored file may
 * have the same sequence with other rows, so an earlier tag must not match.
 */
export function processTags(): StateTagSource {
  const program = randomBytes(6).toString('base64url')
  return { program, of: ({ generation }) => `${program}.${generation}` }
}

/**
 * Tags that are equal on all nodes of a database, so that a copy stays valid when another node
 * answers. The mark of a change distinguishes two histories.
 * @param program its version and options, as far as answers depend on them
 */
export function nodeTags(program: () => string): StateTagSource {
  return {
    get program() {
      return program()
    },
    of: ({ version: { uid, sequence, mark } }) => `${program()}.${uid}.${sequence}.${mark}`,
  }
}
