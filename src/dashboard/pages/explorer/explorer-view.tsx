import type { ComponentChildren, VNode } from '../../../browser/jsx.js'
import { ApiError } from '../../../errors.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Notice } from '../../elements/notice.js'
import { Tabs } from '../../elements/tabs.js'
import type { View } from '../../reply.js'
import { type ExplorerView, explorerPath } from './explorer-paths.js'
import type { Faults } from './filter-form.js'
import { type FilterValues, urlWith } from './filter-values.js'

const VIEWS: readonly { readonly view: ExplorerView; readonly text: string }[] = [
  { view: 'list', text: 'Search' },
  { view: 'match', text: 'Match' },
  { view: 'charts', text: 'Charts' },
  { view: 'schema', text: 'Custom schema' },
]

interface ExplorerParts {
  readonly workspaceId: string
  readonly view: ExplorerView
  readonly values: FilterValues
  readonly faults: Faults
  readonly lead: string
  readonly body: ComponentChildren
  /** As of a {@link View}. */
  readonly scripts?: readonly string[]
}

/** A view of the explorer, with tabs of the others. */
export function explorerView(parts: ExplorerParts): View {
  const { workspaceId, view, values, faults, lead, body, scripts = [] } = parts
  return {
    title: 'Transactions',
    lead,
    scripts,
    above: { text: workspaceId, path: `/dashboard/workspaces/${workspaceId}` },
    ...(faults.status === undefined ? {} : { status: faults.status }),
    body: (
      <>
        <Tabs label="Views of the transactions" tabs={tabsOf(workspaceId, view, values)} />
        {faults.general === undefined ? null : <Notice variant="bad">{faults.general}</Notice>}
        {body}
      </>
    ),
  }
}

/** Tabs keep the filters of the current view, but not the page of the list. */
function tabsOf(workspaceId: string, current: ExplorerView, values: FilterValues) {
  const unpaged = { offset: undefined, limit: undefined }
  return VIEWS.map(({ view, text }) => ({
    text,
    to: urlWith(explorerPath(workspaceId, view), values, unpaged),
    isCurrent: view === current,
  }))
}

/** Shows the fault of the parameters of a URL when they are ambiguous. */
export function FaultNotice({ query }: Pick<DashboardContext, 'query'>): VNode | null {
  const fault = query.fault()
  if (fault === undefined) return null
  const what =
    fault.kind === 'repeated' ? 'is given more than once' : 'is not percent-encoded UTF-8'
  return (
    <Notice variant="warn">
      {fault.name === undefined ? 'A parameter' : fault.name} of the address {what} and was ignored.
    </Notice>
  )
}

/** The error of filters that exclude each other, before any call; undefined = none. */
export function clashOf({ account, accountIds, counterpart }: FilterValues): ApiError | undefined {
  if (account === undefined) return undefined
  if (accountIds !== undefined) {
    const what = 'cannot be combined with an account; name all of them here'
    const fault = { name: 'accountIds', what, example: accountIds }
    return new ApiError('invalid_parameter', `Several accounts ${what}.`, { fault })
  }
  if (counterpart === undefined) return undefined
  const what = 'cannot be combined with an account; the API has no operation for both'
  const fault = { name: 'iban', what, example: counterpart }
  return new ApiError('invalid_parameter', `A counterpart ${what}.`, { fault })
}
