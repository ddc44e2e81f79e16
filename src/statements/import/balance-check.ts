import { type EpochMs, formatInstant } from '../../instant.js'
import { AMOUNT_SCALE_MAX } from '../../limits.js'
import { type Amount, formatAmount } from '../../money.js'
import type { StatementBalance } from '../statement.js'

/** A closing balance, with the day at whose end it held. */
export interface ClosingBalance {
  readonly amount: Amount
  readonly currency: string
  /** Midnight UTC of the day; undefined when neither balance nor entries name one. */
  readonly at: EpochMs | undefined
}

/** Of one currency of one statement; sums in units of 10 ** -AMOUNT_SCALE_MAX, which are exact. */
interface Sums {
  opening: bigint | undefined
  entries: bigint
  closing: StatementBalance | undefined
  newestBookedAt: EpochMs | undefined
}

/**
 * Adds up one statement, currency by currency: opening + entries must equal closing. The first
 * opening and the last closing of a currency count.
 */
export class BalanceCheck {
  readonly #sums = new Map<string, Sums>()

  addEntry(amount: Amount, currency: string, bookedAt: EpochMs | undefined): void {
    const sums = this.#of(currency)
    sums.entries += atFullScale(amount)
    if (bookedAt !== undefined && bookedAt > (sums.newestBookedAt ?? bookedAt - 1)) {
      sums.newestBookedAt = bookedAt
    }
  }

  addBalance(balance: StatementBalance): void {
    const sums = this.#of(balance.currency)
    if (balance.kind === 'closing') sums.closing = balance
    else sums.opening ??= atFullScale(balance.amount)
  }

  /** The differences: one sentence a currency. @param name of the account in messages */
  differences(name: string): string[] {
    const sentences: string[] = []
    for (const [currency, { opening, entries, closing }] of this.#sums) {
      if (opening === undefined || closing === undefined) continue
      const closed = atFullScale(closing.amount)
      const difference = closed - opening - entries
      if (difference === 0n) continue
      const day = closing.at === undefined ? '' : ` of ${formatInstant(closing.at).slice(0, 10)}`
      sentences.push(
        `${name}, statement${day}: opening balance ${decimalText(opening)} and entries ` +
          `${decimalText(entries)} do not add up to the closing balance ${decimalText(closed)} ` +
          `${currency}: the difference is ${decimalText(difference)}`,
      )
    }
    return sentences
  }

  closings(): ClosingBalance[] {
    return [...this.#sums].flatMap(([currency, { closing, newestBookedAt }]) =>
      closing === undefined
        ? []
        : [{ amount: closing.amount, currency, at: closing.at ?? newestBookedAt }],
    )
  }

  #of(currency: string): Sums {
    let sums = this.#sums.get(currency)
    if (sums === undefined) {
      sums = { opening: undefined, entries: 0n, closing: undefined, newestBookedAt: undefined }
      this.#sums.set(currency, sums)
    }
    return sums
  }
}

function atFullScale(amount: Amount): bigint {
  return BigInt(amount.unscaled) * 10n ** BigInt(AMOUNT_SCALE_MAX - amount.scale)
}

/** A sum as decimal text; it may have more digits than an amount, and is exact all the same. */
function decimalText(sum: bigint): string {
  const unit = 10n ** BigInt(AMOUNT_SCALE_MAX)
  const magnitude = sum < 0n ? -sum : sum
  const fraction = formatAmount(Number(magnitude % unit), AMOUNT_SCALE_MAX)
  return `${sum < 0n ? '-' : ''}${magnitude / unit}${fraction.replace(/^0/, '')}`
}
