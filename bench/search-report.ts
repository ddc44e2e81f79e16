import { SEARCH_COST_MAX } from '../src/query/search.js'
import { atMost, shown, type Target, table, targetTable } from './report.js'
import type { SearchFigures } from './search.js'
import { type CostFigures, SLICE_MS_MAX } from './search-costs.js'
import {
  type EngineFigures,
  SEARCH_SORTS,
  type SearchClass,
  type SearchSort,
  type Timing,
} from './search-engine.js'
import { medianOf, pooledQuantiles, type Quantiles } from './statistics.js'

/** Required ratio of FTS5's time to kontor's. */
const FASTER = 1
const SELECTIVE_FASTER = 5

/** Upper bound of the median, in milliseconds. */
const SELECTIVE_MS_MAX = 1
const EVERY_ROW_MS_MAX = 20

/** What keeps figures from their bounds. */
const INFIX = 'digits inside a reference are compared with each word that has their rarest group.'
const ESTIMATE = 'the time of a search is estimated, and its memory may be cold.'

/** Contenders of the table of classes, in order; the first is compared with the second. */
const SHOWN = ['kontor', 'FTS5', 'kontor again', 'FlexSearch', 'MiniSearch', 'scan'] as const

/** The targets hold for the required number of rows: with fewer rows the sizes mean nothing. */
export function searchTargets(figures: SearchFigures): Target[] {
  const { classes, cold, rowCount } = figures
  const selective = classes.compared.filter(({ isSelective }) => isSelective)
  const medians = selective.flatMap(({ name }) =>
    SEARCH_SORTS.map((sort) => quantiles(cold, name, sort).p50),
  )
  const everyRow = SEARCH_SORTS.map((sort) => quantiles(cold, 'every row', sort).p50)
  return [
    ...classes.compared.map((one) => ratioTarget(figures, one)),
    {
      ...atMost('selective class, p50, the slowest', Math.max(...medians), 'ms', SELECTIVE_MS_MAX),
      obstacle: INFIX,
    },
    atMost('term in every row, p50', Math.max(...everyRow), 'ms', EVERY_ROW_MS_MAX),
    atMost('text index per transaction', (cold.indexBytes ?? Number.NaN) / rowCount, 'B', 250),
    atMost('text index of a million', (cold.buildMs * 1_000) / rowCount, 's', 15),
    {
      ...atMost(
        'slowest search that stays on the main thread',
        cold.costs.longestOnMainMs,
        'ms',
        SLICE_MS_MAX,
      ),
      obstacle: ESTIMATE,
    },
  ]
}

function ratioTarget(figures: SearchFigures, { name, isSelective }: SearchClass): Target {
  return {
    what: `${name}: over FTS5, in the order where it is less`,
    measured: Math.min(...SEARCH_SORTS.map((sort) => ratioOf(figures, name, sort))),
    unit: '×',
    bound: isSelective ? SELECTIVE_FASTER : FASTER,
    direction: 'at least',
  }
}

/** Median of FTS5 over kontor's median without a cache. */
function ratioOf({ engines, cold }: SearchFigures, name: string, sort: SearchSort): number {
  return quantiles(engines.get('FTS5'), name, sort).p50 / quantiles(cold, name, sort).p50
}

/**
 * Quantiles over all searches of a class in one order; short ones, timed more often, count the
 * same.
 */
function quantiles(engine: EngineFigures | undefined, name: string, sort: SearchSort): Quantiles {
  return pooledQuantiles(timingsOf(engine, name, sort).map(({ durationsMs }) => durationsMs))
}

function timingsOf(engine: EngineFigures | undefined, name: string, sort: SearchSort): Timing[] {
  const timings = engine?.timings ?? []
  return timings.filter((timing) => timing.className === name && timing.sort === sort)
}

/** The figures as Markdown, without the heading. */
export function reportSearches(figures: SearchFigures): string {
  const { rowCount, cold } = figures
  return [
    `1. Targets, ${rowCount.toLocaleString('en-US')} rows.`,
    targetTable(searchTargets(figures)),
    '2. Classes: count and first page of 100, milliseconds, p50 / p99. "Over FTS5" is the ratio\n' +
      '   of the medians; "least" that of the search where kontor gains least. In parentheses:\n' +
      '   the number of searches that MiniSearch can answer.',
    classTable(figures, '_id'),
    classTable(figures, 'bookingDate'),
    '3. Index build and memory.',
    memoryTable(figures),
    '4. Costly searches: kontor only, no cache, no other thread; both orders.',
    adversarialTable(figures),
    `5. Estimated nanoseconds against milliseconds. More than ${shown(SEARCH_COST_MAX)} go to` +
      ' another thread.',
    costTable(cold.costs.steps),
    costNotes(figures),
    `6. Search texts: ${searchedFor(figures)}.`,
  ].join('\n\n')
}

