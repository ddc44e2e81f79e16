import { deleteWorkspace, findWorkspace, hasWorkspace } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import { bytesText, countText } from '../../../count-text.js'
import { type Snapshot, transactionCount } from '../../../snapshot/snapshot.js'
import type { Form as SentForm } from '../../../wire/form.js'
import { accountsOf } from '../../account-list.js'
import { lastImportMs, rowCountsByAccount } from '../../account-rows.js'
import type { BalanceSum } from '../../account-sums.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { DayText } from '../../elements/day-text.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Field } from '../../elements/field.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Notice } from '../../elements/notice.js'
import { ACCOUNTS_PER_PAGE, PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { Stat, Stats } from '../../elements/stat.js'
import { loadSoon } from '../../load-soon.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { REFRESH_SECONDS } from '../../reply.js'
import { isBehindImports, isUnderWay, summaryOf } from '../../workspace-summary.js'
import { goneView } from '../error-pages.js'
import { AccountTable, type CountedAccount } from './account-table.js'
import { ConditionBadge } from './condition-badge.js'
import { importHistory } from './import-history.js'
import { ImportList } from './import-list.js'
import { InboxPanel } from './inbox-panel.js'
import { receiveFiles, SendingForm } from './sending.js'
import { WORKSPACES_PATH } from './workspace-table.js'
import { WorkspaceTabs } from './workspace-tabs.js'

/** One workspace: its content, its imports, and its deletion. */
export const WORKSPACE_PAGE: DashboardPage = {
  path: `${WORKSPACES_PATH}/:workspaceId`,
  show: showWorkspace,
  actions: { delete: deleteFromForm, cancel: cancelImport },
  receive: receiveInto,
}

const ABOVE = { text: 'Workspaces', path: WORKSPACES_PATH }

/** The fault of the requested action. */
interface WorkspaceRejection {
  readonly status: number
  readonly sentence: string
  /** Shown next to the field of the name, and not at the top of the page. */
  readonly isOfName?: boolean
}

async function showWorkspace(context: DashboardContext): Promise<View> {
  const workspaceId = await workspaceIdOf(context)
  if (workspaceId === undefined) return goneView('workspace', ABOVE)
  await loadSoon(context.parts, [workspaceId])
  return workspaceView(context, workspaceId)
}

/** The workspace that the path names, or undefined when there is none. */
async function workspaceIdOf(context: DashboardContext): Promise<string | undefined> {
  const { workspaceId = '' } = context.named
  return (await hasWorkspace(context, workspaceId)) ? workspaceId : undefined
}

async function workspaceView(
  context: DashboardContext,
  workspaceId: string,
  refusal?: WorkspaceRejection,
): Promise<View> {
  const { parts } = context
  const state = parts.snapshots.stateOf(workspaceId)
  const loaded =
    state.kind === 'loaded'
      ? { ...state, balances: await parts.accountSums.of(state.snapshot.accounts) }
      : undefined
  const history = await importHistory(context, workspaceId)
  const { condition, reason } = summaryOf(parts, workspaceId)
  const isImporting = parts.imports.isBusy(workspaceId) || isBehindImports(parts, workspaceId)
  const imports = parts.imports.of(workspaceId)
  const refresh = isImporting || isUnderWay(condition) ? { refreshSeconds: REFRESH_SECONDS } : {}
  return {
    title: workspaceId,
    above: ABOVE,
    aside: <ConditionBadge condition={condition} />,
    status: refusal?.status ?? 200,
    body: (
      <>
        <WorkspaceTabs workspaceId={workspaceId} current="accounts" />
        {refusal === undefined || refusal.isOfName ? null : (
          <Notice variant="bad">{refusal.sentence}</Notice>
        )}
        {reason === undefined ? null : (
          <Notice variant="bad" title="The workspace cannot be read">
            {reason}
          </Notice>
        )}
        <Content loaded={loaded} />
        <Panel title="Import bank files">
          <SendingForm bytesMax={parts.uploadBytesMax} />
        </Panel>
        {imports.length === 0 ? null : (
          <Panel title="Files since the service started">
            <ImportList all={imports} />
          </Panel>
        )}
        {parts.inbox === undefined ? null : <InboxPanel inbox={parts.inbox} {...{ workspaceId }} />}
        {history}
        <Deletion error={refusal?.isOfName ? refusal.sentence : undefined} />
      </>
    ),
    scripts: ['drop.js'],
    ...refresh,
  }
}

interface ContentProps {
  /** undefined = the workspace is not in memory. */
  readonly loaded:
    | {
        readonly snapshot: Snapshot
        readonly bytes: number
        readonly balances: readonly BalanceSum[]
      }
    | undefined
}

function Content({ loaded }: ContentProps): VNode {
  if (loaded === undefined) {
    return <p class="soft">Accounts are shown when the workspace is loaded.</p>
  }
  const { snapshot, bytes, balances } = loaded
  const { accounts } = snapshot
  const counts = rowCountsByAccount(snapshot)
  const countedOf = (some: Snapshot['accounts']): CountedAccount[] =>
    accountsOf(some).map((account, i) => ({
      account,
      rowCount: counts.get(some[i]?.code ?? -1) ?? 0,
    }))
  const importedMs = lastImportMs(snapshot)
  const rowCount = transactionCount(snapshot)
  return (
    <>
      <Stats>
        <Stat label="Transactions" value={countText(rowCount)} />
        <Stat label="Accounts" value={countText(accounts.length)} />
        <Stat
          label="Last import"
          value={importedMs === undefined ? 'never' : <DayText ms={importedMs} />}
        />
        <Stat label="Memory" value={bytesText(bytes)} />
      </Stats>
      {accounts.length === 0 ? (
        <EmptyState title="This workspace is empty">
          <p>Upload a bank file below. Its accounts are created automatically.</p>
        </EmptyState>
      ) : (
        <Panel title="Accounts">
          <PagedList
            rows={accounts}
            rowsPerPage={ACCOUNTS_PER_PAGE}
            show={(some) => <AccountTable shown={countedOf(some)} {...{ rowCount, balances }} />}
          />
        </Panel>
      )}
    </>
  )
}

function Deletion({ error }: { readonly error: string | undefined }): VNode {
  return (
    <Panel title="Delete this workspace">
      <p>
        Deletes its accounts, transactions, keys and integrations permanently. The audit log is
        kept.
      </p>
      <Form>
        <Field
          name="workspace"
          label="Type the name of the workspace to confirm"
          error={error}
          maxLength={128}
          required
        />
        <SubmitButton action="delete" look="danger">
          Delete permanently
        </SubmitButton>
      </Form>
    </Panel>
  )
}

async function receiveInto(context: DashboardContext): Promise<DashboardReply> {
  const into = await findWorkspace(context, context.named['workspaceId'] ?? '')
  if (into === undefined) return goneView('workspace', ABOVE)
  return receiveFiles(context, into, (status, sentence) =>
    workspaceView(context, into.workspaceId, { status, sentence }),
  )
}

async function cancelImport(context: DashboardContext, form: SentForm): Promise<DashboardReply> {
  const workspaceId = await workspaceIdOf(context)
  if (workspaceId === undefined) return goneView('workspace', ABOVE)
  const isCancelled = await context.parts.imports.cancel(
    workspaceId,
    form.value('import') ?? '',
    context.actor,
  )
  if (isCancelled) return { goTo: context.path }
  const sentence = 'The import had already ended and was not cancelled.'
  return workspaceView(context, workspaceId, { status: 409, sentence })
}

async function deleteFromForm(context: DashboardContext, form: SentForm): Promise<DashboardReply> {
  const { imports } = context.parts
  const workspaceId = await workspaceIdOf(context)
  if (workspaceId === undefined) return goneView('workspace', ABOVE)
  if (form.value('workspace') !== workspaceId) {
    const sentence = `Type ${workspaceId} to confirm. Nothing was deleted.`
    return workspaceView(context, workspaceId, { status: 400, sentence, isOfName: true })
  }
  if (imports.isBusy(workspaceId)) {
    const sentence = 'Files are being imported into this workspace. Delete it when they are done.'
    return workspaceView(context, workspaceId, { status: 409, sentence })
  }
  await imports.pausing(workspaceId, async () => {
    await deleteWorkspace(context, workspaceId)
    imports.forget(workspaceId)
  })
  return { goTo: `${WORKSPACES_PATH}?deleted=1` }
}
