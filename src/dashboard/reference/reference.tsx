import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToString, type VNode } from '../../browser/jsx.js'
import { ApiError } from '../../errors.js'
import type { Exchange, Handler, ResponseFields } from '../../http/engine/exchange.js'
import { commonFields, HTML_TYPE } from '../../http/engine/response-fields.js'
import { methodNotAllowed } from '../../http/http-errors.js'
import { Assets } from '../assets.js'
import { linkTo } from '../dashboard-context.js'
import type { DashboardParts } from '../parts.js'
import { replyAsset } from '../reply-asset.js'

/** The path of the API reference. */
const PATH = '/docs'

type ReferenceParts = Pick<DashboardParts, 'baseUrl'>

/**
 * Answers the paths of the API reference: the OpenAPI document, shown by Swagger UI, which is
 * served from here and requests no other host. Public, like the document itself: it is the same for
 * all callers and contains nothing of the data directory.
 * @returns by path, the handler; undefined for every other path
 */
export function createReferenceAnswers(
  parts: ReferenceParts,
): (path: string) => Handler | undefined {
  let assets: Assets | undefined
  const answer: Handler = (exchange) => {
    const { method, path } = exchange
    exchange.operation = 'docs'
    if (method !== 'GET' && method !== 'HEAD') {
      throw methodNotAllowed('The method must be GET or HEAD.', 'GET, HEAD')
    }
    assets ??= loadAssets()
    if (path === PATH || path === `${PATH}/`) return replyReference(exchange, assets, parts)
    const asset = assets.find(path)
    if (asset !== undefined) return replyAsset(exchange, asset, 'public')
    throw new ApiError('no_such_operation', 'Not found; the API reference is at /docs.')
  }
  return (path) => (path === PATH || path.startsWith(`${PATH}/`) ? answer : undefined)
}

/** Read at the first request: they are two megabytes. */
function loadAssets(): Assets {
  const assets = new Assets(`${PATH}/`)
  const folder = join(import.meta.dirname, 'assets')
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    assets.add(name, withoutMapLink(readFileSync(join(folder, 'swagger-ui', name), 'utf8')))
  }
  for (const name of ['reference.css', 'reference.js']) {
    assets.add(name, readFileSync(join(folder, name)))
  }
  return assets
}

/** Removes the link to a source map: browser tools would request it, and it is not served. */
function withoutMapLink(text: string): Uint8Array {
  return Buffer.from(text.replace(/\n?\/[/*][#@] sourceMappingURL=[^\n]*\s*$/, '\n'))
}

function replyReference(exchange: Exchange, assets: Assets, parts: ReferenceParts): void {
  const page = renderToString(<Page assets={assets} parts={parts} />)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  const fields: ResponseFields = [
    HTML_TYPE,
    ['Content-Security-Policy', policy.join('; ')],
    ['X-Frame-Options', 'DENY'],
    ...commonFields(exchange.requestId, ['Cache-Control', 'no-cache']),
    ['Referrer-Policy', 'same-origin'],
  ]
  exchange.reply(200, fields, Buffer.from(`<!doctype html>${page}`))
}

interface PageProps {
  readonly assets: Assets
  readonly parts: ReferenceParts
}

function Page({ assets, parts }: PageProps): VNode {
  const link = (path: string): string => linkTo({ parts }, path)
  const file = (name: string): string => link(assets.pathOf(name))
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API reference · kontor</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={file('swagger-ui.css')} />
        <link rel="stylesheet" href={file('reference.css')} />
        <script defer src={file('swagger-ui-bundle.js')} />
        <script type="module" src={file('reference.js')} />
      </head>
      <body>
        <header class="reference-head">
          <a class="mark" href={link('/dashboard')}>
            kontor
          </a>
          <h1>API reference</h1>
          <a href={link('/openapi.json')}>OpenAPI document</a>
        </header>
        <div id="reference" data-document={link('/openapi.json')} data-base={link('')}>
          <noscript>
            <p>This page needs JavaScript. The OpenAPI document can be read without it.</p>
          </noscript>
        </div>
      </body>
    </html>
  )
}
