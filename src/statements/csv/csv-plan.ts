import { compactCode, looksLikeIban } from '../../iban.js'
import type { ReadOptions, StatementAccount } from '../statement.js'
import { StatementError } from '../statement.js'
import type { CsvLayout } from './csv-layout.js'
import { columnPlaces, columnsText } from './csv-layout.js'
import type { CsvProfile, ProfileField } from './csv-profile.js'
import { CSV_FIELDS, columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'

/**
 * The mapping of one file's records to transactions: columns by position, and values outside them.
 */
export interface CsvPlan {
  readonly profile: CsvProfile
  readonly header: readonly string[]
  /** Minimum number of cells of a record; those after it are blank. */
  readonly width: number
  readonly at: Readonly<Partial<Record<ProfileField, number>>>
  readonly purposeMoreAt: readonly number[]
  /**
   * Position of the column that a record one cell short lacks; undefined = such a record is faulty.
   */
  readonly mayLackAt: number | undefined
  readonly unbooked: readonly { readonly at: number; readonly keys: ReadonlySet<string> }[]
  /** Currency of the records without one; ISO 4217. */
  readonly currency: string | undefined
  /** Own account of the records without one. */
  readonly account: StatementAccount | undefined
  /** The profile's columns in the syntax of `--columns`, for messages. */
  readonly columnsText: string
}

/**
 * Resolves the profile's column names to positions, and finds currency and own account outside the
 * columns: in the amount's header (`Amount (EUR)`), in the preamble, in the caller's options.
 * @throws StatementError when neither file nor caller name the own account
 */
export function planOf(layout: CsvLayout, options: ReadOptions): CsvPlan {
  const { profile, header } = layout
  const places = columnPlaces(header)
  const at: Partial<Record<ProfileField, number>> = {}
  for (const [field, names] of Object.entries(profile.columns)) {
    const place = [names].flat().find((name) => places.has(columnKey(name)))
    if (place !== undefined) at[field as ProfileField] = places.get(columnKey(place)) ?? 0
  }
  const leftOfCurrency = places.get(columnKey(profile.currencyRightOf ?? ''))
  if (leftOfCurrency !== undefined) at.currency = leftOfCurrency + 1
  const account = accountOfPreamble(layout.preamble) ?? accountOfOption(options.account)
  if (account === undefined && at.accountIban === undefined && at.accountNumber === undefined) {
    const message =
      'the file does not name its account; specify it, for example --account DE89370400440532013000'
    throw new StatementError({ position: `line ${layout.firstLine}`, message })
  }
  return {
    profile,
    header,
    width: header.findLastIndex((name) => name !== '') + 1,
    at,
    purposeMoreAt: (profile.purposeMore ?? []).flatMap((name) => places.get(columnKey(name)) ?? []),
    mayLackAt: places.get(columnKey(profile.mayLack ?? '')),
    unbooked: (profile.unbooked ?? []).flatMap(({ column, texts }) => {
      const place = places.get(columnKey(column))
      return place === undefined ? [] : [{ at: place, keys: new Set(texts.map(columnKey)) }]
    }),
    currency: currencyOfHeader(header[at.amount ?? -1] ?? '') ?? options.currency,
    account,
    columnsText: columnsText(
      CSV_FIELDS.flatMap((field) => {
        const place = at[field]
        return place === undefined ? [] : [[field, header[place] ?? ''] as const]
      }),
    ),
  }
}

/** An IBAN as {@link StatementAccount.iban}, any other text as account number. */
export function accountOfText(text: string): StatementAccount {
  const compact = compactCode(text)
  return looksLikeIban(compact) ? { iban: compact } : { accountNumber: text }
}

function accountOfOption(text: string | undefined): StatementAccount | undefined {
  return text === undefined ? undefined : accountOfText(text)
}

/**
 * The first text before the header that is an account, such as `Kontonummer:;DE89 … / Girokonto`.
 */
function accountOfPreamble(preamble: readonly CsvRecord[]): StatementAccount | undefined {
  const texts = preamble.flatMap(({ cells }) => cells.flatMap((cell) => cell.split('/')))
  const iban = texts.map(compactCode).find((text) => looksLikeIban(text) && text.length >= 15)
  return iban === undefined ? undefined : { iban }
}

function currencyOfHeader(name: string): string | undefined {
  const found = /\(([A-Z]{3}|€)\)$|\sin ([A-Z]{3})$/u.exec(name)
  const currency = found?.[1] ?? found?.[2]
  return currency === '€' ? 'EUR' : currency
}
