import type { EpochMs } from '../../instant.js'
import { type StatementBalance, StatementError } from '../statement.js'
import { elementAt, textAt, type XmlElement } from './camt-cut.js'
import { type CamtFault, isFault, readCamtDay, readSignedAmount } from './camt-fields.js'

/** The day's own balance takes precedence over that of the day before. */
const BOOKED: Readonly<Record<string, { kind: 'opening' | 'closing'; rank: number }>> = {
  OPBD: { kind: 'opening', rank: 3 },
  PRCD: { kind: 'opening', rank: 2 },
  CLBD: { kind: 'closing', rank: 3 },
}

/** The booked balance of a report, at one time of a day. */
const INTERIM = 'ITBD'

/** Currencies of one statement's balances: an account has one, a pooled account some ten. */
const BALANCE_CURRENCIES_MAX = 100

interface RankedBalance {
  readonly balance: StatementBalance
  readonly rank: number
}

/**
 * The opening and closing balances of one statement, by currency. A report without them is opened
 * by its first interim balance and closed by its last.
 */
export class CamtBalances {
  /** By kind and currency. */
  readonly #ranked = new Map<string, RankedBalance>()
  /** Interim balances by currency, in file order. */
  readonly #interim = new Map<string, StatementBalance[]>()
  readonly #currencies = new Set<string>()
  /** The result of `closingDay` since the last balance, since each undated entry asks for it. */
  #closingDay: { readonly at: EpochMs | undefined } | undefined

  constructor(private readonly isReport: boolean) {}

  /**
   * Adds a `Bal`; balances that are not booked are left out.
   * @param fallback currency where `Amt` has none
   * @returns the fault of an unreadable balance, which is left out
   * @throws StatementError above {@link BALANCE_CURRENCIES_MAX} currencies
   */
  add(element: XmlElement, fallback: string | undefined): CamtFault | undefined {
    const code = textAt(element, 'Tp', 'CdOrPrtry', 'Cd') ?? ''
    const isInterim = this.isReport && code === INTERIM
    const booked = BOOKED[code]
    if (booked === undefined && !isInterim) return undefined
    const found = readSignedAmount(element, fallback)
    if (isFault(found)) return { field: `Bal ${code} ${found.field}`, message: found.message }
    this.#currencies.add(found.currency)
    if (this.#currencies.size > BALANCE_CURRENCIES_MAX) {
      const message =
        `the statement has balances in more than ${BALANCE_CURRENCIES_MAX} currencies; ` +
        'expected one for each currency of the account'
      throw new StatementError({ position: `line ${element.line}`, field: 'Bal', message })
    }
    this.#closingDay = undefined
    const day = readCamtDay(elementAt(element, 'Dt'))
    const at = typeof day === 'number' ? { at: day } : {}
    if (booked !== undefined) {
      this.#rank({ balance: { kind: booked.kind, ...found, ...at }, rank: booked.rank })
      return undefined
    }
    const interim = this.#interim.get(found.currency) ?? []
    interim.push({ kind: 'closing', ...found, ...at })
    this.#interim.set(found.currency, interim)
    return undefined
  }

  /** At most one opening and one closing balance for each currency. */
  all(): StatementBalance[] {
    for (const interim of this.#interim.values()) {
      const [first] = interim
      const last = interim.at(-1)
      if (first === undefined || last === undefined) continue
      this.#rank({ balance: last, rank: 1 })
      // A single interim balance may be of any time.
      if (interim.length > 1) this.#rank({ balance: { ...first, kind: 'opening' }, rank: 1 })
    }
    return [...this.#ranked.values()].map(({ balance }) => balance)
  }

  /** The day of the closing balance, of any currency; undefined when there is none. */
  closingDay(): EpochMs | undefined {
    this.#closingDay ??= {
      at: this.all().find(({ kind, at }) => kind === 'closing' && at !== undefined)?.at,
    }
    return this.#closingDay.at
  }

  #rank(found: RankedBalance): void {
    const key = `${found.balance.kind} ${found.balance.currency}`
    if ((this.#ranked.get(key)?.rank ?? 0) < found.rank) this.#ranked.set(key, found)
  }
}
