import { setTimeout as wait } from 'node:timers/promises'
import { hasWorkspace } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import type { Suggestion } from '../../../domain/suggestion.js'
import { ApiError } from '../../../errors.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import { operationOfId } from '../../../http/operations/table.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { countedText } from '../../elements/count-text.js'
import { Link } from '../../elements/link.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import { explorerPath } from './explorer-paths.js'
import { encodeQueryText, type FilterValues, urlWith } from './filter-values.js'
import { callAsOperator } from './operator-call.js'

/** Suggestions below a search that finds nothing. */
const MEANT_COUNT_MAX = 5

/** Milliseconds that such a page waits for them; the first ones of a workspace take longer. */
const MEANT_WAIT_MS = 500

/** The suggestions for a text, as the REST service returns them: for the script of the form. */
export const SUGGESTIONS_PAGE: DashboardPage = {
  path: explorerPath(':workspaceId', 'suggestions'),
  show: showSuggestions,
}

async function showSuggestions(context: DashboardContext): Promise<DashboardReply> {
  const workspaceId = context.named['workspaceId'] ?? ''
  if (!hasWorkspace(context, workspaceId)) return noSuchPageView()
  const request = suggestionRequest(context.query.value('query') ?? '')
  const answer = await callAsOperator(context, workspaceId, request)
  const isRefused = answer instanceof ApiError
  return {
    bytes: Buffer.from(isRefused ? JSON.stringify(answer.body) : answer.reading),
    contentType: 'application/json',
    ...(isRefused ? { status: answer.status } : {}),
  }
}

/**
 * The texts that may be meant by a search which found nothing; none while those of the workspace
 * are still being read, or when the text is none that suggestions exist for.
 */
export async function meantTexts(
  context: DashboardContext,
  workspaceId: string,
  { query }: FilterValues,
): Promise<readonly Suggestion[]> {
  if (query === undefined) return []
  const request = suggestionRequest(query, MEANT_COUNT_MAX)
  const answer = await Promise.race([
    callAsOperator(context, workspaceId, request),
    wait(MEANT_WAIT_MS, undefined, { ref: false }),
  ])
  if (answer === undefined || answer instanceof ApiError) return []
  // Written by the operation, from a list of this type.
  return JSON.parse(answer.reading) as Suggestion[]
}

function suggestionRequest(query: string, limit?: number): OperationRequest {
  const text = `query=${encodeQueryText(query)}`
  return {
    operation: operationOfId('getSuggestions'),
    ...{ segments: [], hitsKey: '' },
    query: limit === undefined ? text : `${text}&limit=${limit}`,
  }
}

interface MeantProps {
  readonly workspaceId: string
  readonly values: FilterValues
  readonly suggestions: readonly Suggestion[]
}

/** Links to the searches that may be meant, without the other filters. */
export function DidYouMean({ workspaceId, values, suggestions }: MeantProps): VNode | null {
  if (suggestions.length === 0) return null
  const { limit } = values
  return (
    <div class="meant">
      <p>Did you mean</p>
      <ul>
        {suggestions.map(({ text, kind, count }) => (
          <li key={`${kind} ${text}`}>
            <Link to={urlWith(explorerPath(workspaceId), { query: text, limit })}>
              <bdi>{text}</bdi>
            </Link>{' '}
            <span class="soft">{countedText(count, 'transaction')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
