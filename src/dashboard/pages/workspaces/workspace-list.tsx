import { appendAudit } from '../../../auth/audit.js'
import {
  isWorkspaceId,
  workspaceExists,
  workspaceIds,
  workspacePath,
} from '../../../store/data-directory.js'
import { WorkspaceFile } from '../../../store/workspace-file.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Field } from '../../elements/field.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Notice } from '../../elements/notice.js'
import { Pagination } from '../../elements/pagination.js'
import { Panel } from '../../elements/panel.js'
import { WORKSPACES_PER_PAGE } from '../../offset.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { summaryOf } from '../../workspace-summary.js'
import { WORKSPACES_PATH, WorkspaceTable, workspacePagePath } from './workspace-table.js'

/** All workspaces, and a form that creates one. */
export const WORKSPACES_PAGE: DashboardPage = {
  path: WORKSPACES_PATH,
  show: (context) => workspacesView(context),
  actions: { create: createWorkspace },
}

/** The typed id and its fault. */
interface TypedWorkspace {
  readonly workspaceId: string
  readonly error: string
}

function workspacesView({ parts, query }: DashboardContext, typed?: TypedWorkspace): View {
  const all = workspaceIds(parts.directory)
  const asked = query.value('offset') ?? ''
  const offset = /^\d{1,9}$/.test(asked) ? Number(asked) : 0
  const limit = WORKSPACES_PER_PAGE
  const shown = all.slice(offset, offset + limit).map((id) => summaryOf(parts, id))
  return {
    title: 'Workspaces',
    lead: 'Each holds the accounts and transactions of one company or person in a separate file.',
    status: typed === undefined ? 200 : 400,
    body: (
      <>
        {query.value('deleted') === '1' ? (
          <Notice tone="good">The workspace was deleted with its keys and integrations.</Notice>
        ) : null}
        <Panel title="All workspaces">
          {shown.length === 0 ? (
            <p class="soft">There are no workspaces.</p>
          ) : (
            <WorkspaceTable all={shown} />
          )}
          <Pagination
            {...{ offset, limit }}
            total={all.length}
            pageAt={(at) => `${WORKSPACES_PATH}?offset=${at}`}
          />
        </Panel>
        <Panel title="New workspace">
          <Form>
            <Field
              name="workspace"
              label="Name"
              value={typed?.workspaceId}
              error={typed?.error}
              hint="Letters, digits, - and _. It is part of all API URLs and cannot be changed."
              pattern="[a-zA-Z0-9_\-]+"
              maxLength={128}
              required
            />
            <SubmitButton action="create" look="key">
              Create workspace
            </SubmitButton>
          </Form>
        </Panel>
      </>
    ),
  }
}

function createWorkspace(context: DashboardContext, form: SentForm): DashboardReply {
  const { parts, actor, nowMs } = context
  const { directory, control } = parts
  const workspaceId = form.value('workspace') ?? ''
  if (!isWorkspaceId(workspaceId)) {
    const error = 'A name consists of 1 to 128 letters, digits, - and _.'
    return workspacesView(context, { workspaceId, error })
  }
  if (workspaceExists(directory, workspaceId)) {
    const error = 'A workspace of this name already exists.'
    return workspacesView(context, { workspaceId, error })
  }
  WorkspaceFile.open(workspacePath(directory, workspaceId)).close()
  const event = { action: 'workspace.create', subject: workspaceId, workspaceId } as const
  appendAudit(control, actor, nowMs, event)
  return { goTo: workspacePagePath(workspaceId) }
}
