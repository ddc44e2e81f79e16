import { renderToString } from '../browser/jsx.js'
import { replySeeOther } from '../browser/page.js'
import type { ResponseFields } from '../http/engine/exchange.js'
import { commonFields, HTML_TYPE, NO_STORE } from '../http/engine/response-fields.js'
import { type DashboardContext, linkTo } from './dashboard-context.js'
import { Frame } from './layout/frame.js'
import type { DashboardReply, Download, View } from './reply.js'

/** Sends the reply of a page. */
export function replyWith(context: DashboardContext, reply: DashboardReply): void {
  if ('goTo' in reply) {
    const { goTo, setCookie } = reply
    const fields: ResponseFields = setCookie === undefined ? [] : [['Set-Cookie', setCookie]]
    replySeeOther(context.exchange, linkTo(context, goTo), fields)
  } else if ('bytes' in reply) replyDownload(context, reply)
  else replyView(context, reply)
}

function replyView(context: DashboardContext, view: View): void {
  const text = `<!doctype html>${renderToString(<Frame context={context} view={view} />)}`
  const fields: ResponseFields = [
    HTML_TYPE,
    ['Content-Security-Policy', policyOf(view)],
    ['X-Frame-Options', 'DENY'],
    ...plainFields(context),
  ]
  context.exchange.reply(view.status ?? 200, fields, Buffer.from(text))
}

/** The content security policy: files of this service, and no inline content. */
function policyOf({ hasImages }: View): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self'${hasImages === true ? ' data:' : ''}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

function replyDownload(context: DashboardContext, download: Download): void {
  const { bytes, contentType, fileName, status } = download
  const fields: ResponseFields = [
    ['Content-Type', contentType],
    ...plainFields(context),
    ...(fileName === undefined
      ? []
      : [['Content-Disposition', `attachment; filename="${fileName}"`] as const]),
  ]
  context.exchange.reply(status ?? 200, fields, bytes)
}

/**
 * The page is cached nowhere. Pages of this service may know the origin of a request, so that forms
 * carry their Origin; others may not.
 */
function plainFields({ exchange }: DashboardContext): ResponseFields {
  return [...commonFields(exchange.requestId, NO_STORE), ['Referrer-Policy', 'same-origin']]
}
