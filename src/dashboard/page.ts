import type { Form } from '../wire/form.js'
import type { DashboardContext } from './dashboard-context.js'
import type { DashboardReply } from './reply.js'

/** A page and the actions of its forms. Only operators see it, or learn of its existence. */
export interface DashboardPage {
  /** `/dashboard/workspaces/:workspaceId`; `:name` is one segment. */
  readonly path: string
  /** Answers a GET. */
  readonly show: (context: DashboardContext) => DashboardReply | Promise<DashboardReply>
  /**
   * Answers a POST, by the value of the pressed button. All forms of a page are sent to its own
   * path, so that an operator who has to sign in first returns to an existing page.
   */
  readonly actions?: Readonly<Record<string, PageAction>>
  /**
   * Answers a POST of a form with files. Called before the first await; nothing of the body has
   * been read, nor has the form's token (upload.ts).
   */
  readonly receive?: (context: DashboardContext) => Promise<DashboardReply>
}

/** The action of a button. The form was shown to this browser, for this path. */
type PageAction = (
  context: DashboardContext,
  form: Form,
) => DashboardReply | Promise<DashboardReply>
