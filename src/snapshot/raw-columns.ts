import {
  type CodeArray,
  sharedCodes,
  sharedFloat64,
  sharedUint32,
} from '../ordinals/shared-memory.js'
import { CounterpartCodes } from './counterparts.js'
import { NO_CODE } from './id-dictionary.js'
import { buildAmountColumn, buildInstantColumn } from './ordered-column.js'
import { buildPostings, buildUnionPostings } from './postings.js'
import { codeOf, RawTexts } from './raw-texts.js'
import type { Segment } from './snapshot.js'
import { stringCount } from './strings.js'

/**
 * The values of a segment's rows, by ordinal, before they are ranked and indexed. Plain memory,
 * gone once the segment is built.
 */
export class RawColumns {
  readonly ids: Float64Array
  readonly accountCodes: Uint32Array
  /** {@link NO_CODE} = the row has none; likewise parent categories. */
  readonly categoryCodes: Uint32Array
  readonly parentCodes: Uint32Array
  /** Epoch ms; NaN = the row has none. */
  readonly bookedAt: Float64Array
  readonly valuedAt: Float64Array
  readonly importedAt: Float64Array
  readonly updatedAt: Float64Array
  /** Smallest form: `amounts[row] / 10 ** scales[row]`. */
  readonly amounts: Float64Array
  readonly scales: Uint8Array
  readonly counterparts: CounterpartCodes
  /** Accounts of counterparts without an IBAN (account-key.ts). */
  readonly counterpartKeys: RawTexts
  readonly #currencies = new Map<string, number>()
  readonly #currencyCodes: Uint32Array

  /** @param capacity number of the rows, or more */
  constructor(capacity: number) {
    this.ids = new Float64Array(capacity)
    this.accountCodes = new Uint32Array(capacity)
    this.categoryCodes = new Uint32Array(capacity)
    this.parentCodes = new Uint32Array(capacity)
    this.bookedAt = new Float64Array(capacity)
    this.valuedAt = new Float64Array(capacity)
    this.importedAt = new Float64Array(capacity)
    this.updatedAt = new Float64Array(capacity)
    this.amounts = new Float64Array(capacity)
    this.scales = new Uint8Array(capacity)
    this.counterparts = new CounterpartCodes(capacity)
    this.counterpartKeys = new RawTexts(capacity)
    this.#currencyCodes = new Uint32Array(capacity)
  }

  setCurrency(row: number, currency: string): void {
    this.#currencyCodes[row] = codeOf(this.#currencies, currency)
  }

  /**
   * The indexed columns of a segment of the first rows.
   * @param counts how many codes of each kind there are
   */
  indexed(rowCount: number, counts: { accounts: number; categories: number }): SegmentColumns {
    const accountCodes = narrowed(this.accountCodes.subarray(0, rowCount), counts.accounts)
    const categoryCodes = narrowed(this.categoryCodes.subarray(0, rowCount), counts.categories)
    const parentCodes = narrowed(this.parentCodes.subarray(0, rowCount), counts.categories)
    const named = this.counterparts.indexed(rowCount)
    const currencyCount = this.#currencies.size
    const currencyCodes = narrowed(this.#currencyCodes.subarray(0, rowCount), currencyCount)
    return {
      rowCount,
      ids: narrowedIds(this.ids.subarray(0, rowCount)),
      accountCodes,
      accountPostings: buildPostings(accountCodes, counts.accounts),
      categoryCodes,
      categoryPostings: buildPostings(categoryCodes, counts.categories),
      parentCodes,
      eitherPostings: buildUnionPostings([categoryCodes, parentCodes], counts.categories),
      ...named,
      counterpartPostings: buildPostings(
        named.counterpartCodes,
        stringCount(named.counterpartIbans),
      ),
      counterpartKeys: this.counterpartKeys.column(rowCount),
      booked: buildInstantColumn(this.bookedAt.subarray(0, rowCount)),
      valued: buildInstantColumn(this.valuedAt.subarray(0, rowCount)),
      imported: buildInstantColumn(this.importedAt.subarray(0, rowCount)),
      updated: buildInstantColumn(this.updatedAt.subarray(0, rowCount)),
      amounts: buildAmountColumn(
        this.amounts.subarray(0, rowCount),
        this.scales.subarray(0, rowCount),
      ),
      currencyCodes,
      currencyPostings: buildPostings(currencyCodes, currencyCount),
      currencies: [...this.#currencies.keys()],
    }
  }
}

/** The members of a segment without its rendered rows and texts. */
type SegmentColumns = Omit<Segment, 'rowMemory' | 'rowBytes' | 'rowOffsets' | 'fragments'>

/** The codes in the narrowest array; no code becomes the number of codes. */
function narrowed(codes: Uint32Array, codeCount: number): CodeArray {
  const shared = sharedCodes(codes.length, codeCount)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!
    shared[row] = code === NO_CODE ? codeCount : code
  }
  return shared
}

function narrowedIds(ids: Float64Array): Uint32Array | Float64Array {
  const fits = (ids[0] ?? 0) <= 0xffffffff
  const shared = fits ? sharedUint32(ids.length) : sharedFloat64(ids.length)
  shared.set(ids)
  return shared
}
