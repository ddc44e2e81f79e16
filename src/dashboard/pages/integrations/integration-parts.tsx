import type { AuditedChange } from '../../../admin/audited-change.js'
import type { KeyTerms } from '../../../admin/key-terms.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Form, SubmitButton } from '../../elements/form.js'
import type { Column } from '../../elements/table.js'
import type { DashboardReply } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import { type IntegrationView, integrationPath } from './integration-paths.js'
import { withIntegration } from './integration-view.js'

/** The clients, keys or grants of integrations. */
interface IntegrationParts<Id> {
  /** The page that lists them. */
  readonly view: IntegrationView
  /** The field of a form that names one by its id. */
  readonly field: string
  readonly list: (
    context: DashboardContext,
    integrationId: string,
  ) => Promise<readonly { readonly id: Id }[]>
}

/** An action that changes what a form names, if it is of the integration in the path. */
export function changing<Id extends string | number>(
  { view, field, list }: IntegrationParts<Id>,
  change: AuditedChange<Id>,
) {
  return (context: DashboardContext, form: SentForm): Promise<DashboardReply> =>
    withIntegration(context, async (row) => {
      const text = form.value(field)
      const part = (await list(context, row.id)).find(({ id }) => String(id) === text)
      if (part === undefined) return noSuchPageView()
      await change(context, part.id)
      return { goTo: integrationPath(row, view) }
    })
}

/** The column of a table of keys or grants whose buttons request the action `revoke`. */
export function revokeColumn(
  field: 'key' | 'grant',
  consequence: string,
): Column<Pick<KeyTerms, 'state'> & { readonly id: number }> {
  return {
    heading: 'Change',
    kind: 'action',
    cell: ({ id, state }) =>
      state === 'active' ? (
        <details class="sure">
          <summary>Revoke</summary>
          <Form>
            <input type="hidden" name={field} value={String(id)} />
            <p>{consequence}</p>
            <SubmitButton action="revoke" look="danger">
              Revoke {field} {id}
            </SubmitButton>
          </Form>
        </details>
      ) : null,
  }
}
