import type { VNode } from '../../../browser/jsx.js'
import { countedText } from '../../../count-text.js'
import type { Inbox } from '../../../inbox/inbox.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'

interface InboxPanelProps {
  readonly inbox: Pick<Inbox, 'stateOf'>
  readonly workspaceId: string
}

/** The folder whose files are imported into a workspace, and the faults that prevent imports. */
export function InboxPanel({ inbox, workspaceId }: InboxPanelProps): VNode {
  const { path, folder } = inbox.stateOf(workspaceId)
  if (folder === undefined) {
    return (
      <Panel title="Import folder">
        <p class="soft">
          To have files imported automatically, create the folder <code>{path}</code> and put them
          there.
        </p>
      </Panel>
    )
  }
  const { waitingCount, faults } = folder
  return (
    <Panel title="Import folder">
      {faults.map((fault) => (
        <Notice variant="bad" title="Files are not imported">
          {fault}
        </Notice>
      ))}
      <p>
        Files in <code>{path}</code> are imported automatically.{' '}
        {waitingCount === 0
          ? 'None is waiting.'
          : `${countedText(waitingCount, 'file is', 'files are')} waiting.`}
      </p>
    </Panel>
  )
}
