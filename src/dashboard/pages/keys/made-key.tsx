import type { ApiKey } from '../../../admin/api-keys.js'
import type { VNode } from '../../../browser/jsx.js'
import { CodeBlock } from '../../elements/code-block.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'
import { usePageContext } from '../../layout/page-context.js'
import type { MadeSecret } from '../../shown-once.js'

interface MadeKeyProps {
  readonly made: MadeSecret
  /** All keys; the new one is among them. */
  readonly keys: readonly ApiKey[]
}

/** A new key, shown once, and a command that tries it. */
export function MadeKey({ made, keys }: MadeKeyProps): VNode | null {
  const { parts } = usePageContext()
  const row = keys.find(({ id }) => String(id) === made.id)
  if (row === undefined || made.secret === undefined) return null
  const url = `${parts.baseUrl()}/v1/${row.workspaceId}/${firstOperation(row)}`
  return (
    <Panel title="Your new key">
      <Notice variant="good" title={`${row.name} was created. It is shown only once.`}>
        <p>Copy it now: only its hash is stored, so it cannot be shown again.</p>
      </Notice>
      <CodeBlock label="API key" code={made.secret} />
      <CodeBlock
        label="curl: paste the key when prompted"
        code={`read -rs KEY && curl -H "Authorization: Bearer $KEY" '${url}'`}
      />
    </Panel>
  )
}

function firstOperation({ scopes }: ApiKey): string {
  return scopes.includes('transactions:read') ? 'transactions?limit=3' : 'accounts'
}
