import type { Integration } from '../../../admin/integrations.js'
import type { VNode } from '../../../browser/jsx.js'
import { ChoiceGroup } from '../../elements/choice-group.js'
import {
  NameField,
  ScopeFields,
  type TypedForm,
  YesField,
} from '../../elements/credential-fields.js'
import { Check, TextArea } from '../../elements/field.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'

interface NewClientPanelProps {
  readonly row: Integration
  readonly typed: TypedForm
}

/** The form that creates a client of an integration. */
export function NewClientPanel({ row, typed }: NewClientPanelProps): VNode {
  const { form, faults } = typed
  const type = form?.value('type') ?? 'confidential'
  return (
    <Panel title="Create a client">
      {Object.keys(faults).length === 0 ? null : (
        <Notice variant="bad">No client was created: correct the fields marked below.</Notice>
      )}
      <Form>
        <NameField {...typed} hint="Shown on the consent page." />
        <ChoiceGroup id="types" legend="Type" error={faults['type']}>
          <Check
            type="radio"
            name="type"
            value="confidential"
            checked={type === 'confidential'}
            label="Confidential"
            hint="It runs on a server and can keep a secret, which token requests contain."
          />
          <Check
            type="radio"
            name="type"
            value="public"
            checked={type === 'public'}
            label="Public"
            hint="It runs on users’ devices, such as a phone or browser, and has no secret."
          />
        </ChoiceGroup>
        <TextArea
          name="redirect_uris"
          label="Redirect URIs"
          value={form?.value('redirect_uris')}
          placeholder="https://app.example.org/callback"
          hint={REDIRECT_HINT}
          error={faults['redirect_uris']}
        />
        <YesField
          {...{ form }}
          name="any_host"
          label="Allow all domains and IPs"
          hint={ANY_HOST_HINT}
        />
        <ScopeFields {...typed} permitted={row.scopes} />
        <SubmitButton action="create-client" look="key">
          Create client
        </SubmitButton>
      </Form>
    </Panel>
  )
}

// Contract, "OAuth 2.1", rule 5.
const REDIRECT_HINT =
  'One per line. The redirect_uri of both the authorization request and the code exchange must ' +
  'equal a saved one exactly: scheme, host, port, path, query, trailing slash.'

const ANY_HOST_HINT =
  'Relaxes only the hostname policy at registration: a saved redirect URI may then have an IP ' +
  'address, or a name without a dot, as its host. It is not a wildcard at runtime.'
