import {
  type ContenderFigures,
  type ContestFigures,
  MORE_CONNECTIONS,
  medianFigure,
} from './contest.js'
import type { LoadFigures } from './load.js'
import type { ReadsFigures } from './reads.js'
import { atMost, shown, type Target, table, targetTable } from './report.js'

/** Bounds of each workload: shares of the floor, and multiples of the twin. */
const WANTED = {
  page: { floor: 50, aim: 60, more: 65, twin: 25 },
  filtered: { floor: 35, aim: 45, more: 40, twin: 25 },
  single: { floor: 65, aim: undefined, more: 65, twin: 3 },
} as const

/** What keeps a workload from its share of the floor. */
const OBSTACLES: Readonly<Record<ContestFigures['workload'], string>> = {
  page:
    'each page is copied from shared memory into a buffer of its own, and its request is read; ' +
    'the floor sends bytes that lie ready, and looks at nothing of the request.',
  filtered:
    'the hundred rows of a filtered page are scattered over half a gigabyte: their cache misses ' +
    'take more time than everything else (`npm run bench -- rows` measures them alone).',
  single:
    'the head of the request, the credential, the ETag and the response fields take some 5 µs, ' +
    'which the floor does not have; its own request takes 8.',
}

const COLD =
  'the first request with a filter selects its rows among a million; some shapes select most of ' +
  'them.'
const LOAD = 'one thread reads a million rows of SQLite and renders each as JSON.'
const COLUMNS = 'the columns of filters, sums and changes came later than the bound.'

/** Share of the floor with the node engine, where node:http takes most of both times. */
const NODE_FLOOR_MIN = 70

/** Upper bound of a page's cost at the far end of a list over that at its beginning. */
const OFFSET_RATIO_MAX = 1.5

/** The targets hold for the full number of rows: with fewer rows the sizes mean nothing. */
export function readsTargets(figures: ReadsFigures): Target[] {
  const { queries, loading, whileLoading, rowCount, engine } = figures
  return [
    ...figures.contests.flatMap((contest) => contestTargets(contest, engine)),
    { ...atMost('any filter and order, cold, p99', queries.cold.p99, 'ms', 3), obstacle: COLD },
    atMost(
      'page at 99 % of the list against page at 0',
      offsetRatio(figures),
      '×',
      OFFSET_RATIO_MAX,
    ),
    { ...atMost('start to listening', loading.startMs / 1_000, 's', 10), obstacle: LOAD },
    {
      ...atMost(
        'resident per transaction, before text',
        perRow(loading.residentBytes, rowCount),
        'B',
        750,
      ),
      obstacle: COLUMNS,
    },
    atMost('event loop delay during a load, p99', whileLoading.delayMs.p99, 'ms', 10),
  ]
}

function contestTargets(
  { workload, title, rateOfFloor, rateOfTwin, withMore }: ContestFigures,
  engine: ReadsFigures['engine'],
): Target[] {
  const { floor, aim, twin, more } = WANTED[workload]
  const isNode = engine === 'node' && workload !== 'filtered'
  const obstacle = OBSTACLES[workload]
  const ofFloor = { unit: '%', direction: 'at least', obstacle } as const
  return [
    {
      ...ofFloor,
      what: `${title}: of the floor`,
      measured: rateOfFloor * 100,
      bound: isNode ? NODE_FLOOR_MIN : floor,
      ...(aim === undefined || isNode ? {} : { aim }),
    },
    {
      ...ofFloor,
      what: `${title}: of the floor, ${MORE_CONNECTIONS} connections`,
      measured: withMore.rateOfFloor * 100,
      bound: isNode ? NODE_FLOOR_MIN : more,
    },
    {
      what: `${title}: over the twin`,
      measured: rateOfTwin,
      unit: '×',
      bound: twin,
      direction: 'at least',
      obstacle,
    },
  ]
}

function perRow(byteCount: number | undefined, rowCount: number): number {
  return (byteCount ?? Number.NaN) / rowCount
}

function offsetRatio({ queries }: ReadsFigures): number {
  const [first] = queries.offsets
  const last = queries.offsets.at(-1)
  if (first === undefined || last === undefined) return Number.NaN
  return Math.max(last.defaultUs / first.defaultUs, last.byAmountUs / first.byAmountUs)
}

