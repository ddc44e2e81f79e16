import { ACCOUNT_IDS_MAX } from '../limits.js'
import { parameterFault, quote } from './fault.js'
import type { WritableObject } from './filter-rows.js'
import { ACCOUNT_IDS, CHANGES_LIMIT, SINCE, WAIT } from './parameter-table.js'
import { digitsValue, readInteger } from './parameter-values.js'
import type { AccountIdentifier } from './path-parameters.js'
import { type QueryTable, queryTable, readQuery } from './raw-query.js'

/** The query of the changes of transactions (docs/extensions.md, "Changes"). */
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
      query.accounts = readAccounts(text.slice(start, end))
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

const IBAN_LIKE = /^[A-Za-z]{2}[A-Za-z0-9]{1,32}$/

/** The accounts of a list, each once. @throws ApiError 400 */
function readAccounts(text: string): AccountIdentifier[] {
  const accounts = new Map<string, AccountIdentifier>()
  for (const name of text.split(',')) {
    const accountId = digitsValue(name, 0, name.length)
    const iban = name.toUpperCase()
    if (accountId > 0) accounts.set(String(accountId), { accountId })
    else if (IBAN_LIKE.test(name)) accounts.set(iban, { iban })
    else {
      const what = 'must be ids or IBANs, separated by commas without blanks'
      throw parameterFault(ACCOUNT_IDS, `${what}, not ${quote(text)}`)
    }
  }
  if (accounts.size <= ACCOUNT_IDS_MAX) return [...accounts.values()]
  const what = `must be at most ${ACCOUNT_IDS_MAX} accounts, not ${accounts.size}`
  throw parameterFault(ACCOUNT_IDS, what)
}
