import type { VNode } from '../../../browser/jsx.js'
import { countedText } from '../../../count-text.js'
import type { MatchedTransaction } from '../../../domain/matched-transaction.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import type { Snapshot } from '../../../snapshot/snapshot.js'
import { csvDownloads } from '../../csv-text.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Badge } from '../../elements/badge.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Field } from '../../elements/field.js'
import { Panel } from '../../elements/panel.js'
import type { Column } from '../../elements/table.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { CallPanel } from './call-panel.js'
import { ADJUSTMENT_WORDS, EVIDENCE_WORDS, matchFieldLabel } from './evidence-words.js'
import { explorerPath } from './explorer-paths.js'
import { explorerView, FaultNotice } from './explorer-view.js'
import { type Faults, FilterForm } from './filter-form.js'
import { type FilterValues, urlWith } from './filter-values.js'
import { callFiltered } from './filtered-call.js'
import { spanOfText } from './highlight.js'
import { MarkedText } from './marked-text.js'
import type { RestAnswer } from './operator-call.js'
import { matchRequest } from './rest-request.js'
import { RowsPage } from './rows-page.js'
import { AmountText, Booked, Counterpart } from './transaction-cells.js'
import { textField } from './transaction-row.js'

/** Transactions that look like a reference, best first, and why. */
export const MATCH_PAGE: DashboardPage = {
  path: explorerPath(':workspaceId', 'match'),
  show: showMatch,
}

async function showMatch(context: DashboardContext): Promise<View> {
  const call = await callFiltered(context, matchRequest, 'text')
  if ('body' in call) return call
  const { values, snapshot, request, answer, faults } = call
  const { workspaceId } = snapshot
  return explorerView({
    ...{ workspaceId, view: 'match', values, faults },
    lead: 'Finds transactions by a reference, however it is written, best match first.',
    body: (
      <>
        <FaultNotice query={context.query} />
        <MatchForm {...{ values, faults, snapshot }} />
        {answer === undefined ? null : <Matches {...{ workspaceId, values, request, answer }} />}
      </>
    ),
  })
}

interface MatchFormProps {
  readonly values: FilterValues
  readonly faults: Faults
  readonly snapshot: Snapshot
}

function MatchForm({ values, faults, snapshot }: MatchFormProps): VNode {
  const { byFilter } = faults
  return (
    <FilterForm
      {...{ values, faults, snapshot }}
      path={explorerPath(snapshot.workspaceId, 'match')}
      text={{ label: 'Reference', hint: HINT, isRequired: true }}
      button="Match"
    >
      <Field
        name="threshold"
        label="Minimum score"
        inputMode="decimal"
        placeholder="0.6"
        value={values.threshold}
        hint="0 to 1, default 0.6. Below 0.6, results may differ in a digit."
        error={byFilter.threshold ?? byFilter.limit ?? byFilter.offset}
      />
    </FilterForm>
  )
}

const HINT =
  'An invoice, order or customer number. Spaces, separators and leading zeros may differ.'

interface MatchesProps {
  readonly workspaceId: string
  readonly values: FilterValues
  readonly request: OperationRequest
  readonly answer: RestAnswer
}

function Matches({ workspaceId, values, request, answer }: MatchesProps): VNode {
  const total = answer.page?.total ?? 0
  const path = explorerPath(workspaceId, 'match')
  return (
    <>
      {total === 0 ? (
        <EmptyState title="No matches">
          <p>No transaction reaches the minimum score. Lower it to see weaker matches.</p>
        </EmptyState>
      ) : (
        <Panel title={countedText(total, 'match', 'matches')} id="found">
          <RowsPage
            {...{ answer, path, values }}
            caption="Matches"
            columns={matchColumns(workspaceId)}
          />
        </Panel>
      )}
      <CallPanel
        {...{ workspaceId, request }}
        downloads={[
          ...csvDownloads('This page as CSV', urlWith(`${path}/csv`, values)),
          { text: 'As JSON', to: urlWith(`${path}/json`, values) },
        ]}
      />
    </>
  )
}

function matchColumns(workspaceId: string): Column<MatchedTransaction>[] {
  return [
    { heading: 'Score', cell: ({ score }) => <Score score={score} /> },
    {
      heading: 'Counterpart',
      isRowHeading: true,
      cell: (row) => <Counterpart {...{ row, workspaceId }} terms={[]} />,
    },
    { heading: 'Why', cell: (row) => <Evidence row={row} /> },
    { heading: 'Booked', cell: (row) => <Booked row={row} /> },
    { heading: 'Amount', kind: 'number', cell: (row) => <AmountText row={row} /> },
  ]
}

/** The score as a bar and as the number. Below 0.6 a digit differs. */
function Score({ score }: { readonly score: number }): VNode {
  return (
    <div class="score">
      <meter min={0} max={1} low={0.6} high={0.85} optimum={1} value={score} aria-label="Score" />
      <span>{score}</span>
    </div>
  )
}

/**
 * The field with the strongest evidence, the found part marked, and the adjustments of the score.
 */
function Evidence({ row }: { readonly row: MatchedTransaction }): VNode {
  const { explanation } = row
  if (explanation === undefined) {
    return (
      <span class="soft">
        <MarkedText text={row.purpose ?? 'nothing'} spans={[]} />
      </span>
    )
  }
  const { field, matched, kind, adjustments } = explanation
  const text = textField(field).read(row) ?? ''
  return (
    <div class="evidence">
      <div>
        <span class="soft">{matchFieldLabel(field)}: </span>
        <MarkedText text={text} spans={spanOfText(text, matched)} />
      </div>
      <div class="reasons">
        <Badge variant={kind === 'conflict' ? 'bad' : kind === 'exact' ? 'good' : 'plain'}>
          {EVIDENCE_WORDS[kind]}
        </Badge>{' '}
        <span class="soft">{adjustments.map((name) => ADJUSTMENT_WORDS[name]).join(' · ')}</span>
      </div>
    </div>
  )
}
