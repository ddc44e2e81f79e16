import { createRandomText } from '../auth/secret.js'
import type { Session } from '../browser/sessions.js'
import type { EpochMs } from '../instant.js'

/** Lifetime of a one-time note: long enough for a redirect on a slow line. */
export const ONE_TIME_NOTE_MS = 60_000

/** One-time notes held at the same time; beyond it the oldest is dropped. */
export const ONE_TIME_NOTES_MAX = 1_000

interface Note {
  readonly token: string
  readonly text: string
  readonly untilMs: EpochMs
}

/**
 * Content that a form has created and the next page shows once, such as a new key: a redirect is
 * between the two, and a secret must not be in its URL. In memory alone, for a minute.
 */
export class OneTimeNotes {
  readonly #notes = new Map<string, Note>()

  constructor(private readonly clock: () => EpochMs) {}

  /** Keeps a text for the session. @returns its id, fit for a URL */
  put({ token }: Session, text: string): string {
    const nowMs = this.clock()
    for (const [id, note] of this.#notes) {
      if (note.untilMs > nowMs && this.#notes.size < ONE_TIME_NOTES_MAX) break
      this.#notes.delete(id)
    }
    const id = createRandomText()
    this.#notes.set(id, { token, text, untilMs: nowMs + ONE_TIME_NOTE_MS })
    return id
  }

  /**
   * Removes and returns a text. @returns undefined when it was taken, is too old, or is another
   * session's
   */
  take({ token }: Session, id: string | undefined): string | undefined {
    const note = this.#notes.get(id ?? '')
    if (id === undefined || note === undefined || note.token !== token) return undefined
    this.#notes.delete(id)
    return note.untilMs > this.clock() ? note.text : undefined
  }
}