/** The figures as Markdown, without the heading. */
export function reportReads(figures: ReadsFigures): string {
  return [
    `1. Targets, ${figures.rowCount.toLocaleString('en-US')} rows.`,
    targetTable(readsTargets(figures)),
    '2. Contenders. Medians of the rounds; each ratio is the median of the ratios of one round.\n' +
      '   "busy" is the share of one core the server used: where it is below 1, it waited for wrk.',
    contestTable(figures.contests),
    ratioTable(figures.contests),
    '3. In process.',
    queryTable(figures),
    `   Slowest cold ones: ${figures.queries.slowest
      .map(({ text, ms }) => `${shown(ms)} ms \`${text}\``)
      .join('; ')}.`,
    '4. Memory and loading.',
    memoryTable(figures),
    '5. Each shape of the filtered workload alone, kontor.',
    shapeTable(figures),
  ].join('\n\n')
}

function contestTable(contests: readonly ContestFigures[]): string {
  const rows = contests.flatMap(({ workload, contenders }) =>
    contenders.map((contender) => [workload, contender.name, ...contenderCells(contender)]),
  )
  const head = ['workload', 'contender', 'requests/s', 'p50 ms', 'p99 ms', 'MB/s', 'CPU µs', 'busy']
  return table(head, rows)
}

function contenderCells(contender: ContenderFigures): string[] {
  const median = (pick: (figures: LoadFigures) => number | undefined): string =>
    shown(medianFigure(contender, pick))
  return [
    median((figures) => figures.requestsPerSecond),
    median((figures) => figures.p50Ms),
    median((figures) => figures.p99Ms),
    median((figures) => figures.megabytesPerSecond),
    median((figures) => figures.cpuUsPerRequest),
    median((figures) => figures.serverBusy),
  ]
}

function ratioTable(contests: readonly ContestFigures[]): string {
  const rows = contests.map((contest) => [
    contest.workload,
    String(contest.equalAnswers),
    `${shown(contest.rateOfFloor * 100)} %`,
    `${shown(contest.cpuOfFloor * 100)} %`,
    `${shown(contest.rateOfTwin)} ×`,
    `${shown(contest.cpuOfTwin)} ×`,
    `${shown(contest.withMore.rateOfFloor * 100)} %`,
    `${shown(contest.withMore.cpuOfFloor * 100)} %`,
  ])
  const head = ['workload', 'answers equal to the twin', 'rate of floor', 'CPU of floor']
  const more = ['rate', 'CPU'].map((each) => `${each} of floor, ${MORE_CONNECTIONS} connections`)
  return table([...head, 'rate over twin', 'CPU over twin', ...more], rows)
}

function queryTable({ queries }: ReadsFigures): string {
  const { cold, warm, combinationCount, equalAnswers } = queries
  const quantiles = ({ p50, p99, max }: typeof cold): string[] => [
    shown(p50),
    shown(p99),
    shown(max),
  ]
  const lists = table(
    [
      `${combinationCount} combinations, ${equalAnswers} equal to the twin`,
      'p50 ms',
      'p99 ms',
      'max ms',
    ],
    [
      ['cold', ...quantiles(cold)],
      ['again, at another offset', ...quantiles(warm)],
    ],
  )
  const offsets = table(
    ['page at', 'default order, µs', 'by amount, µs'],
    queries.offsets.map(({ share, defaultUs, byAmountUs }) => [
      `${shown(share * 100)} %`,
      shown(defaultUs),
      shown(byAmountUs),
    ]),
  )
  return `${lists}\n\n${offsets}`
}

function memoryTable({ loading, snapshot, whileLoading, rowCount }: ReadsFigures): string {
  const { residentBytes, emptyResidentBytes, peakResidentBytes } = loading
  const arrays = Object.values(snapshot).reduce((sum: number, bytes: number) => sum + bytes, 0)
  const rest = (residentBytes ?? Number.NaN) - arrays - (emptyResidentBytes ?? Number.NaN)
  const cells = (name: string, bytes: number | undefined): string[] => [
    name,
    shown((bytes ?? Number.NaN) / 1e6),
    shown(perRow(bytes, rowCount)),
  ]
  const memory = table(
    ['memory', 'MB', 'B per transaction'],
    [
      ...Object.entries(snapshot).map(([name, bytes]) => cells(name, bytes)),
      cells('the program without a workspace', emptyResidentBytes),
      cells('other resident memory', rest),
      cells('resident, without a text index', residentBytes),
      cells('resident, searchable', loading.searchableResidentBytes),
      cells('peak while loading', peakResidentBytes),
    ],
  )
  const { delayMs, requestMs, requestCount, loadMs } = whileLoading
  const loop = table(
    ['while another million loads', 'p50 ms', 'p99 ms', 'max ms'],
    [
      ['event loop turn (1 ms timer)', ...[delayMs.p50, delayMs.p99, delayMs.max].map(shown)],
      [
        `${requestCount} single requests`,
        ...[requestMs.p50, requestMs.p99, requestMs.max].map(shown),
      ],
    ],
  )
  return `${memory}\n\n${loop}\n\n   That load took ${shown(loadMs / 1_000)} s.`
}

function shapeTable({ shapes }: ReadsFigures): string {
  return table(
    ['shape', 'requests/s', 'CPU µs', 'p99 ms'],
    shapes.map(({ name, load }) => [
      name,
      shown(load.requestsPerSecond),
      shown(load.cpuUsPerRequest),
      shown(load.p99Ms),
    ]),
  )
}
