import type { AuditContext } from '../admin/audited-change.js'
import { createFirstOperator, listOperators } from '../admin/operators.js'
import { appendAudit } from '../auth/audit.js'
import { nameFault } from '../auth/name.js'
import { passwordFault } from '../auth/password.js'
import { createRandomText, hashOfSecret, isSecretOf } from '../auth/secret.js'
import { replyPage } from '../browser/page.js'
import type { Sessions } from '../browser/sessions.js'
import type { SignIn } from '../browser/sign-in.js'
import type { Actor } from '../domain/audit.js'
import type { Exchange, ResponseFields } from '../http/engine/exchange.js'
import type { EpochMs } from '../instant.js'
import type { Form } from '../wire/form.js'
import { firstRunPage } from './pages/first-run-page.js'

/** The path of the first-run link, in front of its token. */
const FIRST_RUN_PATH = '/dashboard/first-run/'

/** The parts needed to create the first operator. */
export interface FirstRunParts extends Pick<AuditContext, 'control'> {
  readonly clock: () => EpochMs
  readonly sessions: Sessions
  readonly signIn: Pick<SignIn, 'remember'>
}

/**
 * The one-time link by which the operator of the host creates the first operator account. Its token
 * has 256 random bits, of which this process keeps the hash. It expires with its use, with the
 * first operator, and with the process.
 */
export class FirstRun {
  #hash: Buffer | undefined
  #isUnderWay = false

  constructor(private readonly parts: FirstRunParts) {}

  /**
   * Opens a new link; the previous one expires. @returns its path, or undefined when an operator
   * exists
   */
  async open(): Promise<string | undefined> {
    if ((await listOperators(this.parts)).length > 0) return undefined
    const token = createRandomText()
    this.#hash = hashOfSecret(token)
    return FIRST_RUN_PATH + token
  }

  /** Whether a path is that of the link, and the link is open. */
  async isLink(path: string): Promise<boolean> {
    if (this.#hash === undefined || !path.startsWith(FIRST_RUN_PATH)) return false
    if (!isSecretOf(path.slice(FIRST_RUN_PATH.length), this.#hash)) return false
    if ((await listOperators(this.parts)).length === 0) return true
    this.#hash = undefined
    return false
  }

  /** Shows the form. @param notice a sentence on the fault; absent = none */
  ask(exchange: Exchange, notice?: string): void {
    replyPage(exchange, { status: notice === undefined ? 200 : 400, page: firstRunPage(notice) })
  }

  /**
   * Accepts the sent form. To be called only where {@link isLink} holds.
   * @param actor not signed in, with the address of the request
   * @returns the fields of the redirect to the dashboard: the cookies of the new session, or none
   *   when an operator existed already; undefined = the form was shown again
   */
  async take(exchange: Exchange, actor: Actor, form: Form): Promise<ResponseFields | undefined> {
    const { parts } = this
    const name = form.value('name') ?? ''
    const password = form.value('password') ?? ''
    const fault = faultOf(name, password, form.value('again'))
    if (fault !== undefined) return void this.ask(exchange, fault)
    if (this.#isUnderWay)
      return void this.ask(exchange, 'The operator is being created. Please wait.')
    this.#isUnderWay = true
    try {
      const { control } = parts
      const context = { control, nowMs: parts.clock(), actor }
      const self = { ...actor, who: `operator:${name.normalize('NFC')}` }
      const fields = await createFirstOperator(context, { name, password }, function* (id) {
        yield* appendAudit(self, parts.clock(), { action: 'session.begin', subject: id })
        return [
          ['Set-Cookie', yield* parts.sessions.begin(id, exchange.field('cookie'))],
          ['Set-Cookie', yield* parts.signIn.remember(id)],
        ] as const
      })
      this.#hash = undefined
      return fields ?? []
    } finally {
      this.#isUnderWay = false
    }
  }
}

function faultOf(name: string, password: string, again: string | undefined): string | undefined {
  const nameProblem = nameFault(name)
  if (nameProblem !== undefined) return `The name ${nameProblem}.`
  const passwordProblem = passwordFault(password)
  if (passwordProblem !== undefined) return `The password ${passwordProblem}.`
  return password === again ? undefined : 'The passwords do not match. Nothing was saved.'
}
