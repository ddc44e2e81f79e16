import { createOperator, listOperators, type Operator } from '../../../admin/operators.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { NameField, type TypedForm, UNTYPED } from '../../elements/credential-fields.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { WhenText } from '../../elements/grant-texts.js'
import { Link } from '../../elements/link.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import { FormReading, hasFaults } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import {
  OwnPasswordField,
  PasswordFields,
  readNewPassword,
  takeOwnPassword,
} from './password-fields.js'

const PATH = '/dashboard/operators'

/** The list of operators. */
export const OPERATORS_PAGE: DashboardPage = {
  path: PATH,
  show: (context) => showOperators(context, UNTYPED),
  actions: { 'create-operator': create },
}

async function showOperators(context: DashboardContext, typed: TypedForm): Promise<View> {
  return {
    title: 'Operators',
    lead:
      'People who can sign in to this dashboard, see all workspaces, and give consent to ' +
      'clients.',
    status: hasFaults(typed.faults) ? 400 : 200,
    body: (
      <>
        <Panel title="Operators">
          <Table caption="Operators" columns={COLUMNS} rows={await listOperators(context)} />
        </Panel>
        <Panel title="Add an operator">
          <Form>
            <NameField {...typed} hint="The name to sign in with." />
            <PasswordFields faults={typed.faults} />
            <OwnPasswordField faults={typed.faults} />
            <SubmitButton action="create-operator" look="key">
              Add
            </SubmitButton>
          </Form>
        </Panel>
      </>
    ),
  }
}

const COLUMNS: readonly Column<Operator>[] = [
  {
    heading: 'Name',
    isRowHeading: true,
    cell: ({ id, name }) => (
      <Link to={`${PATH}/${id}`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { heading: 'Since', cell: ({ createdAt }) => <WhenText ms={createdAt} none="" /> },
]

async function create(context: DashboardContext, form: SentForm): Promise<DashboardReply> {
  const reading = new FormReading(form)
  const name = reading.name()
  const password = readNewPassword(reading, form)
  await takeOwnPassword(context, reading, form, { action: 'operator.create', subject: undefined })
  if (reading.isFaultless) {
    const id = await createOperator(context, { name, password })
    if (id !== undefined) return { goTo: PATH }
    reading.refuse('name', 'This name is already taken.')
  }
  return showOperators(context, { form, faults: reading.faults })
}
