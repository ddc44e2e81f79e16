import { createWorkspace, listWorkspaces } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Field } from '../../elements/field.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Notice } from '../../elements/notice.js'
import { PagedList, WORKSPACES_PER_PAGE } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { type SummedWorkspace, summaryOf, withBalances } from '../../workspace-summary.js'
import { WORKSPACES_PATH, WorkspaceTable, workspacePagePath } from './workspace-table.js'

/** All workspaces, and a form that creates one. */
export const WORKSPACES_PAGE: DashboardPage = {
  path: WORKSPACES_PATH,
  show: (context) => workspacesView(context),
  actions: { create: createFromForm },
}

/** The typed id and its fault. */
interface TypedWorkspace {
  readonly workspaceId: string
  readonly error: string
}

async function workspacesView(
  { parts, query }: DashboardContext,
  typed?: TypedWorkspace,
): Promise<View> {
  const all = (await listWorkspaces(parts)).map((id) => summaryOf(parts, id))
  const rows = await withBalances(parts, all)
  return {
    title: 'Workspaces',
    lead: 'Each holds the accounts and transactions of one company or person in a separate file.',
    status: typed === undefined ? 200 : 400,
    body: (
      <>
        {query.value('deleted') === '1' ? (
          <Notice variant="good">The workspace was deleted with its keys and integrations.</Notice>
        ) : null}
        <Panel title="All workspaces">
          <PagedList
            rows={rows}
            rowsPerPage={WORKSPACES_PER_PAGE}
            show={(some) => <WorkspaceRows all={some} />}
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

const REJECTIONS = {
  malformed: 'A name consists of 1 to 128 letters, digits, - and _.',
  taken: 'A workspace of this name already exists.',
}

function WorkspaceRows({ all }: { readonly all: readonly SummedWorkspace[] }): VNode {
  if (all.length === 0) return <p class="soft">There are no workspaces.</p>
  return <WorkspaceTable all={all} />
}

async function createFromForm(context: DashboardContext, form: SentForm): Promise<DashboardReply> {
  const workspaceId = form.value('workspace') ?? ''
  // Its file is there when this is recorded, whatever has become of the session.
  const { control } = context.parts
  const fault = await createWorkspace({ ...context, control }, workspaceId)
  if (fault === undefined) return { goTo: workspacePagePath(workspaceId) }
  return workspacesView(context, { workspaceId, error: REJECTIONS[fault] })
}
