import type { Exchange, Handler } from '../http/engine/exchange.js'
import { LostCommitError, StoreUnavailableError } from '../store/store-error.js'
import { type Page, replyPage } from './page.js'

/**
 * A handler that replies a page, with status 503, when the database does not answer: neither the
 * session nor the password of a person can be looked up, and none of them is wrong.
 */
export function withUnavailablePage(handler: Handler): Handler {
  return (exchange) => {
    try {
      const answered = handler(exchange)
      if (!(answered instanceof Promise)) return answered
      return answered.catch((error: unknown) => replyUnavailable(exchange, error))
    } catch (error) {
      return replyUnavailable(exchange, error)
    }
  }
}

/** @throws the error, unless it is a StoreUnavailableError of an exchange without a reply */
function replyUnavailable(exchange: Exchange, error: unknown): void {
  if (!(error instanceof StoreUnavailableError) || exchange.replied || exchange.aborted) throw error
  const page = unavailablePage(error instanceof LostCommitError)
  replyPage(exchange, { status: 503, page, fields: [['Retry-After', '1']] })
}

const LOST =
  'The connection to the database broke while your change was saved. It may or may not have been ' +
  'saved: check before you repeat it.'

const UNAVAILABLE =
  'This page needs the database of the service, which does not answer. Nothing was changed, and ' +
  'sessions stay valid.'

/** @param isLost whether a change was sent whose outcome is unknown */
function unavailablePage(isLost: boolean): Page {
  return {
    title: 'The database does not answer',
    body: (
      <>
        <p>{isLost ? LOST : UNAVAILABLE}</p>
        <p>Reload the page in a moment. If this persists, tell the operator of the service.</p>
      </>
    ),
  }
}
