/** The overview of a workspace. */
export function workspaceOverviewPath(workspaceId: string): string {
  return `/dashboard/workspaces/${workspaceId}/overview`
}
