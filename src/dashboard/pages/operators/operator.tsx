import {
  changeOwnPassword,
  changePassword,
  deleteOperatorUnlessLast,
  endSessions,
  listOperators,
  type Operator,
} from '../../../admin/operators.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { DeletePanel, typedNameFault } from '../../elements/delete-panel.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'
import { type FormFaults, FormReading, hasFaults } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import {
  OwnPasswordField,
  PasswordFields,
  readNewPassword,
  takeOwnPassword,
} from './password-fields.js'

const LIST = '/dashboard/operators'

/** One operator. */
export const OPERATOR_PAGE: DashboardPage = {
  path: `${LIST}/:operatorId`,
  show: (context) => withOperator(context, (row) => showOperator(context, row, {})),
  actions: {
    password: (context, form) => withOperator(context, (row) => change(context, row, form)),
    'end-sessions': (context) => withOperator(context, (row) => signOut(context, row)),
    delete: (context, form) => withOperator(context, (row) => end(context, row, form)),
  },
}

async function withOperator<Reply extends DashboardReply>(
  context: DashboardContext,
  part: (row: Operator) => Reply | Promise<Reply>,
): Promise<Reply | View> {
  const row = (await listOperators(context)).find(
    ({ id }) => String(id) === context.named['operatorId'],
  )
  return row === undefined ? noSuchPageView() : part(row)
}

function showOperator(context: DashboardContext, row: Operator, faults: FormFaults): View {
  const isSelf = row.id === context.session.operatorId
  const done = context.query.value('done')
  const isFaulty = hasFaults(faults)
  return {
    title: row.name,
    lead: isSelf ? 'This is you.' : 'Can sign in and see all workspaces.',
    above: { text: 'Operators', path: LIST },
    status: isFaulty ? 400 : 200,
    body: (
      <>
        {isFaulty || done === undefined ? null : (
          <Notice variant="good">{DONE[done] ?? 'Done.'}</Notice>
        )}
        <Panel title="Change password">
          <p class="soft">
            Signs {isSelf ? 'you' : 'the operator'} out everywhere, so the old password becomes
            useless. Grants stay in force.
          </p>
          <Form>
            {/* For password managers, which need the name of the account. */}
            <input type="text" autoComplete="username" value={row.name} readOnly hidden />
            <OwnPasswordField faults={faults} />
            <PasswordFields faults={faults} />
            <SubmitButton action="password" look="key">
              Change password
            </SubmitButton>
          </Form>
        </Panel>
        <Panel title="Sign out everywhere">
          <p class="soft">Ends all sessions in all browsers.</p>
          <Form>
            <SubmitButton action="end-sessions">Sign out everywhere</SubmitButton>
          </Form>
        </Panel>
        <DeletePanel
          what="operator"
          name={row.name}
          request="Type the name to confirm"
          faults={faults}
        >
          Immediately ends all sessions of the operator. Grants that the operator has given stay in
          force until they are revoked under the integration.
        </DeletePanel>
      </>
    ),
  }
}

const DONE: Readonly<Record<string, string>> = {
  password: 'The password was changed, and all sessions were ended.',
  'sign-out': 'All sessions were ended.',
}

async function change(
  context: DashboardContext,
  row: Operator,
  form: SentForm,
): Promise<DashboardReply> {
  const reading = new FormReading(form)
  const password = readNewPassword(reading, form)
  await takeOwnPassword(context, reading, form, { action: 'operator.password', subject: row.id })
  if (!reading.isFaultless) return showOperator(context, row, reading.faults)
  const { parts, session } = context
  const goTo = `${LIST}/${row.id}?done=password`
  const change = { id: row.id, password }
  if (row.id !== session.operatorId) {
    await changePassword(context, change)
    return { goTo }
  }
  // The password check proved this browser's operator, and the new password invalidates its mark.
  const remember = () => parts.signIn.remember(row.id)
  return { goTo, setCookie: await changeOwnPassword(context, change, remember) }
}

async function signOut(context: DashboardContext, row: Operator): Promise<DashboardReply> {
  await endSessions(context, row.id)
  return { goTo: `${LIST}/${row.id}?done=sign-out` }
}

async function end(
  context: DashboardContext,
  row: Operator,
  form: SentForm,
): Promise<DashboardReply> {
  const faults = typedNameFault(form, row.name)
  if (faults !== undefined) return showOperator(context, row, faults)
  if (await deleteOperatorUnlessLast(context, row.id)) return { goTo: LIST }
  // The operator of the host can do it: the next start prints a link for the first operator.
  const last = 'This is the only operator; add another one first.'
  return showOperator(context, row, { typed_name: last })
}
