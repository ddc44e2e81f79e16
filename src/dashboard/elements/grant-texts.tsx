import type { KeyState } from '../../admin/key-terms.js'
import type { VNode } from '../../browser/jsx.js'
import { countedText } from '../../count-text.js'
import type { Scope } from '../../domain/key-scope.js'
import type { EpochMs } from '../../instant.js'
import { Badge, type BadgeVariant } from './badge.js'
import { InstantText } from './day-text.js'

/** The accounts that a credential sees. @param ids null = all current and future ones */
export function AccountsText({ ids }: { readonly ids: readonly number[] | null }): VNode {
  if (ids === null) return <>all current and future</>
  if (ids.length === 0) return <>none</>
  const shown = ids.length <= 4 ? ids.join(', ') : countedText(ids.length, 'account')
  return <span title={ids.join(', ')}>{ids.length <= 4 ? `only ${shown}` : shown}</span>
}

/** Scopes, a word each. */
export function ScopesText({ scopes }: { readonly scopes: readonly Scope[] }): VNode {
  return (
    <span class="words">
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </span>
  )
}

/** A moment, or the meaning of its absence. */
export function WhenText({
  ms,
  none,
}: {
  readonly ms: EpochMs | null
  readonly none: string
}): VNode {
  return ms === null ? <span class="soft">{none}</span> : <InstantText ms={ms} />
}

const STATE_VARIANTS: Readonly<Record<KeyState, BadgeVariant>> = {
  active: 'good',
  expired: 'warn',
  revoked: 'plain',
}

/** The state of a key as a word. */
export function KeyStateBadge({ state }: { readonly state: KeyState }): VNode {
  return <Badge variant={STATE_VARIANTS[state]}>{state[0]?.toUpperCase() + state.slice(1)}</Badge>
}

/** Whether an integration or credential grants access. */
export function ActiveBadge({ isActive }: { readonly isActive: boolean }): VNode {
  return <Badge variant={isActive ? 'good' : 'plain'}>{isActive ? 'Active' : 'Inactive'}</Badge>
}
