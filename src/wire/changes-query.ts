import type { AccountIdentifier } from '../query/transaction-query.js'
import { CHANGES_LIMIT, SINCE, WAIT } from './changes-parameters.js'
import { ACCOUNT_IDS } from './filter-parameters.js'
import type { WritableObject } from './filter-rows.js'
import { readAccounts, readInteger } from './parameter-values.js'
import { type QueryTable, queryTable, readQuery } from './raw-query.js'

/** The query of the changes of transactions (docs/extensions/changes.md). */
export interface ChangesQuery {
  /** A cursor, unread; undefined = from the beginning. */
  readonly since: string | undefined
  /** 1 to 250. */
  readonly limit: number
  /** Seconds to wait for the first change, 0 to 30. */
  readonly wait: number
  /** Absent = all accounts; never empty. */
  readonly accounts: readonly AccountIdentifier[] | undefined
}

/** The parameters of the changes of transactions. */
export const CHANGES_TABLE: QueryTable<WritableObject<ChangesQuery>> = queryTable<
  WritableObject<ChangesQuery>
>([
  {
    parameter: SINCE,
    take: (query, text, start, end) => {
      query.since = text.slice(start, end)
    },
  },
  {
    parameter: CHANGES_LIMIT,
    take: (query, text, start, end) => {
      query.limit = readInteger(CHANGES_LIMIT, text, start, end)
    },
  },
  {
    parameter: WAIT,
    take: (query, text, start, end) => {
      query.wait = readInteger(WAIT, text, start, end)
    },
  },
  {
    parameter: ACCOUNT_IDS,
    take: (query, text, start, end) => {
      query.accounts = readAccounts(ACCOUNT_IDS, text, start, end)
    },
  },
])

/** The typed query of the changes. @throws ApiError 400 as {@link readQuery} does */
export function parseChangesQuery(rawQuery: string): ChangesQuery {
  const query: WritableObject<ChangesQuery> = {
    since: undefined,
    limit: CHANGES_LIMIT.fallback,
    wait: WAIT.fallback,
    accounts: undefined,
  }
  return readQuery(CHANGES_TABLE, query, rawQuery)
}
