import { appendAudit } from '../auth/audit.js'
import { NAME_CODE_POINTS_MAX } from '../auth/name.js'
import { isUnchangedOperator, verifyOperator } from '../auth/operators.js'
import { createRandomText } from '../auth/secret.js'
import type { Actor } from '../domain/audit.js'
import { actorOf } from '../http/actor.js'
import type { Exchange, ResponseFields } from '../http/engine/exchange.js'
import { networkOf } from '../http/network.js'
import type { EpochMs } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import { findOperatorByName, listOperators, type OperatorRow } from '../store/operator-rows.js'
import type { Work } from '../store/work.js'
import type { Form } from '../wire/form.js'
import { Attempts } from './attempts.js'
import { cookieValue, setCookieValue } from './cookies.js'
import { formToken, isFormToken } from './form-token.js'
import { KnownBrowsers } from './known-browsers.js'
import { replyPage, replySeeOther } from './page.js'
import type { Session, Sessions } from './sessions.js'
import { signInPage } from './sign-in-page.js'

/** Concurrent password verifications: each takes 32 MB and a thread of the pool. */
const SIGN_INS_AT_ONCE_MAX = 3

/** The same for known browsers: of Node's four threads, the one that unknown browsers leave. */
const KNOWN_SIGN_INS_AT_ONCE_MAX = 1

/** The parts that signing in needs. */
export interface SignInParts {
  readonly control: ControlStore
  readonly clock: () => EpochMs
  /** Whether browsers reach the service over https. */
  readonly isSecure: () => boolean
  readonly sessions: Sessions
}

/** A request that is answered with the sign-in page, or carries its form. */
export interface SignInContext {
  readonly exchange: Exchange
  /** Its Cookie field. */
  readonly cookies: string
  /** Read in the synchronous part of the handler. */
  readonly address: string
  /**
   * The absolute URL of the page: its form is sent there, and a signed-in operator is redirected to
   * it.
   */
  readonly url: string
  /** A sentence: the purpose of signing in. */
  readonly purpose: string
}

/** The reply with the sign-in page after an error. */
interface SignInReply {
  readonly status: number
  /** A sentence about the error. */
  readonly notice: string
  readonly retryAfterSeconds?: number
}

/**
 * Ties the sign-in form to the browser it was shown in, before any sign-in: otherwise another site
 * could sign a person in under another operator's name, and obtain consent in that name (RFC 6749,
 * 10.12).
 */
const VISIT_COOKIE = 'kontor-visit'

/** UTF-16 units of a name that is looked up and counted; no operator has a longer one. */
const NAME_CHARS_MAX = 2 * NAME_CODE_POINTS_MAX + 1

/** The notice of the first page after an installation. */
const NO_OPERATOR =
  'There is no operator yet. Open the link that “kontor serve” printed, ' +
  'or create an operator with “kontor operators create”.'

/** The name and the browser of an attempt. */
interface Attempt {
  /** In NFC. */
  readonly name: string
  /** The known browser; undefined = an unknown one. */
  readonly browser: string | undefined
}

/** Why the password of a signed-in operator was rejected. */
export interface PasswordRejection {
  /** For the audit log, as of a sign-in. */
  readonly reason: 'credentials' | 'too_many'
  /** For the page. */
  readonly sentence: string
}

/** Signing in with name and password. */
export class SignIn {
  readonly #attempts: Attempts
  readonly #known: KnownBrowsers
  readonly #underWay = { strangers: 0, known: 0 }

  constructor(private readonly parts: SignInParts) {
    this.#attempts = new Attempts(parts.clock)
    this.#known = new KnownBrowsers(parts.clock, parts.isSecure)
  }

  /** See {@link KnownBrowsers.remember}. */
  remember(operatorId: number): Work<string> {
    return this.#known.remember(operatorId)
  }

  /** Shows the form. @param error absent = no error preceded */
  async ask(
    { exchange, cookies, url, purpose }: SignInContext,
    error?: SignInReply,
  ): Promise<void> {
    const isSecure = this.parts.isSecure()
    const known = cookieValue(cookies, VISIT_COOKIE, isSecure)
    // An existing cookie stays: the forms of other tabs are tied to it.
    const visit = known ?? createRandomText()
    const fields: [string, string][] = []
    if (known === undefined) {
      fields.push(['Set-Cookie', setCookieValue({ name: VISIT_COOKIE, value: visit }, isSecure)])
    }
    if (error?.retryAfterSeconds !== undefined) {
      fields.push(['Retry-After', String(error.retryAfterSeconds)])
    }
    const hasOperator = (await this.parts.control.look(listOperators)).length > 0
    const notice = hasOperator ? error?.notice : NO_OPERATOR
    const page = signInPage({ formToken: formToken(visit, url), notice, purpose })
    replyPage(exchange, { status: error?.status ?? 200, page, fields })
  }

