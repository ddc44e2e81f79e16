import type { Integration, NewIntegration } from '../../../admin/integrations.js'
import type { VNode } from '../../../browser/jsx.js'
import { spanText } from '../../../count-text.js'
import type { IntegrationKind } from '../../../domain/integration.js'
import type { EpochMs } from '../../../instant.js'
import {
  ACCESS_TOKEN_MS_DEFAULT,
  CODE_MS_DEFAULT,
  REFRESH_TOKEN_MS_DEFAULT,
} from '../../../limits.js'
import type { AccountChoice } from '../../account-choices.js'
import { ChoiceGroup } from '../../elements/choice-group.js'
import {
  AccountFields,
  NameField,
  ScopeFields,
  ToolFields,
  type TypedForm,
  YesField,
} from '../../elements/credential-fields.js'
import { ChoiceField } from '../../elements/field.js'
import type { FormReading } from '../../form-reading.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type LifeName = 'code_life' | 'access_life' | 'refresh_life'

interface LifeRow {
  readonly label: string
  readonly hint: string
  readonly defaultMs: number
  /** Within the bounds of limits.ts. */
  readonly choicesMs: readonly number[]
}

const LIVES: Readonly<Record<LifeName, LifeRow>> = {
  code_life: {
    label: 'Lifetime of authorization codes',
    hint: 'Clients usually exchange a code within a second.',
    defaultMs: CODE_MS_DEFAULT,
    choicesMs: [30_000, MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS],
  },
  access_life: {
    label: 'Lifetime of access tokens',
    hint: 'A stolen token works until it expires or is revoked.',
    defaultMs: ACCESS_TOKEN_MS_DEFAULT,
    choicesMs: [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 8 * HOUR_MS, DAY_MS],
  },
  refresh_life: {
    label: 'Lifetime of unused refresh tokens',
    hint: 'After that time without use, the client needs consent again.',
    defaultMs: REFRESH_TOKEN_MS_DEFAULT,
    choicesMs: [DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS, 365 * DAY_MS],
  },
}

/** The choices, and the current value if it is none of them. */
function livesMs(name: LifeName, currentMs: EpochMs = LIVES[name].defaultMs): number[] {
  return [...new Set([...LIVES[name].choicesMs, currentMs])].sort((a, b) => a - b)
}

function currentLives(row: Integration | undefined): Record<LifeName, number | undefined> {
  return { code_life: row?.codeMs, access_life: row?.accessMs, refresh_life: row?.refreshMs }
}

interface TermsFieldsProps {
  readonly kind: IntegrationKind
  readonly typed: TypedForm
  readonly choices: readonly AccountChoice[] | undefined
  /** The integration; absent = a new one. */
  readonly row?: Integration
}

/** The terms of an integration: the fields of the form. */
export function TermsFields({ kind, typed, choices, row }: TermsFieldsProps): VNode {
  const lives = currentLives(row)
  const names = Object.keys(LIVES) as LifeName[]
  return (
    <>
      <NameField {...typed} value={row?.name ?? ''} hint="Shown on the consent page." />
      <ScopeFields {...typed} {...(row === undefined ? {} : { chosen: row.scopes })} />
      <AccountFields {...typed} choices={choices} chosen={row?.accountIds ?? null} />
      {kind === 'mcp' ? <AgentFields typed={typed} row={row} /> : null}
      <details class="more">
        <summary>Lifetimes</summary>
        {names.map((name) => (
          <ChoiceField
            key={name}
            name={name}
            label={LIVES[name].label}
            hint={LIVES[name].hint}
            options={livesMs(name, lives[name]).map((ms) => ({
              value: String(ms),
              text: spanText(ms),
            }))}
            value={typed.form?.value(name) ?? String(lives[name] ?? LIVES[name].defaultMs)}
          />
        ))}
      </details>
    </>
  )
}

interface AgentFieldsProps {
  readonly typed: TypedForm
  readonly row: Integration | undefined
}

/** The further fields of an MCP endpoint. */
function AgentFields({ typed, row }: AgentFieldsProps): VNode {
  const { form } = typed
  return (
    <>
      <ToolFields {...typed} chosen={row?.tools ?? null} />
      <ChoiceGroup id="registration" legend="Dynamic client registration">
        <YesField
          {...{ form }}
          name="dcr"
          label="Allow dynamic client registration"
          hint={
            'Most agents need it (RFC 7591) to connect with nothing but the address. An operator ' +
            'must still approve each client.'
          }
          value={row?.letsRegister ?? false}
        />
      </ChoiceGroup>
      <ChoiceGroup
        id="masks"
        legend="Hidden from agents"
        hint="The provider of an agent’s model can see everything that the agent reads."
      >
        <YesField
          {...{ form }}
          name="mask_ibans"
          label="Hide IBANs"
          hint="IBANs are masked in all results of tools."
          value={row?.masksIbans ?? false}
        />
        <YesField
          {...{ form }}
          name="mask_names"
          label="Hide names of counterparts"
          hint="Names of counterparts are masked in all results of tools."
          value={row?.masksNames ?? false}
        />
      </ChoiceGroup>
    </>
  )
}

/** Reads the fields; their faults are recorded in the reading. */
export function readIntegrationTerms(
  reading: FormReading,
  kind: IntegrationKind,
  row?: Integration,
): Omit<NewIntegration, 'workspaceId' | 'kind'> {
  const lives = currentLives(row)
  const life = (name: LifeName): number =>
    Number(reading.choice(name, livesMs(name, lives[name]).map(String)))
  const isMcp = kind === 'mcp'
  return {
    name: reading.name(),
    scopes: reading.scopes(),
    accountIds: reading.accounts(),
    tools: isMcp ? reading.tools() : null,
    letsRegister: isMcp && reading.isTicked('dcr'),
    masksIbans: isMcp && reading.isTicked('mask_ibans'),
    masksNames: isMcp && reading.isTicked('mask_names'),
    codeMs: life('code_life'),
    accessMs: life('access_life'),
    refreshMs: life('refresh_life'),
  }
}
