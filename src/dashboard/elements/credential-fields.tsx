import { NAME_CODE_POINTS_MAX } from '../../auth/name.js'
import type { VNode } from '../../browser/jsx.js'
import { TOOL_NAMES, type ToolName } from '../../domain/integration.js'
import { SCOPES, type Scope } from '../../domain/key-scope.js'
import type { Form } from '../../wire/form.js'
import type { AccountChoice } from '../account-choices.js'
import { type FormFaults, hasFaults } from '../form-reading.js'
import { ChoiceGroup } from './choice-group.js'
import { Check, Field } from './field.js'
import { IbanText } from './iban-text.js'
import { Notice } from './notice.js'

/** A form that is shown again with the typed values and their faults. */
export interface TypedForm {
  /** undefined = shown for the first time. */
  readonly form?: Form | undefined
  readonly faults: FormFaults
}

/** A form that has not been sent yet. */
export const UNTYPED: TypedForm = { faults: {} }

interface NotCreatedProps extends Pick<TypedForm, 'faults'> {
  /** What the form creates: `key`. */
  readonly what: string
}

/** The notice above a form with faults. */
export function NotCreated({ what, faults }: NotCreatedProps): VNode | null {
  if (!hasFaults(faults)) return null
  return <Notice variant="bad">No {what} was created: correct the fields marked below.</Notice>
}

interface NameFieldProps extends TypedForm {
  readonly value?: string
  readonly hint: string
}

/** The field of a name. */
export function NameField({ form, faults, value, hint }: NameFieldProps): VNode {
  return (
    <Field
      name="name"
      label="Name"
      value={form === undefined ? value : form.value('name')}
      maxLength={NAME_CODE_POINTS_MAX}
      required
      hint={hint}
      error={faults['name']}
    />
  )
}

const SCOPE_HINTS: Readonly<Record<Scope, string>> = {
  'transactions:read': 'Transactions: lists, search, match, categories.',
  'accounts:read': 'Accounts, with their balances.',
}

interface ScopeFieldsProps extends TypedForm {
  /** The scopes that are offered. */
  readonly permitted?: readonly Scope[]
  /** The scopes that are ticked at first; by default all. */
  readonly chosen?: readonly Scope[]
}

/** The field of the scopes. */
export function ScopeFields(props: ScopeFieldsProps): VNode {
  const { form, faults, permitted = SCOPES, chosen = permitted } = props
  const ticked: readonly string[] = form?.values('scope') ?? chosen
  return (
    <ChoiceGroup id="scopes" legend="Scopes" error={faults['scope']}>
      {permitted.map((scope) => (
        <Check
          key={scope}
          name="scope"
          value={scope}
          checked={ticked.includes(scope)}
          label={<code>{scope}</code>}
          hint={SCOPE_HINTS[scope]}
        />
      ))}
    </ChoiceGroup>
  )
}

interface AccountFieldsProps extends TypedForm {
  /** undefined = not available now; ids are typed then. */
  readonly choices: readonly AccountChoice[] | undefined
  /** null = all current and future accounts, the default of a new form. */
  readonly chosen?: readonly number[] | null
}

/** The field of the visible accounts: all current and future ones, or a chosen list. */
export function AccountFields({ form, faults, choices, chosen = null }: AccountFieldsProps): VNode {
  const isAll = form === undefined ? chosen === null : form.value('accounts') === 'all'
  const ticked = form?.values('account') ?? (chosen ?? []).map(String)
  return (
    <ChoiceGroup id="accounts" legend="Accounts" error={faults['accounts']}>
      <Check
        type="radio"
        name="accounts"
        value="all"
        checked={isAll}
        label="All current and future accounts"
        hint="Accounts that are added later are included automatically."
      />
      <Check
        type="radio"
        name="accounts"
        value="chosen"
        checked={!isAll}
        label="Only selected accounts"
      />
      {choices === undefined ? (
        <Field
          name="account_ids"
          label="Account ids"
          value={form === undefined ? ticked.join(', ') : form.value('account_ids')}
          inputMode="numeric"
          hint="Separated by commas, such as 1, 2."
        />
      ) : (
        <AccountList choices={choices} ticked={ticked} />
      )}
    </ChoiceGroup>
  )
}

