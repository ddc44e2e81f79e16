import type { Integration } from '../../../admin/integrations.js'
import type { VNode } from '../../../browser/jsx.js'
import { CodeBlock } from '../../elements/code-block.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'
import { usePageContext } from '../../layout/page-context.js'
import type { MadeSecret } from '../../shown-once.js'
import { urlsOf } from './integration-paths.js'

interface MadeClientProps {
  readonly made: MadeSecret
  readonly row: Integration
}

/** A new client: its id, and this once its secret. */
export function MadeClient({ made, row }: MadeClientProps): VNode {
  const { parts } = usePageContext()
  return (
    <Panel title="Your new client">
      <Notice variant="good" title="The client was created.">
        <p>
          {made.secret === undefined
            ? 'It is public and has no secret; it needs only its id.'
            : 'Copy the secret now: only its hash is stored, so it cannot be shown again.'}
        </p>
      </Notice>
      <CodeBlock label="Client id" code={made.id} />
      {made.secret === undefined ? null : <CodeBlock label="Client secret" code={made.secret} />}
      <CodeBlock label="Issuer" code={urlsOf(parts.baseUrl(), row).issuer} />
    </Panel>
  )
}