function classTable(figures: SearchFigures, sort: SearchSort): string {
  const { classes, engines } = figures
  const rows = classes.compared.map(({ name, queries }) => {
    const totals = queries.map(({ answers }) => answers[sort].total)
    const ofWords = new Set(
      timingsOf(engines.get('MiniSearch'), name, sort).map(({ text }) => text),
    )
    return [
      name,
      `${queries.length} (${ofWords.size})`,
      shown(medianOf(totals)),
      ...SHOWN.map((engine) => pair(quantiles(engines.get(engine), name, sort))),
      `${shown(ratioOf(figures, name, sort))} ×`,
      `${shown(leastRatio(figures, name, sort))} ×`,
    ]
  })
  const order = sort === '_id' ? 'default order' : 'by booking date'
  return table([order, 'searches', 'rows found', ...SHOWN, 'over FTS5', 'least'], rows)
}

function pair({ p50, p99 }: Quantiles): string {
  return Number.isNaN(p50) ? '-' : `${shown(p50)} / ${shown(p99)}`
}

/** The least ratio of FTS5's median to kontor's over the single searches of a class. */
function leastRatio({ engines, cold }: SearchFigures, name: string, sort: SearchSort): number {
  const others = timingsOf(engines.get('FTS5'), name, sort)
  const ratios = timingsOf(cold, name, sort).map(({ text, durationsMs }) => {
    const other = others.find((timing) => timing.text === text)
    return other === undefined ? Number.NaN : medianOf(other.durationsMs) / medianOf(durationsMs)
  })
  return Math.min(...ratios.filter((ratio) => !Number.isNaN(ratio)))
}

function memoryTable({ engines, rowCount }: SearchFigures): string {
  const names = ['kontor', 'FTS5', 'FlexSearch', 'MiniSearch', 'scan']
  const rows = names.map((name) => {
    const engine = engines.get(name)
    const { indexBytes, residentBytes } = engine ?? {}
    return [
      name,
      shown((engine?.buildMs ?? Number.NaN) / 1_000),
      shown((indexBytes ?? Number.NaN) / rowCount),
      shown((residentBytes ?? Number.NaN) / 1e6),
    ]
  })
  const head = ['contender', 'index built in s', 'index B per transaction', 'process resident MB']
  return `${table(head, rows)}\n
   kontor's time starts from rendered rows, and its process also holds lists and rows; the others
   get normalized words, and FTS5 also holds the table of texts that short terms need.`
}

function adversarialTable({ classes, cold }: SearchFigures): string {
  const rows = classes.adversarial.map(({ name }) => {
    const timings = SEARCH_SORTS.flatMap((sort) => timingsOf(cold.adversarial, name, sort))
    const { p50, max } = pooledQuantiles(timings.map(({ durationsMs }) => durationsMs))
    const slowest = timings.toSorted((a, b) => medianOf(b.durationsMs) - medianOf(a.durationsMs))[0]
    const median = medianOf(slowest?.durationsMs ?? [])
    return [name, shown(p50), shown(max), `${shown(median)} ms \`${shortened(slowest?.text)}\``]
  })
  return table(['class', 'p50 ms', 'max ms', 'slowest search, its median'], rows)
}

function costTable(steps: readonly CostFigures[]): string {
  const head = [
    'estimated ns',
    'searches',
    'find p50 ms',
    'p99 ms',
    'max ms',
    'answer max ms',
    'slowest',
  ]
  return table(
    head,
    steps.map((step) => [
      `${shown(step.from)} to ${shown(step.to)}`,
      String(step.searchCount),
      shown(step.p50Ms),
      shown(step.p99Ms),
      shown(step.maxMs),
      shown(step.answerMsMax),
      `\`${shortened(step.slowest)}\``,
    ]),
  )
}

function costNotes({ classes, cold }: SearchFigures): string {
  const { safeCost, longestOnMainMs, handedOver, handedOverInVain } = cold.costs
  const compared = new Set(classes.compared.map(({ name }) => name))
  const timings = cold.timings.filter(({ className }) => compared.has(className))
  const slowest = timings.toSorted((a, b) => medianOf(b.durationsMs) - medianOf(a.durationsMs))[0]
  return [
    `   No answer of up to ${shown(safeCost)} estimated ns took more than ${SLICE_MS_MAX} ms;`,
    `   the longest that stays on the thread took ${shown(longestOnMainMs)} ms.`,
    `   ${shown(handedOver * 100)} % of these searches move to another thread; of them`,
    `   ${shown(handedOverInVain * 100)} % take less than ${SLICE_MS_MAX} ms.`,
    `   The longest search of the classes takes ${shown(medianOf(slowest?.durationsMs ?? []))} ms:`,
    `   \`${slowest?.text}\`.`,
  ].join('\n')
}

function searchedFor({ classes }: SearchFigures): string {
  return classes.compared
    .map(({ name, queries }) => `${name} ${queries.map(({ text }) => `\`${text}\``).join(', ')}`)
    .join('; ')
}

function shortened(text: string | undefined): string {
  if (text === undefined) return '-'
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`
}
