import { setTimeout as pause } from 'node:timers/promises'
import { accountName, accountsOf } from './account-list.js'
import { OVERVIEW_WAIT_MS } from './load-soon.js'
import type { DashboardParts } from './parts.js'

/** Accounts that a form lists for choice; beyond it the operator types ids. */
const ACCOUNT_CHOICES_MAX = 200

/** An account that a form offers for choice. */
export interface AccountChoice {
  readonly id: number
  readonly name: string
  /** Compact. */
  readonly iban: string | undefined
}

/**
 * The accounts of a workspace, for a form. Loads a workspace that is not in memory, and waits
 * briefly for it. @returns undefined when they are not available now, or are too many for a form
 */
export async function accountChoices(
  { snapshots }: Pick<DashboardParts, 'snapshots'>,
  workspaceId: string,
): Promise<readonly AccountChoice[] | undefined> {
  if (snapshots.stateOf(workspaceId).kind !== 'loaded') {
    // The outcome is ignored: without the list the form accepts typed ids.
    const load = Promise.allSettled([snapshots.load(workspaceId)])
    await Promise.race([load, pause(OVERVIEW_WAIT_MS)])
  }
  const state = snapshots.stateOf(workspaceId)
  if (state.kind !== 'loaded' || state.snapshot.accounts.length > ACCOUNT_CHOICES_MAX) {
    return undefined
  }
  return accountsOf(state.snapshot.accounts).map((account) => ({
    id: account.id,
    name: accountName(account),
    iban: account.iban,
  }))
}
