import { hasWorkspace } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import { countedText } from '../../../count-text.js'
import type { Suggestion } from '../../../domain/suggestion.js'
import { ApiError } from '../../../errors.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import { meantTexts } from '../../../http/meant-texts.js'
import { operationOfId } from '../../../http/operations/table.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Link } from '../../elements/link.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import { explorerPath } from './explorer-paths.js'
import { encodeQueryText, type FilterValues, urlWith } from './filter-values.js'
import { callAsOperator, operatorCaller } from './operator-call.js'

/** Suggestions below a search that finds nothing. */
const MEANT_COUNT_MAX = 5

/** The suggestions for a text, as the REST service returns them: for the script of the form. */
export const SUGGESTIONS_PAGE: DashboardPage = {
  path: explorerPath(':workspaceId', 'suggestions'),
  show: showSuggestions,
}

async function showSuggestions(context: DashboardContext): Promise<DashboardReply> {
  const workspaceId = context.named['workspaceId'] ?? ''
  if (!(await hasWorkspace(context, workspaceId))) return noSuchPageView()
  const request = suggestionRequest(context.query.value('query') ?? '')
  const answer = await callAsOperator(context, workspaceId, request)
  const isRefused = answer instanceof ApiError
  return {
    bytes: Buffer.from(isRefused ? JSON.stringify(answer.body) : answer.reading),
    contentType: 'application/json',
    ...(isRefused ? { status: answer.status } : {}),
  }
}

function suggestionRequest(query: string): OperationRequest {
  const text = `query=${encodeQueryText(query)}`
  const operation = operationOfId('getSuggestions')
  return { operation, segments: [], query: text, hitsKey: '' }
}

/** The texts that may be meant by a search which found nothing. */
export async function meantBy(
  context: DashboardContext,
  workspaceId: string,
  { query }: FilterValues,
): Promise<readonly Suggestion[]> {
  if (query === undefined) return []
  return meantTexts(operatorCaller(context, workspaceId), query, MEANT_COUNT_MAX)
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
