import type { ChangesFigures } from './changes.js'
import { callersPriority } from './child.js'
import type { ReadFigures } from './readers.js'
import { atMost, shown, type Target, table, targetTable } from './report.js'

const TOLD_MS_MAX = 300
const PAGE_MS_MAX = 5
const GROWTH_MAX = 2
const MEMORY_GROWTH_MAX = 1.2

/** Measured six times with a writer and without. */
const PAGE_OBSTACLE =
  'the p99 of pages is 3.1 to 5.1 ms without a writer; following its changes adds up to 2 ms.'

/** The bounds of a service that others keep copies of. */
export function changesTargets({ copy, told, quiet, waiting }: ChangesFigures): Target[] {
  const [before = Number.NaN, after = Number.NaN] = copy.memoryBytes
  return [
    {
      ...atMost('a page of the copy, p99', copy.pageMs.p99, 'ms', PAGE_MS_MAX),
      obstacle: PAGE_OBSTACLE,
    },
    atMost('memory after the copy, against before', after / before, '×', MEMORY_GROWTH_MAX),
    atMost('a change is with all waiting callers', told.max, 'ms', TOLD_MS_MAX),
    atMost(
      'p99 of reads with waiting callers, against none',
      waiting.requestMs.p99 / quiet.requestMs.p99,
      '×',
      GROWTH_MAX,
    ),
  ]
}

/** The figures as Markdown. */
export function reportChanges(figures: ChangesFigures): string {
  const { copy, callerCount, told, wokenUs, quiet, waiting, rowCount } = figures
  const { pageMs } = copy
  const megabytes = (bytes: number | undefined): string =>
    shown(bytes === undefined ? undefined : bytes / 1e6)
  const copies = table(
    ['copy', 'pages', 'seconds', 'page p50 / p99 / max ms', 'MB before', 'MB after'],
    [
      [
        `${rowCount.toLocaleString('en')} rows beside a writer`,
        String(copy.pageCount),
        shown(copy.seconds),
        [pageMs.p50, pageMs.p99, pageMs.max].map(shown).join(' / '),
        ...copy.memoryBytes.map(megabytes),
      ],
    ],
  )
  const waits = table(
    ['waiting callers', 'told after p50 / p99 / max ms', 'server CPU µs per answer'],
    [[String(callerCount), [told.p50, told.p99, told.max].map(shown).join(' / '), shown(wokenUs)]],
  )
  const readRow = (name: string, { requestMs, delayMs, ...rest }: ReadFigures): string[] => [
    name,
    shown(rest.requestsPerSecond),
    shown(rest.serverBusy),
    ...[requestMs.p50, requestMs.p99, requestMs.max, delayMs.p99, delayMs.max].map(shown),
  ]
  const reads = table(
    ['reads', 'req/s', 'server cores', 'p50 ms', 'p99 ms', 'max ms', 'loop p99 ms', 'loop max ms'],
    [
      readRow('no waiting callers, a change a second', quiet),
      readRow(`${callerCount} wait, a change a second`, waiting),
    ],
  )
  const targets = targetTable(changesTargets(figures))
  return [targets, callersPriority(), copies, waits, reads].join('\n\n')
}
