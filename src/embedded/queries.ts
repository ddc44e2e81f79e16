import { KontorError } from './kontor-error.js'

/** An instant as in the REST operations, or a Date. */
export type InstantValue = string | Date

/** Filters of transactions; those of the REST operations under their names. */
export interface FilterOptions {
  readonly category?: string | number
  readonly parentCategory?: string | number
  readonly bookedAfter?: InstantValue
  readonly bookedBefore?: InstantValue
  readonly bookedFrom?: string
  readonly bookedTo?: string
  readonly valuedAfter?: InstantValue
  readonly valuedBefore?: InstantValue
  readonly valuedFrom?: string
  readonly valuedTo?: string
  readonly importedAfter?: InstantValue
  readonly importedBefore?: InstantValue
  readonly importedFrom?: string
  readonly importedTo?: string
  readonly updatedAfter?: InstantValue
  readonly updatedBefore?: InstantValue
  /** Text where a number would round the decimal. */
  readonly amountFrom?: number | string
  readonly amountTo?: number | string
  readonly absoluteAmount?: number | string
  readonly direction?: 'in' | 'out'
  readonly currency?: string
  readonly accountIds?: readonly (number | string)[]
  readonly uncategorized?: boolean
  readonly ownTransfers?: 'include' | 'exclude' | 'only'
}

/** The transactions that a call ranges over: all of the workspace unless one of these is given. */
export interface BoundsOptions {
  /** Own account, by id or IBAN. */
  readonly account?: number | string
  /** Not together with `account`. */
  readonly counterpartIban?: string
}

/** Part of a list. */
export interface PageOptions {
  readonly offset?: number
  readonly limit?: number
}

/** Query of accounts. */
export interface AccountsOptions extends PageOptions {
  readonly blz?: string
  readonly bic?: string
}

/** Query of a list or, with `query`, of a search of transactions. */
export interface ListOptions extends FilterOptions, BoundsOptions, PageOptions {
  /** Text to search for. */
  readonly query?: string
  readonly sortBy?: 'bookingDate' | 'valueDate' | 'importDate' | 'amount' | '_id'
  readonly order?: 'asc' | 'desc'
}

/** Query of a match. */
export interface MatchOptions extends FilterOptions, BoundsOptions, PageOptions {
  readonly threshold?: number
  readonly explain?: boolean
}

/** Query of a summary. */
export interface SummaryOptions extends FilterOptions, BoundsOptions, PageOptions {
  readonly query?: string
  /** Up to two of `month`, `quarter`, `year`, `day`, `category`, `parentCategory` and so on. */
  readonly groupBy?: readonly string[]
  readonly sortBy?: 'net' | 'in' | 'out' | 'count'
  readonly order?: 'asc' | 'desc'
}

/** Query of changes. */
export interface ChangesOptions {
  /** `cursor` of a change; absent = from the beginning. */
  readonly since?: string | undefined
  readonly accountIds?: readonly (number | string)[]
  /** Whether to wait for further changes; default: true. */
  readonly follow?: boolean
  /** Ends the loop; its reason is thrown. */
  readonly signal?: AbortSignal
}

type QueryValue = string | number | boolean | Date | readonly (string | number)[] | undefined

/**
 * A query as REST has it, percent-encoded; members that are undefined are left out.
 * @throws KontorError `invalid_parameter` for a text that UTF-8 does not have
 */
export function rawQueryOf(query: object): string {
  const members = Object.entries(query) as [string, QueryValue][]
  return members
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encoded('a name', name)}=${encoded(name, textOf(value))}`)
    .join('&')
}

/** A value, percent-encoded. @param name of the parameter @throws KontorError as a query does */
export function encoded(name: string, value: number | string): string {
  try {
    return encodeURIComponent(value)
  } catch (error) {
    const what = 'must not have half a surrogate pair, which is no character'
    const example = 'for example "\\u{1f600}", not "\\ud83d"'
    throw new KontorError('invalid_parameter', `${name} ${what}; ${example}.`, { cause: error })
  }
}

function textOf(value: QueryValue): string {
  const isInstant = value instanceof Date && !Number.isNaN(value.getTime())
  return isInstant ? value.toISOString() : String(value)
}
