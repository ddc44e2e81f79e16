import type { PagesFigures } from './pages.js'
import { shown, type Target, table, targetTable } from './report.js'

/** Upper bound of the median of a page. */
const PAGE_MS_MAX = 20
const FIRST_LOOK_KB_MAX = 150

/** Targets: the median of every kind of page, and the weight of the first one. */
export function pagesTargets({ pages, firstVisit }: PagesFigures): Target[] {
  const { signInBytes, overviewBytes, assetBytes } = firstVisit
  return [
    ...pages.map(
      ({ name, laterMs }): Target => ({
        what: `p50 of ${name}`,
        measured: laterMs.p50,
        unit: 'ms',
        bound: PAGE_MS_MAX,
        direction: 'at most',
      }),
    ),
    {
      what: 'from the sign-in to the overview, with all that it names',
      measured: (signInBytes + overviewBytes + assetBytes) / 1_000,
      unit: 'kB',
      bound: FIRST_LOOK_KB_MAX,
      direction: 'at most',
    },
  ]
}

/** The figures as Markdown. */
export function reportPages(figures: PagesFigures): string {
  const { rowCount, pages, firstVisit, residentBytes } = figures
  const head = ['page', 'first ms', 'p50 ms', 'p99 ms', 'max ms', 'kB', 'ask again']
  const rows = pages.map(({ name, firstMs, laterMs, bytes, renewedShare }) => [
    name,
    ...[firstMs, laterMs.p50, laterMs.p99, laterMs.max, bytes / 1_000].map(shown),
    `${shown(100 * renewedShare)} %`,
  ])
  const weights = table(
    ['first visit', 'kB'],
    [
      ['sign-in', shown(firstVisit.signInBytes / 1_000)],
      ['overview', shown(firstVisit.overviewBytes / 1_000)],
      ['style, scripts, icon', shown(firstVisit.assetBytes / 1_000)],
    ],
  )
  const memory = `${shown(rowCount)} rows; the service has ${shown(residentBytes / 1e6)} MB.`
  return `${targetTable(pagesTargets(figures))}\n\n${table(head, rows)}\n\n${weights}\n\n${memory}`
}
