import type { VNode } from '../../../browser/jsx.js'
import { ApiError } from '../../../errors.js'
import { CUSTOM_SCHEMA } from '../../../wire/parameter-table.js'
import { type DashboardContext, linkTo } from '../../dashboard-context.js'
import { CodeBlock } from '../../elements/code-block.js'
import { Panel } from '../../elements/panel.js'
import { usePageContext } from '../../layout/page-context.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { CallPanel } from './call-panel.js'
import { explorerPath } from './explorer-paths.js'
import { clashOf, explorerView, FaultNotice } from './explorer-view.js'
import { faultsOf } from './filter-form.js'
import { FILTER_NAMES, type FilterValues, readFilters, urlWith } from './filter-values.js'
import { openWorkspace } from './open-workspace.js'
import { callAsOperator } from './operator-call.js'
import { listRequest } from './rest-request.js'

/** Transactions that a schema is applied to. */
export const SCHEMA_ROWS = 3

/** Applies a custom schema to the transactions of a workspace. */
export const SCHEMA_PAGE: DashboardPage = {
  path: explorerPath(':workspaceId', 'schema'),
  show: showSchema,
}

async function showSchema(context: DashboardContext): Promise<View> {
  const set = readFilters(context.query)
  // Without a schema the page shows an example.
  const values = { ...set, customSchema: set.customSchema ?? CUSTOM_SCHEMA.example }
  const snapshot = await openWorkspace(context, values.query === undefined ? 'listed' : 'searched')
  if ('body' in snapshot) return snapshot
  const { workspaceId } = snapshot
  const limit = String(SCHEMA_ROWS)
  const request = listRequest({ ...values, limit, offset: undefined })
  const plain = listRequest({ ...values, limit, offset: undefined, customSchema: undefined })
  const answer = clashOf(values) ?? (await callAsOperator(context, workspaceId, request))
  const before = await callAsOperator(context, workspaceId, plain)
  const faults = faultsOf(answer instanceof ApiError ? answer : undefined, values)
  return explorerView({
    ...{ workspaceId, view: 'schema', values, faults },
    lead: 'Rename, move and remove attributes of the objects that the API returns.',
    body: (
      <>
        <FaultNotice query={context.query} />
        <SchemaForm
          path={explorerPath(workspaceId, 'schema')}
          values={values}
          error={faults.byFilter.customSchema}
        />
        <div class="side-by-side">
          {before instanceof ApiError ? null : <Rows title="Original" json={before.reading} />}
          {answer instanceof ApiError ? null : (
            <Rows title="With the custom schema" json={answer.reading} />
          )}
        </div>
        <CallPanel
          {...{ workspaceId, request }}
          downloads={[
            {
              text: 'This page as JSON',
              to: urlWith(explorerPath(workspaceId, 'json'), values, { limit, offset: undefined }),
            },
          ]}
        />
      </>
    ),
  })
}

interface SchemaFormProps {
  readonly path: string
  readonly values: FilterValues
  readonly error: string | undefined
}

function SchemaForm({ path, values, error }: SchemaFormProps): VNode {
  const others = FILTER_NAMES.filter((name) => name !== 'customSchema')
  const describedBy = error === undefined ? 'schema-hint' : 'schema-hint schema-error'
  return (
    <form method="get" action={linkTo(usePageContext(), path)} class="panel">
      {others.map((name) =>
        values[name] === undefined ? null : (
          <input key={name} type="hidden" name={name} value={values[name]} />
        ),
      )}
      <label for="customSchema">Custom schema</label>
      <textarea
        id="customSchema"
        name="customSchema"
        rows={6}
        spellcheck={false}
        class="schema"
        aria-describedby={describedBy}
        aria-invalid={error === undefined ? undefined : 'true'}
        value={values.customSchema}
      />
      <p class="soft" id="schema-hint">
        A JSON object: each key is an attribute, each value its new name or path (dots separate
        levels); <code>null</code> removes it.
      </p>
      {error === undefined ? null : (
        <p class="field-error" id="schema-error">
          {error}
        </p>
      )}
      <button type="submit" class="key">
        Apply
      </button>
    </form>
  )
}

function Rows({ title, json }: { readonly title: string; readonly json: string }): VNode {
  const pretty = JSON.stringify(JSON.parse(json), null, 2)
  return (
    <Panel title={title}>
      <CodeBlock label={`${title}, JSON`} code={pretty} />
    </Panel>
  )
}
