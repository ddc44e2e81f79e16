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
import { type AttemptSource, Attempts } from './attempts.js'
import { cookieValue, setCookieValue } from './cookies.js'
import { formToken, isFormToken } from './form-token.js'
import { KnownBrowsers } from './known-browsers.js'
import { replyPage, replySeeOther } from './page.js'
import type { Session, Sessions } from './sessions.js'
import { signInPage } from './sign-in-page.js'

/**
 * Concurrent password verifications. Each takes 32 MB and one of libuv's four threads; unknown
 * browsers get three, so one is left for known browsers.
 */
const SIGN_INS_AT_ONCE_MAX = { known: 1, unknown: 3 } as const

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

/** An attempt to sign in with a password. */
interface Attempt {
  /** In NFC. */
  readonly name: string
  readonly source: AttemptSource
  readonly password: string
}

/** Result of an attempt. */
interface Verification {
  /** 0, or the seconds after which the attempt may begin. */
  readonly waitSeconds: number
  /** undefined = the name or the password is wrong. */
  readonly operator?: OperatorRow | undefined
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
  readonly #underWay = { unknown: 0, known: 0 }

  constructor(private readonly parts: SignInParts) {
    this.#attempts = new Attempts(parts.control, parts.clock)
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
    const source = browser === undefined ? { name, address: networkOf(address) } : { browser }
    const attempt = { name, source, password: form.value('password') ?? '' }
    const { waitSeconds, operator } = await this.#verify(attempt)
    if (waitSeconds > 0) {
      await this.#recordRefusal(context, 'too_many', name)
      return this.ask(context, {
        ...{ status: 429, notice: tooMany(waitSeconds) },
        retryAfterSeconds: waitSeconds,
      })
    }
    const fields = await this.parts.control.alone(() =>
      this.#beginSession(context, attempt, operator),
    )
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
    const source = { browser: `operator ${operatorId}` }
    const { waitSeconds, operator } = await this.#verify({ name, source, password })
    if (waitSeconds > 0) return { reason: 'too_many', sentence: tooMany(waitSeconds) }
    const attempts = this.#attempts
    const isRight = await this.parts.control.atomically(function* () {
      if (operator === undefined || !(yield* isUnchangedOperator(operator))) return false
      yield* attempts.succeed(source)
      return true
    })
    if (isRight) return undefined
    return {
      reason: 'credentials',
      sentence: 'Your current password is wrong. Nothing was changed.',
    }
  }

  /** Checks the password, unless the attempt is premature. */
  async #verify({ name, source, password }: Attempt): Promise<Verification> {
    const waitSeconds = await this.#attempts.waitSeconds(source)
    if (waitSeconds > 0) return { waitSeconds }
    const side = 'browser' in source ? 'known' : 'unknown'
    if (this.#underWay[side] >= SIGN_INS_AT_ONCE_MAX[side]) return { waitSeconds: 1 }
    this.#underWay[side] += 1
    try {
      const laterSeconds = await this.#attempts.begin(source)
      if (laterSeconds > 0) return { waitSeconds: laterSeconds }
      const operator = await verifyOperator(this.parts.control, name, password)
      return { waitSeconds: 0, operator }
    } finally {
      this.#underWay[side] -= 1
    }
  }

  *#beginSession(
    context: SignInContext,
    { name, source }: Attempt,
    operator: OperatorRow | undefined,
  ): Work<ResponseFields | undefined> {
    const { clock, sessions } = this.parts
    if (operator === undefined || !(yield* isUnchangedOperator(operator))) {
      yield* this.#appendRefusal(context, 'credentials', name)
      return undefined
    }
    yield* this.#attempts.succeed(source)
    const actor = actorOfContext(context, `operator:${operator.name}`)
    yield* appendAudit(actor, clock(), { action: 'session.begin', subject: operator.id })
    return [
      ['Set-Cookie', yield* sessions.begin(operator.id, context.cookies)],
      ['Set-Cookie', yield* this.remember(operator.id)],
    ]
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

function tooMany(waitSeconds: number): string {
  return `Too many attempts. Try again in ${waitSeconds} s.`
}

function actorOfContext({ exchange, address }: SignInContext, who?: string): Actor {
  return actorOf({ remoteAddress: address, requestId: exchange.requestId }, who)
}
