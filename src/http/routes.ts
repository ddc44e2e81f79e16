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

/** Every operation, in the contract's order. */
export const OPERATIONS: readonly AnyOperation[] = [
  getAccounts, //                 /accounts                              accounts:read
  getAccount, //                  /accounts/:identifier                  accounts:read
  getAccountTransactions, //      /accounts/:identifier/transactions     transactions:read
  getTransactions, //             /transactions                          transactions:read
  getTransaction, //              /transactions/:transactionId           transactions:read
  getCounterpartTransactions, //  /counterpart/:iban/transactions        transactions:read
  getCategories, //               /categories                            transactions:read
  getCategory, //                 /categories/:categoryId                transactions:read
  getKeyScope, //                 /key/scope                             any valid credential
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

/** Looks operations up by path. */
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
    if (!path.startsWith('/v1/')) return undefined
    const [workspaceSegment = '', ...rest] = path.slice(4).split('/')
    if (workspaceSegment === '' || rest.includes('')) return undefined
    const found = this.#byLength
      .get(rest.length)
      ?.find(({ literals }) => literals.every((text, i) => text === '' || text === rest[i]))
    if (found === undefined) return undefined
    const segments = rest.filter((_, i) => found.literals[i] === '')
    return { operation: found.operation, workspaceSegment, segments }
  }
}
