import type { VNode } from '../../../browser/jsx.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import { CodeBlock } from '../../elements/code-block.js'
import { Link } from '../../elements/link.js'
import { Panel } from '../../elements/panel.js'
import { usePageContext } from '../../layout/page-context.js'
import { callTexts } from './call-text.js'
import { targetOf } from './rest-request.js'

interface CallPanelProps {
  readonly workspaceId: string
  readonly request: OperationRequest
  /** The difference between the call and the page. */
  readonly note?: string
  /** Links to the same content as files, and their texts. */
  readonly downloads?: readonly { readonly text: string; readonly to: string }[]
}

/** The REST call that makes the view, in several languages, and the downloads of it. */
export function CallPanel({
  workspaceId,
  request,
  note = '',
  downloads = [],
}: CallPanelProps): VNode {
  const url = usePageContext().parts.baseUrl() + targetOf(workspaceId, request)
  const links = downloads.map(({ text, to }) => (
    <Link key={to} to={to} class="button">
      {text}
    </Link>
  ))
  return (
    <Panel title="Use the API">
      {links.length === 0 ? null : <p class="row downloads">{links}</p>}
      <p>
        <code>{request.operation.id}</code> returns this view. Use a key of this workspace instead
        of <code>YOUR_API_KEY</code>. {note}
      </p>
      {callTexts(url).map(({ language, code }, i) => (
        <details key={language} class="call" name="call" open={i === 0}>
          <summary>{language}</summary>
          <CodeBlock label={language} code={code} />
        </details>
      ))}
    </Panel>
  )
}
