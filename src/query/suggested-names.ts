import type { Snapshot } from '../snapshot/snapshot.js'

/** The names of categories and visible accounts, each with the codes of those that have it. */
export interface SuggestedNames {
  readonly category: ReadonlyMap<string, readonly number[]>
  readonly account: ReadonlyMap<string, readonly number[]>
}

/** The part of a scope that names depend on. */
interface NamesScope {
  readonly snapshot: Pick<Snapshot, 'accounts' | 'categories'>
  readonly accountCodes: readonly number[] | undefined
}

/** By the accounts of a snapshot, and the visible ones of them. */
const kept = new WeakMap<Snapshot['accounts'], Map<string, KeptNames>>()

interface KeptNames {
  readonly categories: Snapshot['categories']
  readonly names: SuggestedNames
}

/** The names that a query may suggest; the same object as long as they are the same. */
export function suggestedNames({ snapshot, accountCodes }: NamesScope): SuggestedNames {
  const { accounts, categories } = snapshot
  const byCodes = kept.get(accounts) ?? new Map<string, KeptNames>()
  kept.set(accounts, byCodes)
  const key = accountCodes?.join() ?? 'all'
  const known = byCodes.get(key)
  if (known?.categories === categories) return known.names
  const visible = accountCodes === undefined ? undefined : new Set(accountCodes)
  const names = {
    category: codesByName(categories.map(({ name, code }) => ({ name, code }))),
    account: codesByName(
      accounts
        .filter(({ code }) => visible?.has(code) ?? true)
        .map(({ bytes, code }) => ({ name: accountName(bytes), code })),
    ),
  }
  byCodes.set(key, { categories, names })
  return names
}

function codesByName(
  named: readonly { readonly name: string | undefined; readonly code: number }[],
): Map<string, number[]> {
  const codes = new Map<string, number[]>()
  for (const { name, code } of named) {
    if (name === undefined) continue
    codes.set(name, [...(codes.get(name) ?? []), code])
  }
  return codes
}

/** @param bytes the Account resource, which resource-json.ts has rendered */
function accountName(bytes: Uint8Array): string | undefined {
  return (JSON.parse(Buffer.from(bytes).toString()) as { readonly name?: string }).name
}
