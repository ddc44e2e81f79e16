import type { Exchange, ResponseFields } from '../http/engine/exchange.js'
import { commonFields, HTML_TYPE, NO_STORE } from '../http/engine/response-fields.js'
import { renderToString, type VNode } from './jsx.js'
import { STYLE, STYLE_SOURCE } from './style.js'

/** A page for a person. */
export interface Page {
  readonly title: string
  readonly body: VNode
  /**
   * Other destinations of its forms, in addition to this service: schemes such as `https:`.
   * Chromium applies this to the redirects that follow a form as well.
   */
  readonly formTargets?: readonly string[]
}

/** How a page is replied. */
export interface PageReply {
  readonly status: number
  readonly page: Page
  /** Further fields, such as Set-Cookie. */
  readonly fields?: ResponseFields
}

/**
 * Replies a page. It runs no scripts, loads nothing and cannot be framed; no cache stores it, and
 * its links and forms send no referrer: the URL of a page holds `state`.
 */
export function replyPage(exchange: Exchange, { status, page, fields = [] }: PageReply): void {
  const formAction = ["'self'", ...(page.formTargets ?? [])].join(' ')
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  const all: ResponseFields = [
    HTML_TYPE,
    ...commonFields(exchange.requestId, NO_STORE),
    ['Content-Security-Policy', policy],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'no-referrer'],
    ...fields,
  ]
  exchange.reply(status, all, Buffer.from(documentOf(page)))
}

/**
 * Redirects the browser with a GET, whatever the method of its request.
 * @param location absolute, or a path of this service
 * @param fields further ones
 */
export function replySeeOther(
  exchange: Exchange,
  location: string,
  fields: ResponseFields = [],
): void {
  const all: ResponseFields = [
    ['Location', location],
    ...commonFields(exchange.requestId, NO_STORE),
    ['Referrer-Policy', 'no-referrer'],
    ...fields,
  ]
  exchange.reply(303, all, new Uint8Array(0))
}

function documentOf({ title, body }: Page): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · kontor`}</title>
        <style
          // Unescaped: the hash in the policy is computed from these very characters.
          dangerouslySetInnerHTML={{ __html: STYLE }}
        />
      </head>
      <body class="centered">
        <header>
          <p class="mark">kontor</p>
        </header>
        <main>
          <h1>{title}</h1>
          {body}
        </main>
      </body>
    </html>
  )
  return `<!doctype html>${renderToString(page)}`
}
