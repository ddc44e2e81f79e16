import type { LiveFigures } from './live.js'
import type { ReadFigures } from './readers.js'
import { shown, type Target, table, targetTable } from './report.js'

const LARGE_MS_MAX = 1_000
const LARGE_OBSTACLE =
  'one thread reads and renders 100,000 rows in about a second, 10 µs a row (insert 100000 rows).'
const WRITER_OBSTACLE =
  'the thread that follows changes, the writer and the readers share two cores with the service.'
const SINGLE_MS_TYPICAL = 300
const SINGLE_MS_MAX = 1_000
const GROWTH_MAX = 2

/** The bounds of a service whose file is written to. */
export function liveTargets({ single, large, quiet, written }: LiveFigures): Target[] {
  const shownAtMost = (what: string, measured: number, bound: number): Target => ({
    what,
    measured,
    unit: 'ms',
    bound,
    direction: 'at most',
  })
  return [
    shownAtMost('single change shown, p50', single.p50, SINGLE_MS_TYPICAL),
    shownAtMost('single change shown, max', single.max, SINGLE_MS_MAX),
    ...large.map(({ name, shownMs }) => ({
      ...shownAtMost(`${name}: shown`, shownMs, LARGE_MS_MAX),
      ...(name.startsWith('insert ') ? { obstacle: LARGE_OBSTACLE } : {}),
    })),
    {
      what: 'p99 of reads with a writer, against none',
      measured: written.requestMs.p99 / quiet.requestMs.p99,
      unit: '×',
      bound: GROWTH_MAX,
      direction: 'at most',
      obstacle: WRITER_OBSTACLE,
    },
  ]
}

/** The figures as Markdown. */
export function reportLive(figures: LiveFigures): string {
  const { single, large, quiet, begun, written, changesPerSecond } = figures
  const readRow = (name: string, { requestMs, delayMs, ...rest }: ReadFigures): string[] => [
    name,
    shown(rest.requestsPerSecond),
    shown(rest.serverBusy),
    shown(requestMs.p50),
    shown(requestMs.p99),
    shown(requestMs.max),
    shown(delayMs.p99),
    shown(delayMs.max),
  ]
  const reads = table(
    ['reads', 'req/s', 'server cores', 'p50 ms', 'p99 ms', 'max ms', 'loop p99 ms', 'loop max ms'],
    [
      readRow('no writer', quiet),
      readRow('a writer starts', begun),
      readRow(`${shown(changesPerSecond)} changes a second`, written),
    ],
  )
  const changes = table(
    ['change', 'commit ms', 'shown after ms'],
    [
      ['single, p50 / p99 / max', '', [single.p50, single.p99, single.max].map(shown).join(' / ')],
      ...large.map(({ name, writeMs, shownMs }) => [name, shown(writeMs), shown(shownMs)]),
    ],
  )
  return `${targetTable(liveTargets(figures))}\n\n${changes}\n\n${reads}`
}
