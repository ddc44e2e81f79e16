import type { AnyOperation } from './operation.js'
import { getAccount } from './operations/get-account.js'
import { getAccountTransactions } from './operations/get-account-transactions.js'
import { getAccounts } from './operations/get-accounts.js'
import { getCategories } from './operations/get-categories.js'
import { getCategory } from './operations/get-category.js'
import { getCounterpartTransactions } from './operations/get-counterpart-transactions.js'
import { getKeyScope } from './operations/get-key-scope.js'
import { getTransaction } from './operations/get-transaction.js'
import { getTransactions } from './operations/get-transactions.js'
import { matchAccountTransactions } from './operations/match-account-transactions.js'
import { matchCounterpartTransactions } from './operations/match-counterpart-transactions.js'
import { matchTransactions } from './operations/match-transactions.js'
import { searchAccountTransactions } from './operations/search-account-transactions.js'
import { searchCounterpartTransactions } from './operations/search-counterpart-transactions.js'
import { searchTransactions } from './operations/search-transactions.js'

/**
 * Every operation, in the contract's order, but for `transactions/match` before `getTransaction`,
 * whose variable segment could be `match`.
 */
export const OPERATIONS: readonly AnyOperation[] = [
  getAccounts, //                    /accounts                                  accounts:read
  getAccount, //                     /accounts/:identifier                      accounts:read
  getAccountTransactions, //         /accounts/:identifier/transactions         transactions:read
  searchAccountTransactions, //      /accounts/:identifier/transactions/search  transactions:read
  matchAccountTransactions, //       /accounts/:identifier/transactions/match   transactions:read
  getTransactions, //                /transactions                              transactions:read
  searchTransactions, //             /transactions/search                       transactions:read
  matchTransactions, //              /transactions/match                        transactions:read
  getTransaction, //                 /transactions/:transactionId               transactions:read
  getCounterpartTransactions, //     /counterpart/:iban/transactions            transactions:read
  searchCounterpartTransactions, //  /counterpart/:iban/transactions/search     transactions:read
  matchCounterpartTransactions, //   /counterpart/:iban/transactions/match      transactions:read
  getCategories, //                  /categories                                transactions:read
  getCategory, //                    /categories/:categoryId                    transactions:read
  getKeyScope, //                    /key/scope                                 any valid credential
]

/** An operation and the variable segments of the path that named it, as sent. */
export interface Route {
  readonly operation: AnyOperation
  readonly workspaceSegment: string
  readonly segments: readonly string[]
}

interface CompiledPattern {
  readonly operation: AnyOperation
  /** Segments after `/v1/:workspaceId`; `''` = variable. */
  readonly literals: readonly string[]
}

/** Finds operations by path; of two that fit, the earlier one. */
export class Routes {
  readonly #byLength = new Map<number, CompiledPattern[]>()

  constructor(operations: readonly AnyOperation[]) {
    for (const operation of operations) {
      const literals = operation.pattern
        .split('/')
        .slice(3)
        .map((segment) => (segment.startsWith(':') ? '' : segment))
      const others = this.#byLength.get(literals.length) ?? []
      this.#byLength.set(literals.length, [...others, { operation, literals }])
    }
  }

  /**
   * The operation a path names. Literal segments are compared as sent, and no segment is empty.
   * @param path as sent, without the query
   */
  find(path: string): Route | undefined {
    if (!path.startsWith(PREFIX)) return undefined
    const workspaceEnd = path.indexOf('/', PREFIX.length)
    if (workspaceEnd <= PREFIX.length) return undefined
    const parts = segmentsFrom(path, workspaceEnd + 1)
    const candidates = parts === undefined ? undefined : this.#byLength.get(parts.length)
    if (parts === undefined || candidates === undefined) return undefined
    for (const { operation, literals } of candidates) {
      if (!matches(literals, parts)) continue
      const workspaceSegment = path.slice(PREFIX.length, workspaceEnd)
      return { operation, workspaceSegment, segments: variablesOf(literals, parts) }
    }
    return undefined
  }
}

const PREFIX = '/v1/'

// Loops instead of split, every and filter: this runs before a request is authenticated.

/** The segments of a path from a position on; undefined when one is empty. */
function segmentsFrom(path: string, start: number): string[] | undefined {
  const segments: string[] = []
  for (let from = start; from <= path.length; ) {
    const slash = path.indexOf('/', from)
    const end = slash === -1 ? path.length : slash
    if (end === from) return undefined
    segments.push(path.slice(from, end))
    from = end + 1
  }
  return segments.length === 0 || path.endsWith('/') ? undefined : segments
}

function matches(literals: readonly string[], parts: readonly string[]): boolean {
  for (let i = 0; i < literals.length; i++) {
    if (literals[i] !== '' && literals[i] !== parts[i]) return false
  }
  return true
}

function variablesOf(literals: readonly string[], parts: readonly string[]): string[] {
  const variables: string[] = []
  for (let i = 0; i < literals.length; i++) {
    if (literals[i] === '') variables.push(parts[i] ?? '')
  }
  return variables
}