  /** Checks the submitted form, and redirects the browser to the page again when it is right. */
  async take(context: SignInContext, form: Form): Promise<void> {
    const { exchange, cookies, address, url } = context
    const visit = cookieValue(cookies, VISIT_COOKIE, this.parts.isSecure())
    if (visit === undefined || !isFormToken(form.value('form_token'), visit, url)) {
      await this.#recordRefusal(context, 'form_token', '')
      const notice = 'The page has expired, or cookies are disabled. Please try again.'
      return this.ask(context, { status: 403, notice })
    }
    const name = (form.value('name') ?? '').normalize('NFC').slice(0, NAME_CHARS_MAX)
    const browser = await this.parts.control.look(() => this.#known.find(name, cookies))
    const attempt = { name, browser }
    const waitSeconds = this.#begin(attempt, address)
    if (waitSeconds > 0) {
      await this.#recordRefusal(context, 'too_many', name)
      const notice = `Too many attempts. Try again in ${waitSeconds} s.`
      return this.ask(context, { status: 429, notice, retryAfterSeconds: waitSeconds })
    }
    const fields = await this.#sessionFields(context, attempt, form.value('password') ?? '')
    if (fields !== undefined) return replySeeOther(exchange, url, fields)
    return this.ask(context, { status: 403, notice: 'The name or password is wrong.' })
  }

  /**
   * Checks the password of a signed-in operator again, before an action that outlasts the session.
   * Guesses are throttled as at a sign-in, and counted by operator, across sessions.
   * @returns undefined when it is right
   */
  async confirm(session: Session, password: string): Promise<PasswordRejection | undefined> {
    const { operatorId, operatorName: name } = session
    const attempt = { name, browser: `operator ${operatorId}` }
    const waitSeconds = this.#begin(attempt, '')
    if (waitSeconds > 0) {
      const sentence = `Too many attempts. Try again in ${waitSeconds} s.`
      return { reason: 'too_many', sentence }
    }
    const { control } = this.parts
    const operator = await this.#verified(attempt, password)
    if (operator === undefined || !(await control.look(() => isUnchangedOperator(operator)))) {
      return {
        reason: 'credentials',
        sentence: 'Your current password is wrong. Nothing was changed.',
      }
    }
    this.#succeed(attempt, '')
    return undefined
  }

  /** @returns 0, or the seconds after which an attempt may begin */
  #begin({ name, browser }: Attempt, address: string): number {
    // Each attempt takes a thread and 32 MB for a while, whatever its sender.
    if (browser === undefined) {
      if (this.#underWay.strangers >= SIGN_INS_AT_ONCE_MAX) return 1
      return this.#attempts.begin(name, networkOf(address))
    }
    if (this.#underWay.known >= KNOWN_SIGN_INS_AT_ONCE_MAX) return 1
    return this.#attempts.beginKnown(browser)
  }

  /** @returns the cookies of the session and the browser; undefined: name or password is wrong */
  async #sessionFields(
    context: SignInContext,
    attempt: Attempt,
    password: string,
  ): Promise<ResponseFields | undefined> {
    const operator = await this.#verified(attempt, password)
    const fields = await this.parts.control.alone(() =>
      this.#beginSession(context, attempt, operator),
    )
    if (fields !== undefined) this.#succeed(attempt, context.address)
    return fields
  }

  *#beginSession(
    context: SignInContext,
    { name }: Attempt,
    operator: OperatorRow | undefined,
  ): Work<ResponseFields | undefined> {
    const { clock, sessions } = this.parts
    if (operator === undefined || !(yield* isUnchangedOperator(operator))) {
      yield* this.#appendRefusal(context, 'credentials', name)
      return undefined
    }
    const actor = actorOfContext(context, `operator:${operator.name}`)
    yield* appendAudit(actor, clock(), { action: 'session.begin', subject: operator.id })
    return [
      ['Set-Cookie', yield* sessions.begin(operator.id, context.cookies)],
      ['Set-Cookie', yield* this.remember(operator.id)],
    ]
  }

  async #verified({ name, browser }: Attempt, password: string): Promise<OperatorRow | undefined> {
    const side = browser === undefined ? 'strangers' : 'known'
    this.#underWay[side] += 1
    try {
      return await verifyOperator(this.parts.control, name, password)
    } finally {
      this.#underWay[side] -= 1
    }
  }

  #succeed({ name, browser }: Attempt, address: string): void {
    if (browser === undefined) this.#attempts.succeed(name, networkOf(address))
    else this.#attempts.succeedKnown(browser)
  }

  async #recordRefusal(context: SignInContext, reason: string, name: string): Promise<void> {
    await this.parts.control.atomically(() => this.#appendRefusal(context, reason, name))
  }

  *#appendRefusal(context: SignInContext, reason: string, name: string): Work<void> {
    // An unknown name may be a password typed into the wrong field: it is not logged.
    const subject = (yield* findOperatorByName(name))?.id
    const event = {
      action: 'session.begin',
      subject,
      outcome: 'refused',
      detail: { reason },
    } as const
    yield* appendAudit(actorOfContext(context), this.parts.clock(), event)
  }
}

function actorOfContext({ exchange, address }: SignInContext, who?: string): Actor {
  return actorOf({ remoteAddress: address, requestId: exchange.requestId }, who)
}