interface AccountListProps {
  readonly choices: readonly AccountChoice[]
  readonly ticked: readonly string[]
}

function AccountList({ choices, ticked }: AccountListProps): VNode {
  const known = new Set(choices.map(({ id }) => String(id)))
  const gone = ticked.filter((id) => !known.has(id) && /^\d+$/.test(id))
  return (
    <div class="choices">
      {choices.map(({ id, name, iban }) => (
        <Check
          key={id}
          name="account"
          value={String(id)}
          checked={ticked.includes(String(id))}
          label={<AccountLabel {...{ id, name, iban }} />}
        />
      ))}
      {gone.map((id) => (
        <Check
          key={id}
          name="account"
          value={id}
          checked
          label={`Account ${id} (does not exist)`}
        />
      ))}
    </div>
  )
}

function AccountLabel({ id, name, iban }: AccountChoice): VNode {
  if (iban === undefined) return <>{`${name}, id ${id}`}</>
  if (name === iban) return <IbanText iban={iban} />
  return (
    <>
      <bdi>{name}</bdi>{' '}
      <span class="soft">
        <IbanText iban={iban} />
      </span>
    </>
  )
}

const TOOL_HINTS: Readonly<Record<ToolName, string>> = {
  get_transactions: 'Lists, searches and matches transactions.',
  get_accounts: 'Lists accounts.',
}

interface ToolFieldsProps extends TypedForm {
  /** null = all current and future tools, the default of a new form. */
  readonly chosen?: readonly ToolName[] | null
}

/** The field of the tools that agents are offered. */
export function ToolFields({ form, faults, chosen = null }: ToolFieldsProps): VNode {
  const isAll = form === undefined ? chosen === null : form.value('tools') === 'all'
  const ticked: readonly string[] = form?.values('tool') ?? chosen ?? []
  return (
    <ChoiceGroup id="tools" legend="Tools" error={faults['tools']}>
      <Check
        type="radio"
        name="tools"
        value="all"
        checked={isAll}
        label="All current and future tools"
        hint="Tools of later versions are included automatically."
      />
      <Check
        type="radio"
        name="tools"
        value="chosen"
        checked={!isAll}
        label="Only selected tools"
      />
      <div class="choices">
        {TOOL_NAMES.map((name) => (
          <Check
            key={name}
            name="tool"
            value={name}
            checked={ticked.includes(name)}
            label={<code>{name}</code>}
            hint={TOOL_HINTS[name]}
          />
        ))}
      </div>
    </ChoiceGroup>
  )
}

/** The fields of a key's expiry and of the addresses that may use it. */
export function KeyLimitFields({ form, faults }: TypedForm): VNode {
  return (
    <>
      <Field
        name="expires"
        label="Expires"
        type="date"
        value={form?.value('expires')}
        hint="It stops working when this day begins (UTC). If empty, it works until revoked."
        error={faults['expires']}
      />
      <Field
        name="ip_allow"
        label="Allowed from"
        value={form?.value('ip_allow')}
        placeholder="192.0.2.7, 10.0.0.0/8"
        hint="IP addresses and networks, separated by commas. If empty, it works from anywhere."
        error={faults['ip_allow']}
      />
    </>
  )
}

/** A single check box: `yes` when it is ticked. */
export function YesField(props: {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly form?: Form | undefined
  readonly value?: boolean
}): VNode {
  const { name, label, hint, form, value = false } = props
  const checked = form === undefined ? value : form.value(name) === 'yes'
  return <Check name={name} value="yes" checked={checked} label={label} hint={hint} />
}
