import type { Exchange } from '../http/exchange.js'

/**
 * Whether a form may have come from one of our own pages, by what browsers say of where it came
 * from. Beside the form's token, which alone proves it: a program, and a browser of ten years ago,
 * says nothing, and `null` is what a page says that tells nobody where it leads.
 * @see Fetch Metadata Request Headers, 2.3; Fetch, "origin" header
 */
export function isFromOurPages(exchange: Pick<Exchange, 'field'>, baseUrl: string): boolean {
  const site = exchange.field('sec-fetch-site')
  // `none` is a person's doing: a page loaded again, a form sent once more.
  if (site !== '') return site === 'same-origin' || site === 'none'
  const origin = exchange.field('origin')
  if (origin === '' || origin === 'null') return true
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return origin === new URL(baseUrl).origin || host === exchange.field('host')
}
