import type { Integration } from '../../../admin/integrations.js'
import type { VNode } from '../../../browser/jsx.js'
import { countedText } from '../../../count-text.js'
import type { StepResult } from '../../../doctor/finding.js'
import type { DashboardContext } from '../../dashboard-context.js'
import type { DiagnosticReport } from '../../diagnostic-reports.js'
import { Badge, type BadgeVariant } from '../../elements/badge.js'
import { CodeBlock } from '../../elements/code-block.js'
import { InstantText } from '../../elements/day-text.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { REFRESH_SECONDS } from '../../reply.js'
import { integrationPath } from './integration-paths.js'
import { integrationView, withIntegration } from './integration-view.js'

/** Runs the doctor for an integration, and shows its report. */
export const INTEGRATION_TEST_PAGE: DashboardPage = {
  path: '/dashboard/integrations/:integrationId/test',
  show: (context) => withIntegration(context, (row) => showReport(context, row)),
  actions: { examine: (context) => withIntegration(context, (row) => diagnose(context, row)) },
}

function showReport({ parts }: DashboardContext, row: Integration): View {
  const last = parts.diagnosticReports.of(row.id)
  const isUnderWay = last?.isOver === false
  return integrationView({
    row,
    view: 'test',
    refreshSeconds: isUnderWay ? REFRESH_SECONDS : undefined,
    body: (
      <>
        <Panel title="Test this integration">
          <p>
            Connects to this service over HTTP as a new client would, at the public address:
            requests the metadata, signs in with a temporary client, and calls what the integration
            offers. The temporary client, grant and key are removed at the end; the audit log keeps
            a record of them.
          </p>
          <Form>
            <SubmitButton action="examine" look="key">
              {last === undefined ? 'Run the test' : 'Run the test again'}
            </SubmitButton>
          </Form>
          <p class="soft">The same test in a terminal, on the machine of the data directory:</p>
          <CodeBlock
            label="shell"
            code={`kontor doctor --integration ${row.id} --base-url ${parts.baseUrl()}`}
          />
        </Panel>
        {last === undefined ? null : <Findings report={last} />}
      </>
    ),
  })
}

function Findings({ report }: { readonly report: DiagnosticReport }): VNode {
  const { results, isOver, fault, beganMs } = report
  return (
    <Panel title="Result" aside={<InstantText ms={beganMs} />}>
      <Summary report={report} />
      {fault === undefined ? null : (
        <Notice variant="bad">The test could not be completed: {fault}</Notice>
      )}
      <ol class="steps" aria-busy={!isOver}>
        {results.map((result) => (
          <Step key={result.id} result={result} />
        ))}
      </ol>
    </Panel>
  )
}

function Summary({ report: { results, isOver, fault } }: FindingsProps): VNode | null {
  const faults = results.filter(({ outcome }) => outcome === 'failed')
  if (faults.length > 0) {
    return (
      <Notice variant="bad" title={`${countedText(faults.length, 'step')} failed.`}>
        <p>A client would stop at the first one: {faults[0]?.title}.</p>
      </Notice>
    )
  }
  if (!isOver) return <Notice>The test is running. This page refreshes itself.</Notice>
  if (fault !== undefined) return null
  const skipped = results.filter(({ outcome }) => outcome === 'skipped').length
  return (
    <Notice variant="good" title="Clients can connect.">
      <p>
        {countedText(results.length - skipped, 'step')} passed
        {skipped === 0 ? '' : `; ${skipped} skipped`}.
      </p>
    </Notice>
  )
}

interface FindingsProps {
  readonly report: DiagnosticReport
}

const VARIANTS: Readonly<Record<StepResult['outcome'], BadgeVariant>> = {
  ok: 'good',
  failed: 'bad',
  skipped: 'plain',
}

function Step({ result }: { readonly result: StepResult }): VNode {
  const { outcome, title, observed } = result
  const request = outcome === 'skipped' ? undefined : result.request
  const fix = outcome === 'ok' ? undefined : result.fix
  return (
    <li>
      <p class="step-title">
        <Badge variant={VARIANTS[outcome]}>{outcome === 'ok' ? 'OK' : outcome}</Badge> {title}
      </p>
      {request === undefined ? null : <p class="soft step-request">{request}</p>}
      <p>{observed}</p>
      {fix === undefined ? null : <p class={outcome === 'failed' ? 'bad' : 'warn'}>{fix}</p>}
    </li>
  )
}

function diagnose(context: DashboardContext, row: Integration): DashboardReply {
  const { catalog, actor } = context
  // What the run creates is removed at its end, also when the session has ended by then.
  const { baseUrl, clock, control, diagnosticReports } = context.parts
  // Not awaited: the page shows the progress.
  void diagnosticReports.begin({
    ...{ catalog, control, clock, actor },
    integration: row,
    baseUrl: baseUrl(),
  })
  return { goTo: integrationPath(row, 'test') }
}
