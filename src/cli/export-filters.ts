import { ApiError, CommandError } from '../errors.js'
import { boundsWithin } from '../http/operations/visible-accounts.js'
import { listTransactions } from '../query/list.js'
import { ordinalAt } from '../query/listing.js'
import { pageOf } from '../query/page.js'
import { QueryCache } from '../query/query-cache.js'
import type { TransactionFilters } from '../query/transaction-query.js'
import { snapshotOfState } from '../snapshot/build.js'
import type { WorkspaceState } from '../store/workspace.js'
import { FILTER_ROWS, FILTERS, type WritableObject } from '../wire/filter-rows.js'
import type { QueryParameter } from '../wire/parameter-table.js'
import type { FlagTable } from './command.js'

const PLACEHOLDERS: Readonly<Partial<Record<QueryParameter['kind'], string>>> = {
  text: 'NAME',
  instant: 'INSTANT',
  day: 'DAY',
  amount: 'AMOUNT',
  currency: 'CODE',
  accounts: 'IDS',
  choice: 'WORD',
  switch: 'true|false',
}

/** A flag for each filter of the transaction lists: `--booked-from` for `bookedFrom`. */
export const FILTER_FLAGS: FlagTable = Object.fromEntries(
  FILTERS.map((parameter) => [
    flagNameOf(parameter.name),
    {
      kind: 'text',
      placeholder: PLACEHOLDERS[parameter.kind] ?? 'V',
      summary: summaryOf(parameter),
    },
  ]),
)

/**
 * The filters that the flags set; undefined = none.
 * @throws CommandError `usage` that names the flag and gives a valid example
 */
export function filtersOfFlags(
  flags: Readonly<Record<string, unknown>>,
): TransactionFilters | undefined {
  const filters: WritableObject<TransactionFilters> = {}
  let isFiltered = false
  for (const { parameter, take } of FILTER_ROWS) {
    const text = flags[flagNameOf(parameter.name)]
    if (typeof text !== 'string') continue
    isFiltered = true
    explainingFlags(() => take(filters, text, 0, text.length))
  }
  return isFiltered ? filters : undefined
}

/** A line that says which filters are set. */
export function filterNote(flags: Readonly<Record<string, unknown>>): string {
  const names = FILTER_ROWS.map(({ parameter }) => flagNameOf(parameter.name))
  const set = names.filter((name) => flags[name] !== undefined).map((name) => `--${name}`)
  return `only transactions that pass ${set.join(', ')} are exported`
}

/**
 * The ids of the transactions that pass the filters, found as the service finds them, in a snapshot
 * of the state.
 * @throws CommandError `usage` for an account that does not exist
 */
export async function idsPassing(
  workspaceId: string,
  state: WorkspaceState,
  filters: TransactionFilters,
): Promise<ReadonlySet<number>> {
  const snapshot = await snapshotOfState(workspaceId, state)
  const access = { accountIds: null }
  const bounds = explainingFlags(() => boundsWithin({ snapshot, access }, {}, filters.accountIds))
  const query = { ...filters, order: 'asc', sortBy: '_id' } as const
  const listing = listTransactions(snapshot, new QueryCache(), query, bounds)
  const ids = new Set<number>()
  for (const run of pageOf(listing, 0, listing.total)) {
    for (let i = 0; i < run.count; i++) ids.add(run.segment.ids[ordinalAt(run, i)]!)
  }
  return ids
}

/** Runs a parser of parameters; its errors name the flag in place of the parameter. */
function explainingFlags<Result>(parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ApiError) || error.fault === undefined) throw error
    const { name, what, example } = error.fault
    const flag = `--${flagNameOf(name)}`
    throw new CommandError('usage', `${flag} ${what}; for example ${flag}=${example}`)
  }
}

function flagNameOf(parameter: string): string {
  return parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The first sentence of the description, without marks. */
function summaryOf({ description }: QueryParameter): string {
  return description.replaceAll('`', '').replace(/\.(?: .*)?$/s, '')
}
