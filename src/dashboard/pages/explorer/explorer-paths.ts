/** The path of the explorer of a workspace; the paths of the other views are below it. */
export function explorerPath(workspaceId: string, view: ExplorerView = 'list'): string {
  const base = `/dashboard/workspaces/${workspaceId}/transactions`
  return view === 'list' ? base : `${base}/${view}`
}

/** The views of the transactions. */
export type ExplorerView =
  | ('list' | 'match' | 'charts' | 'schema')
  | ('csv' | 'json' | 'suggestions')

/** The page of one transaction. */
export function transactionPath(workspaceId: string, id: number): string {
  return `${explorerPath(workspaceId)}/${id}`
}
