import { decodePercent } from '../wire/percent.js'
import type { DashboardPage } from './page.js'
import { ACTIVITY_PAGE } from './pages/activity/activity.js'
import { AUDIT_CSV_PAGE } from './pages/activity/audit-csv.js'
import { AUDIT_PAGE } from './pages/activity/audit-log.js'
import { NODES_PAGE } from './pages/activity/nodes.js'
import { CHARTS_PAGE } from './pages/explorer/charts-page.js'
import { DETAIL_PAGE } from './pages/explorer/detail-page.js'
import {
  LIST_CSV_PAGE,
  LIST_JSON_PAGE,
  MATCH_CSV_PAGE,
  MATCH_JSON_PAGE,
  TRANSACTION_JSON_PAGE,
} from './pages/explorer/downloads.js'
import { LIST_PAGE } from './pages/explorer/list-page.js'
import { MATCH_PAGE } from './pages/explorer/match-page.js'
import { SCHEMA_PAGE } from './pages/explorer/schema-page.js'
import { SUGGESTIONS_PAGE } from './pages/explorer/suggestions.js'
import { INTEGRATION_CLIENTS_PAGE } from './pages/integrations/clients.js'
import { INTEGRATION_PAGE } from './pages/integrations/connect.js'
import { INTEGRATION_TEST_PAGE } from './pages/integrations/diagnostic-report.js'
import { INTEGRATION_GRANTS_PAGE } from './pages/integrations/grants.js'
import { INTEGRATIONS_PAGE } from './pages/integrations/integration-list.js'
import { INTEGRATION_KEYS_PAGE } from './pages/integrations/mcp-keys.js'
import { INTEGRATION_SETTINGS_PAGE } from './pages/integrations/settings.js'
import { WORKSPACE_INTEGRATIONS_PAGE } from './pages/integrations/workspace-integrations.js'
import { KEY_PAGE } from './pages/keys/key.js'
import { KEYS_PAGE } from './pages/keys/key-list.js'
import { WORKSPACE_KEYS_PAGE } from './pages/keys/workspace-keys.js'
import { OPERATOR_PAGE } from './pages/operators/operator.js'
import { OPERATORS_PAGE } from './pages/operators/operator-list.js'
import { OVERVIEW_PAGE } from './pages/overview/overview.js'
import { WORKSPACE_OVERVIEW_PAGE } from './pages/overview/workspace-overview.js'
import { SESSION_PAGE } from './pages/session/session.js'
import { WORKSPACE_PAGE } from './pages/workspaces/workspace.js'
import { WORKSPACES_PAGE } from './pages/workspaces/workspace-list.js'

/** The explorer; a transaction last, because its id could be the name of a view. */
const EXPLORER_PAGES: readonly DashboardPage[] = [
  LIST_PAGE,
  LIST_CSV_PAGE,
  LIST_JSON_PAGE,
  MATCH_PAGE,
  MATCH_CSV_PAGE,
  MATCH_JSON_PAGE,
  CHARTS_PAGE,
  SCHEMA_PAGE,
  SUGGESTIONS_PAGE,
  DETAIL_PAGE,
  TRANSACTION_JSON_PAGE,
]

/** Every page of the dashboard. */
export const PAGES: readonly DashboardPage[] = [
  OVERVIEW_PAGE,
  WORKSPACES_PAGE,
  WORKSPACE_PAGE,
  WORKSPACE_OVERVIEW_PAGE,
  ...EXPLORER_PAGES,
  SESSION_PAGE,
  KEYS_PAGE,
  WORKSPACE_KEYS_PAGE,
  KEY_PAGE,
  INTEGRATIONS_PAGE,
  WORKSPACE_INTEGRATIONS_PAGE,
  INTEGRATION_PAGE,
  INTEGRATION_CLIENTS_PAGE,
  INTEGRATION_KEYS_PAGE,
  INTEGRATION_GRANTS_PAGE,
  INTEGRATION_TEST_PAGE,
  INTEGRATION_SETTINGS_PAGE,
  ACTIVITY_PAGE,
  AUDIT_PAGE,
  AUDIT_CSV_PAGE,
  NODES_PAGE,
  OPERATORS_PAGE,
  OPERATOR_PAGE,
]

/** A page, and the segments in place of the `:name`s of its path. */
export interface PageMatch {
  readonly page: DashboardPage
  readonly named: Readonly<Record<string, string>>
}

/** The page of a requested path, or undefined when there is none. */
export function findPage(
  path: string,
  pages: readonly DashboardPage[] = PAGES,
): PageMatch | undefined {
  const segments = path.split('/')
  for (const page of pages) {
    const named = namedIn(page.path.split('/'), segments)
    if (named !== undefined) return { page, named }
  }
  return undefined
}

function namedIn(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const named: Record<string, string> = {}
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i] ?? ''
    if (!expected.startsWith(':')) {
      if (segment !== expected) return undefined
      continue
    }
    const text = decodePercent(segment)
    if (text === undefined || text === '') return undefined
    named[expected.slice(1)] = text
  }
  return named
}
