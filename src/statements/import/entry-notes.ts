import { isIban } from '../../iban.js'
import { formatInstant } from '../../instant.js'
import { warningOfCounterpartIban } from '../account-text.js'
import type { StatementTransaction } from '../statement.js'

/** A warning about any number of entries: it names the first one, and counts the others. */
class WarningCount {
  #first: string | undefined
  #count = 0

  /** @param sentence about the first entry; called for it alone */
  add(sentence: () => string): void {
    this.#count += 1
    this.#first ??= sentence()
  }

  sentences(): string[] {
    if (this.#first === undefined) return []
    if (this.#count === 1) return [this.#first]
    const others = this.#count === 2 ? 'one more entry' : `${this.#count - 1} more entries`
    return [`${this.#first}; the same in ${others}`]
  }
}

/** Valid IBANs that are not checked again: the customers of some weeks. */
const VALID_IBANS_MAX = 4_096

/** Assumptions and irregularities of imported entries: one warning a file for each kind. */
export class EntryNotes {
  readonly #undated = new WarningCount()
  readonly #invalidIbans = new WarningCount()
  readonly #validIbans = new Set<string>()

  take({ position, bookedAt, valuedAt, counterpart }: StatementTransaction): void {
    if (bookedAt === undefined && valuedAt !== undefined) {
      this.#undated.add(() => {
        const day = formatInstant(valuedAt).slice(0, 10)
        return `${position}: has no booking date, so its value date ${day} is taken for it`
      })
    }
    const { iban } = counterpart
    if (iban === undefined || this.#isValid(iban)) return
    this.#invalidIbans.add(
      () => `${position}: ${warningOfCounterpartIban(iban)}, and is kept as it is written`,
    )
  }

  /** To be called at the end of the file. */
  sentences(): string[] {
    return [this.#undated, this.#invalidIbans].flatMap((count) => count.sentences())
  }

  #isValid(iban: string): boolean {
    if (this.#validIbans.has(iban)) return true
    if (!isIban(iban)) return false
    if (this.#validIbans.size >= VALID_IBANS_MAX) this.#validIbans.clear()
    this.#validIbans.add(iban)
    return true
  }
}
