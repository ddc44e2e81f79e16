import { randomBytes } from 'node:crypto'
import type { Snapshot } from '../snapshot/snapshot.js'

/** What entity-tags are made of, besides the request and its credential. */
export interface StateTagSource {
  /** Of documents that depend on the program and its options alone. */
  readonly program: string
  /** Equal for snapshots whose answers are equal. */
  of(snapshot: Pick<Snapshot, 'generation' | 'version'>): string
}

/**
 * Tags of one process. Another start may render differently, and may read a file that was restored
 * and has the same sequence with other rows: an earlier tag must not match.
 */
export function processTags(): StateTagSource {
  const program = randomBytes(6).toString('base64url')
  return { program, of: ({ generation }) => `${program}.${generation}` }
}

/**
 * Tags that are the same on all nodes over one database, where the mark of a change tells pasts
 * apart: a copy stays valid when another node answers.
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
