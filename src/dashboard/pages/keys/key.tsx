import {
  type ApiKey,
  findApiKey,
  type RotatedKey,
  revokeApiKey,
  rotateApiKey,
} from '../../../admin/api-keys.js'
import type { VNode } from '../../../browser/jsx.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { type TypedForm, UNTYPED } from '../../elements/credential-fields.js'
import { Check, ChoiceField, Field } from '../../elements/field.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { AccountsText, KeyStateBadge, ScopesText, WhenText } from '../../elements/grant-texts.js'
import { Link } from '../../elements/link.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'
import { Facts } from '../../elements/stat.js'
import { FormReading, hasFaults } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { pathShowing } from '../../shown-once.js'
import { noSuchPageView } from '../error-pages.js'
import { keyPath, workspaceKeysPath } from './key-table.js'

/** One API key: its rights, its rotation and its revocation. */
export const KEY_PAGE: DashboardPage = {
  path: '/dashboard/workspaces/:workspaceId/keys/:keyId',
  show: (context) => showKey(context, UNTYPED),
  actions: { rotate, revoke },
}

/** The overlap of a replaced key with its successor, in ms, with the text of the list. */
const OVERLAPS: Readonly<Record<string, string>> = {
  '0': 'no overlap',
  '900000': '15 minutes',
  '86400000': '1 day',
  '604800000': '7 days',
  '2592000000': '30 days',
}

async function keyOf(context: DashboardContext): Promise<ApiKey | undefined> {
  const { workspaceId, keyId = '' } = context.named
  const key = /^\d{1,15}$/.test(keyId) ? await findApiKey(context, Number(keyId)) : undefined
  return key?.workspaceId === workspaceId ? key : undefined
}

async function showKey(context: DashboardContext, typed: TypedForm): Promise<View> {
  const key = await keyOf(context)
  if (key === undefined) return noSuchPageView()
  const { state } = key
  return {
    title: key.name,
    lead: `Key ${key.id} of workspace ${key.workspaceId}.`,
    above: { text: `Keys of ${key.workspaceId}`, path: workspaceKeysPath(key.workspaceId) },
    status: hasFaults(typed.faults) ? 400 : 200,
    body: (
      <>
        {typed.faults['key'] === undefined ? null : (
          <Notice variant="bad">{typed.faults['key']}</Notice>
        )}
        <Panel title="Details" aside={<KeyStateBadge state={state} />}>
          <KeyFacts row={key} />
        </Panel>
        {state === 'active' && key.replacedBy === null ? <RotatePanel typed={typed} /> : null}
        {state === 'active' ? <RevokePanel typed={typed} /> : null}
      </>
    ),
  }
}

function KeyFacts({ row }: { readonly row: ApiKey }): VNode {
  const { lastUsedAt, lastUsedOperation, ipAllow, replacedBy } = row
  const facts = [
    { name: 'Scopes', value: <ScopesText scopes={row.scopes} /> },
    { name: 'Accounts', value: <AccountsText ids={row.accountIds} /> },
    { name: 'Allowed from', value: ipAllow?.join(', ') ?? 'anywhere' },
    { name: 'Created', value: <WhenText ms={row.createdAt} none="" /> },
    { name: 'Expires', value: <WhenText ms={row.expiresAt} none="never" /> },
    {
      name: 'Last used',
      value: (
        <>
          <WhenText ms={lastUsedAt} none="never" />
          {lastUsedOperation === null ? null : ` for ${lastUsedOperation}`}
        </>
      ),
    },
  ]
  if (row.revokedAt !== null) {
    facts.push({ name: 'Revoked', value: <WhenText ms={row.revokedAt} none="" /> })
  }
  if (replacedBy !== null) {
    const to = keyPath({ ...row, id: replacedBy })
    facts.push({ name: 'Replaced by', value: <Link to={to}>key {replacedBy}</Link> })
  }
  return <Facts facts={facts} />
}

function RotatePanel({ typed: { form, faults } }: { readonly typed: TypedForm }): VNode {
  return (
    <Panel title="Rotate">
      <p class="soft">
        Creates a new key with the same access. Both keys work during the overlap, so that programs
        can be switched to the new one.
      </p>
      <Form>
        <ChoiceField
          name="overlap"
          label="The old key keeps working for"
          options={Object.entries(OVERLAPS).map(([value, text]) => ({ value, text }))}
          value={form?.value('overlap') ?? '86400000'}
        />
        <Field
          name="expires"
          label="The new key expires"
          type="date"
          value={form?.value('expires')}
          hint="At the start of this day (UTC). If empty, it expires when the old key does."
          error={faults['expires']}
        />
        <SubmitButton action="rotate" look="key">
          Create new key
        </SubmitButton>
      </Form>
    </Panel>
  )
}

function RevokePanel({ typed: { faults } }: { readonly typed: TypedForm }): VNode {
  return (
    <Panel title="Revoke">
      <p class="soft">The key is rejected from its next request on. This cannot be undone.</p>
      <Form>
        <Check name="sure" value="yes" label="Programs that use it will stop working" />
        {faults['sure'] === undefined ? null : <p class="field-error">{faults['sure']}</p>}
        <SubmitButton action="revoke" look="danger">
          Revoke key
        </SubmitButton>
      </Form>
    </Panel>
  )
}

async function rotate(context: DashboardContext, form: SentForm): Promise<DashboardReply> {
  const key = await keyOf(context)
  if (key === undefined) return noSuchPageView()
  const reading = new FormReading(form)
  const overlapMs = Number(reading.choice('overlap', Object.keys(OVERLAPS)))
  const expiry = reading.expiry(context.nowMs)
  if (!reading.isFaultless) return showKey(context, { form, faults: reading.faults })
  const input = { id: key.id, overlapMs, expiresAtMs: expiry ?? undefined }
  const rotated = await rotateApiKey(context, input)
  if (rotated.outcome !== 'rotated') {
    return showKey(context, { form, faults: { key: NOT_ROTATED[rotated.outcome] } })
  }
  const { id, key: secret } = rotated.created
  const made = { id: String(id), secret }
  return { goTo: pathShowing(context, workspaceKeysPath(key.workspaceId), made) }
}

const NOT_ROTATED: Readonly<Record<Exclude<RotatedKey['outcome'], 'rotated'>, string>> = {
  unknown: 'This key no longer exists.',
  revoked: 'The key is revoked; create a new one.',
  expired: 'The key has expired; create a new one.',
  already_rotated: 'The key has already been replaced.',
}

async function revoke(context: DashboardContext, form: SentForm): Promise<DashboardReply> {
  const key = await keyOf(context)
  if (key === undefined) return noSuchPageView()
  if (form.value('sure') !== 'yes') {
    return showKey(context, { form, faults: { sure: 'Tick the box to confirm.' } })
  }
  await revokeApiKey(context, key.id)
  return { goTo: keyPath(key) }
}
