import { isIban } from '../../iban.js'
import { formatInstant } from '../../instant.js'
import { doubtOfCounterpartIban } from '../account-text.js'
import type { StatementTransaction } from '../statement.js'

/** A warning that any number of entries give: the first is named, the others are counted. */
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

/** IBANs known to be right that are not checked again: the customers of some weeks. */
const RIGHT_IBANS_MAX = 4_096

/** What is assumed or doubtful about entries that are imported: a warning a file for each kind. */
export class EntryNotes {
  readonly #undated = new WarningCount()
  readonly #wrongIbans = new WarningCount()
  readonly #rightIbans = new Set<string>()

  take({ position, bookedAt, valuedAt, counterpart }: StatementTransaction): void {
    if (bookedAt === undefined && valuedAt !== undefined) {
      this.#undated.add(() => {
        const day = formatInstant(valuedAt).slice(0, 10)
        return `${position}: has no booking date, so its value date ${day} is taken for it`
      })
    }
    const { iban } = counterpart
    if (iban === undefined || this.#isRight(iban)) return
    this.#wrongIbans.add(
      () => `${position}: ${doubtOfCounterpartIban(iban)}, and is kept as it is written`,
    )
  }

  /** To be called at the end of the file. */
  sentences(): string[] {
    return [this.#undated, this.#wrongIbans].flatMap((count) => count.sentences())
  }

  #isRight(iban: string): boolean {
    if (this.#rightIbans.has(iban)) return true
    if (!isIban(iban)) return false
    if (this.#rightIbans.size >= RIGHT_IBANS_MAX) this.#rightIbans.clear()
    this.#rightIbans.add(iban)
    return true
  }
}
