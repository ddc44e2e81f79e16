import { isLoopbackHost } from '../../auth/redirect-uri.js'
import type { VNode } from '../../browser/jsx.js'
import type { Page } from '../../browser/page.js'
import { FormToken, Problem } from '../../browser/page-parts.js'
import type { Scope } from '../../domain/key-scope.js'
import { schemeOf } from '../callback.js'

/** Accounts that a consent page lists; a longer list would not be read. */
export const CONSENT_ACCOUNTS_MAX = 20

/** An account in the terms its owner knows. */
export interface ShownAccount {
  readonly id: number
  readonly name?: string | null
  readonly iban?: string | null
}

/** The accounts that the consent concerns. */
export interface ShownSelection {
  /** All current and future ones. */
  readonly isAll: boolean
  /** The current ones; for `isAll` empty when they cannot be read. */
  readonly accounts: readonly ShownAccount[]
}

/** The question a person decides. */
export interface ConsentPrompt {
  readonly clientName: string
  /** The client has registered itself: no operator has checked its name. */
  readonly isSelfRegistered: boolean
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  readonly workspaceId: string
  readonly integrationName: string
  readonly selection: ShownSelection
  readonly operatorName: string
  readonly formToken: string
  /** A sentence about a preceding error. */
  readonly notice?: string | undefined
}

const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  'transactions:read': 'Transactions: amounts, dates, counterparts, purposes and categories',
  'accounts:read': 'Accounts: holder, IBAN, bank and balances',
}

/** Asks whether a client may read. Every answer is a form sent to the same URL. */
export function consentPage(prompt: ConsentPrompt): Page {
  const { clientName, scopes, redirectUri, operatorName, formToken, notice } = prompt
  return {
    title: 'Allow a program to read bank data?',
    formTargets: [schemeOf(redirectUri)],
    body: (
      <>
        <Problem text={notice} />
        <p>
          <strong>
            <bdi>{clientName}</bdi>
          </strong>{' '}
          requests read access to the workspace <strong>{prompt.workspaceId}</strong>. It cannot
          change data or make payments.
        </p>
        {prompt.isSelfRegistered ? <SelfRegistered /> : null}
        <h2>Permissions</h2>
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>{SCOPE_TEXTS[scope]}</li>
          ))}
        </ul>
        <h2>Accounts</h2>
        <AccountList {...prompt.selection} />
        <h2>You will be redirected to</h2>
        <p>
          <strong>{destinationOf(redirectUri)}</strong>
        </p>
        <p class="soft">
          The access ends when it is revoked or no longer used. Allow it only if you started this
          request yourself. Integration: <bdi>{prompt.integrationName}</bdi>.
        </p>
        <form method="post">
          <div class="row">
            <FormToken value={formToken} />
            <Button action="deny" text="Deny" />
            <Button action="allow" text="Allow" look="key" />
          </div>
        </form>
        <footer class="soft">
          Signed in as <bdi>{operatorName}</bdi>.
          <form method="post">
            <FormToken value={formToken} />
            <Button action="sign-out" text="Sign out" look="plain" />
          </form>
        </footer>
      </>
    ),
  }
}

interface ButtonProps {
  readonly action: string
  readonly text: string
  readonly look?: 'key' | 'plain'
}

function Button({ action, text, look }: ButtonProps): VNode {
  return (
    <button type="submit" class={look} name="action" value={action}>
      {text}
    </button>
  )
}

function SelfRegistered(): VNode {
  return <p class="soft">This program registered itself. Its name has not been verified.</p>
}

function AccountList({ isAll, accounts }: ShownSelection): VNode {
  if (!isAll && accounts.length === 0) {
    return <p>None: the selected accounts no longer exist.</p>
  }
  const shown = accounts.slice(0, CONSENT_ACCOUNTS_MAX)
  const rest = accounts.length - shown.length
  return (
    <>
      {isAll ? <p>All accounts, including future ones.</p> : null}
      <ul>
        {shown.map((account) => (
          <li key={account.id}>
            <bdi>{accountText(account)}</bdi>
          </li>
        ))}
      </ul>
      {rest === 0 ? null : <p class="soft">and {rest} more</p>}
    </>
  )
}

function accountText({ id, name, iban }: ShownAccount): string {
  const words = [name, iban ? groupedIban(iban) : undefined].filter(Boolean)
  return words.length === 0 ? `Account ${id}` : words.join(', ')
}

/** In groups of four, as printed on paper. */
function groupedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
}

/**
 * The destination of an answer, for a person: the host as DNS looks it up, so that a letter of
 * another script does not pass for a Latin one.
 */
export function destinationOf(redirectUri: string): string {
  const { protocol, hostname, host } = new URL(redirectUri)
  if (protocol !== 'https:' && protocol !== 'http:') return `an app on this device (${protocol})`
  return isLoopbackHost(hostname) ? `a program on this computer (${host})` : host
}
