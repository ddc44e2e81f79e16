import type { StatementEvent } from './statement.js'

/** Kinds of a statement's notes: more than real files have; bounds the memory of hostile ones. */
const KINDS_MAX = 20

/**
 * Warnings shared by many entries of a statement: one for each kind, with the number of entries.
 */
export class CountedNotes {
  readonly #notes = new Map<string, { position: string; message: string; count: number }>()

  /**
   * Counts an entry; kinds after the 20th are ignored.
   * @param kind what the entries have in common   @param message of the first one of the kind
   */
  add(kind: string, position: string, message: string): void {
    const note = this.#notes.get(kind)
    if (note !== undefined) note.count += 1
    else if (this.#notes.size < KINDS_MAX) this.#notes.set(kind, { position, message, count: 1 })
  }

  /** Returns the warnings in the order of their first entries, and forgets them. */
  take(): StatementEvent[] {
    const events = [...this.#notes.values()].map(({ position, message, count }): StatementEvent => {
      const more = count - 1
      const others = more === 1 ? '1 more entry' : `${more} more entries`
      const sentence = more === 0 ? message : `${message}; the same holds for ${others}`
      return { kind: 'warning', message: sentence, position }
    })
    this.#notes.clear()
    return events
  }
}
