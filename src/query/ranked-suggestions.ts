import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Suggestion } from '../domain/suggestion.js'
import type { RowSet } from '../free-text/row-set.js'
import type { SearchTask } from '../free-text/search-task.js'
import { comparedKey, comparedText } from '../suggestions/compared-text.js'
import type { SuggestionCandidate } from '../suggestions/suggestion-index.js'
import { termsOf } from '../text/normal-forms.js'
import { listTransactions } from './list.js'
import type { QueryCache } from './query-cache.js'
import { longSearches } from './search.js'
import { suggestedNames } from './suggested-names.js'
import type { SuggestionScope } from './suggester.js'
import type { TransactionBounds } from './transaction-query.js'

/** Nanoseconds that a search for a count may take on the thread that answers requests. */
const COUNT_COST_MAX = 100_000

/** Texts that are counted in one turn of the event loop. */
const COUNTS_PER_TURN = 4

/** Where counts come from: the exact search of a snapshot. */
export interface CountingScope extends SuggestionScope {
  readonly queryCache: QueryCache
  /** Runs a search on another thread. */
  readonly find: (task: SearchTask) => Promise<RowSet>
}

/** Candidates that are looked up, so that the best of them by count are known. */
export function lookedUpCount(limit: number): number {
  return 3 * limit + 4
}

/**
 * The candidates that the exact search finds in what the caller may see, the nearest first, then by
 * count, then by text; the snapshot has its indexes.
 * @param limit 1 or more
 */
export async function rankedSuggestions(
  scope: CountingScope,
  candidates: readonly SuggestionCandidate[],
  limit: number,
): Promise<Suggestion[]> {
  const found: (SuggestionCandidate & { readonly count: number })[] = []
  const lookedUp = distinctTexts(presentNames(scope, candidates))
  await Promise.all(lookedUp.map((candidate) => searchOnThread(scope, candidate)))
  for (const [place, candidate] of lookedUp.entries()) {
    if (place % COUNTS_PER_TURN === COUNTS_PER_TURN - 1) await nextTurn()
    const count = countOf(scope, candidate)
    if (count > 0) found.push({ ...candidate, count })
  }
  return found
    .sort((a, b) => a.closeness - b.closeness || b.count - a.count || byText(a, b))
    .slice(0, limit)
    .map(({ text, kind, count }) => ({ text, kind, count }))
}

/** Without names that no category, or no visible account, has now. */
function presentNames(
  scope: SuggestionScope,
  candidates: readonly SuggestionCandidate[],
): SuggestionCandidate[] {
  const names = suggestedNames(scope)
  return candidates.filter(({ kind, text }) =>
    kind === 'category' || kind === 'account' ? names[kind].has(text) : true,
  )
}

/**
 * Without words that are whole names, and counterparts that are named as a category is: a search
 * for them finds the same.
 */
function distinctTexts(candidates: readonly SuggestionCandidate[]): SuggestionCandidate[] {
  const ranks = { category: 0, counterpart: 1, word: 2, account: 3 }
  const kept = new Map<string, SuggestionCandidate>()
  for (const candidate of candidates) {
    const key = comparedKey(comparedText(candidate.text))
    const name = candidate.kind === 'account' ? `account ${key}` : key
    const known = kept.get(name)
    if (known === undefined || ranks[candidate.kind] < ranks[known.kind]) kept.set(name, candidate)
  }
  return [...kept.values()]
}

/** Runs the searches on another thread that would delay requests; the cache has their rows then. */
async function searchOnThread(
  { snapshot, accountCodes, queryCache, find }: CountingScope,
  { kind, text }: SuggestionCandidate,
): Promise<void> {
  if (kind === 'account') return
  const search = { terms: termsOf(text), visibleCodes: accountCodes }
  const searches = longSearches(snapshot, search, queryCache, COUNT_COST_MAX)
  await Promise.all(searches.map(async ({ task, keep }) => keep(await find(task))))
}

/** Transactions that the caller may see: of the account, or with every term of the text. */
function countOf(scope: CountingScope, { kind, text }: SuggestionCandidate): number {
  const { accountCodes } = scope
  if (kind !== 'account') {
    return totalOf(scope, { accountCodes, visibleCodes: accountCodes }, termsOf(text))
  }
  const codes = suggestedNames(scope).account.get(text) ?? []
  return totalOf(scope, { accountCodes: codes, visibleCodes: accountCodes })
}

function totalOf(
  { snapshot, queryCache }: CountingScope,
  bounds: TransactionBounds,
  terms?: ReturnType<typeof termsOf>,
): number {
  const query = { order: 'desc', sortBy: '_id', terms } as const
  return listTransactions(snapshot, queryCache, query, bounds).total
}

/** By code point, unlike `<`, which compares UTF-16 units. */
function byText(a: SuggestionCandidate, b: SuggestionCandidate): number {
  return Buffer.compare(Buffer.from(a.text), Buffer.from(b.text))
}
