import { compactCode, looksLikeIban } from '../../iban.js'
import type { ReadOptions, StatementAccount } from '../statement.js'
import { StatementError } from '../statement.js'
import { columnsText, writtenColumnAt, writtenText } from './csv-columns.js'
import type { DirectionKind } from './csv-direction.js'
import { DIRECTION_WORDS, directionKeys } from './csv-direction.js'
import type { CsvLayout } from './csv-layout.js'
import { columnPlaces, filledCount } from './csv-layout.js'
import type { ColumnTexts, CsvProfile, JoinedField, ProfileField } from './csv-profile.js'
import { CSV_FIELDS, columnKey, JOINED_FIELDS } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'

/**
 * The mapping of one file's records to transactions: columns by position, and values outside the
 * columns.
 */
export interface CsvPlan {
  readonly profile: CsvProfile
  readonly header: readonly string[]
  /** Whether the file has the header, so that `--columns` may name its columns. */
  readonly hasHeader: boolean
  /** Minimum number of cells of a record. */
  readonly width: number
  /** Maximum number of cells of a record that are not blank. */
  readonly widthMax: number
  readonly at: Readonly<Partial<Record<ProfileField, number>>>
  /** Further columns of a field, whose texts are appended. */
  readonly moreAt: Readonly<Record<JoinedField, readonly number[]>>
  /**
   * Position of the column that a record one cell short lacks; undefined = such a record has a
   * fault.
   */
  readonly mayLackAt: number | undefined
  readonly unbooked: readonly TextsAt[]
  readonly booked: readonly TextsAt[]
  /** The column of {@link CsvProfile.continuedBy}. */
  readonly continuedAt: number | undefined
  readonly moved: readonly TextsAt[]
  /** The column of {@link CsvProfile.accountParts}. */
  readonly accountPartsAt: number | undefined
  /** The words of the direction column, by {@link columnKey}. */
  readonly directions: ReadonlyMap<string, DirectionKind>
  /** Texts that mean a blank cell, by {@link columnKey}. */
  readonly blanks: ReadonlySet<string>
  /** Currency of the records without one; ISO 4217. */
  readonly currency: string | undefined
  /** Own account of the records without one. */
  readonly account: StatementAccount | undefined
}

/** The texts of one column that decide whether a record is booked, by {@link columnKey}. */
interface TextsAt {
  readonly at: number
  readonly keys: ReadonlySet<string>
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
  const leftOfDirection = places.get(columnKey(profile.directionRightOf ?? ''))
  if (leftOfDirection !== undefined) at.direction = leftOfDirection + 1
  const account = accountOfPreamble(layout.preamble) ?? accountOfOption(options.account)
  if (account === undefined && at.accountIban === undefined && at.accountNumber === undefined) {
    const message =
      'the file does not name its account; specify it, for example --account DE89370400440532013000'
    throw new StatementError({ position: `line ${layout.firstLine}`, message })
  }
  const placesOf = (names: readonly string[] = []): number[] =>
    names.flatMap((name) => places.get(columnKey(name)) ?? [])
  const textsAt = (columns: readonly ColumnTexts[] = []): TextsAt[] =>
    columns.flatMap(({ column, texts }) =>
      placesOf([column]).map((place) => ({ at: place, keys: new Set(texts.map(columnKey)) })),
    )
  const moreAt = {
    purpose: placesOf([...(profile.purposeMore ?? []), ...(profile.more?.purpose ?? [])]),
    type: placesOf(profile.more?.type),
    counterpartName: placesOf(profile.more?.counterpartName),
  }
  // A mapped column may have no name, and so be to the right of the last name.
  const mapped = Math.max(...Object.values(at), ...Object.values(moreAt).flat()) + 1
  return {
    profile,
    header,
    hasHeader: layout.hasHeader,
    width: layout.hasHeader
      ? Math.max(filledCount(header), mapped)
      : Math.max(...Object.values(at)) + 1,
    widthMax: Math.max(layout.widthMax, mapped),
    at,
    moreAt,
    mayLackAt: places.get(columnKey(profile.mayLack ?? '')),
    continuedAt: places.get(columnKey(profile.continuedBy ?? '')),
    accountPartsAt: places.get(columnKey(profile.accountParts ?? '')),
    unbooked: textsAt(profile.unbooked),
    booked: textsAt(profile.booked),
    moved: textsAt(profile.moved),
    directions: directionKeys(profile.directions ?? DIRECTION_WORDS),
    blanks: new Set((profile.blank ?? []).map(columnKey)),
    currency:
      currencyOfHeader(header[at.amount ?? at.charge ?? at.debit ?? at.credit ?? -1] ?? '') ??
      options.currency ??
      profile.currency,
    account,
  }
}

/**
 * The mapping in the syntax of `--columns`, for messages: the fields that it knows, and the
 * notation if the profile names it.
 */
export function columnsTextOf(plan: CsvPlan): string {
  return columnsText(columnSidesOf(plan))
}

/** The same, as left and right sides. */
export function columnSidesOf(plan: CsvPlan): [field: string, text: string][] {
  const { profile, header, at, moreAt } = plan
  const places = columnPlaces(header)
  const sides: [string, string][] = []
  for (const field of CSV_FIELDS) {
    const place = at[field]
    const isUnused = at.amount !== undefined && (field === 'debit' || field === 'credit')
    if (place === undefined || isUnused) continue
    const joined = JOINED_FIELDS.find((known) => known === field)
    const columns = [place, ...(joined === undefined ? [] : moreAt[joined])]
      .map((each) => writtenColumn(plan, each))
      .join('+')
    const { debit = [], credit = [] } = field === 'direction' ? (profile.directions ?? {}) : {}
    const words = [debit[0], credit[0]].flatMap((word) => word ?? []).map(writtenText)
    sides.push([field, words.length === 2 ? `${columns}:${words.join('|')}` : columns])
  }
  for (const filter of ['booked', 'unbooked'] as const) {
    const found = profile[filter]?.find(({ column }) => places.has(columnKey(column)))
    if (found === undefined) continue
    const column = writtenColumn(plan, places.get(columnKey(found.column)) ?? 0)
    const texts = [...new Set(found.texts)].map(writtenText).join('|')
    sides.push([filter, `${column}:${texts}`])
  }
  if (profile.days !== 'inferred') sides.push(['dateFormat', profile.days])
  if (profile.decimalMark !== 'inferred') sides.push(['decimalMark', profile.decimalMark])
  return sides
}

/** A column as `--columns` takes it: its number where the file has no header. */
export function writtenColumn({ header, hasHeader }: CsvPlan, place: number): string {
  return hasHeader ? writtenColumnAt(header, place) : `#${place + 1}`
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
  // The text of a spreadsheet, `="CH93 …"`, keeps its marks when read leniently.
  const texts = preamble.flatMap(({ cells }) => cells.flatMap((cell) => cell.split(/[/="]/u)))
  const iban = texts.map(compactCode).find((text) => looksLikeIban(text) && text.length >= 15)
  return iban === undefined ? undefined : { iban }
}

/** Codes that a header may end with: `Belastung CHF`, but not `Betrag SUM`. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

function currencyOfHeader(name: string): string | undefined {
  const found = /\(([A-Z]{3}|€)\)$|\sin ([A-Z]{3})$/u.exec(name)
  const last = /\s([A-Z]{3})$/u.exec(name)?.[1] ?? ''
  const currency = found?.[1] ?? found?.[2] ?? (CURRENCIES.has(last) ? last : undefined)
  return currency === '€' ? 'EUR' : currency
}
