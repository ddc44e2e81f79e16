import type { Exchange } from '../http/engine/exchange.js'

/**
 * Whether a form may come from one of the service's own pages, by the `Sec-Fetch-Site` and `Origin`
 * fields that browsers send. Every POST of a form passes this check and that of the form's token:
 * the token is the proof, because programs and old browsers send neither field, and a page with
 * `Referrer-Policy: no-referrer` sends `Origin: null`.
 * @see Fetch Metadata Request Headers, 2.3; Fetch, "origin" header
 */
export function isFromOurPages(exchange: Pick<Exchange, 'field'>, baseUrl: string): boolean {
  const site = exchange.field('sec-fetch-site')
  // `none` is a user's action: a reloaded page, a form sent once more.
  if (site !== '') return site === 'same-origin' || site === 'none'
  const origin = exchange.field('origin')
  if (origin === '' || origin === 'null') return true
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return origin === new URL(baseUrl).origin || host === exchange.field('host')
}
