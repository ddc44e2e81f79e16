import { audited } from '../../../admin/audited-change.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Panel } from '../../elements/panel.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'

/** The signed-in operator, and the ways to sign out. */
export const SESSION_PAGE: DashboardPage = {
  path: '/dashboard/session',
  show: showSession,
  actions: { 'sign-out': signOut, 'sign-out-everywhere': signOutEverywhere },
}

function showSession({ session }: DashboardContext): View {
  return {
    title: 'Your session',
    lead: (
      <>
        Signed in as <bdi>{session.operatorName}</bdi>. A session ends after twelve hours.
      </>
    ),
    body: (
      <>
        <Panel title="This browser">
          <p>You stay signed in in other browsers.</p>
          <Form>
            <SubmitButton action="sign-out">Sign out</SubmitButton>
          </Form>
        </Panel>
        <Panel title="All browsers">
          <p>
            Ends all your sessions, in this and all other browsers. Keys and programs keep working.
          </p>
          <Form>
            <SubmitButton action="sign-out-everywhere" look="danger">
              Sign out everywhere
            </SubmitButton>
          </Form>
        </Panel>
        <Panel title="Password">
          <p>
            Change it under Operators, or on the server with <code>kontor operators password</code>.
            Both sign you out everywhere.
          </p>
        </Panel>
      </>
    ),
  }
}

async function signOut(context: DashboardContext): Promise<DashboardReply> {
  const { parts, session } = context
  const setCookie = await audited(context, function* (record) {
    yield* record({ action: 'session.end', subject: session.operatorId })
    return yield* parts.sessions.end(session)
  })
  return { goTo: '/dashboard', setCookie }
}

async function signOutEverywhere(context: DashboardContext): Promise<DashboardReply> {
  const { parts, session } = context
  const setCookie = await audited(context, function* (record) {
    const { count, cookie } = yield* parts.sessions.endAll(session)
    const detail = { everywhere: true, sessions: count }
    yield* record({ action: 'session.end', subject: session.operatorId, detail })
    return cookie
  })
  return { goTo: '/dashboard', setCookie }
}
