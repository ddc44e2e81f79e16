import type { MatchFigures } from './match.js'
import {
  type KontorMatchFigures,
  type PeerFigures,
  THREAD_COUNTS,
  THREADS_WANTED,
} from './match-contenders.js'
import { WORDS_ONLY } from './match-eval/noise-wording.js'
import type { ReaderFigures } from './match-load.js'
import { atMost, shown, type Target, table, targetTable } from './report.js'
import { medianOf, quantilesOf } from './statistics.js'

const TYPICAL_MS_MAX = 3
const SLOW_MS_MAX = 15

/** Of questions without a number. */
const WORDS_MS_MAX = 15
const WORST_MS_MAX = 150
const READ_MS_MAX = 5
const INDEX_BYTES_MAX = 450

/** Statuses that a busy service may answer with. */
const STATUSES_ALLOWED: readonly string[] = ['200', '503']

/** Costly queries listed. */
const WORST_SHOWN = 12

/** What keeps figures from their bounds. */
const CANDIDATES_OBSTACLE =
  'a question with few digits, or with those of a year, has thousands of candidates to be scored.'
const EVERY_ROW_OBSTACLE =
  'the queries are made so that every row of the window is scored: 1.5 to 3 µs each on two threads.'
const THREADS_OBSTACLE = 'two scoring threads share two cores with the thread that answers reads.'

/** Classes of questions listed. */
const CLASSES_SHOWN = 12

/** The targets of the match. */
export function matchTargets(figures: MatchFigures): Target[] {
  const { groups, kontor, peers, load } = figures
  const other = Object.entries(load.callers.answers).filter(([status]) => {
    return !STATUSES_ALLOWED.includes(status)
  })
  return [
    ...kontor.flatMap((one) => workspaceTargets(one, groups)),
    ...peers.map((peer) => peerTarget(figures, peer)),
    {
      ...atMost(
        'reads with 20 matching callers, p99',
        load.matched.requestMs.p99,
        'ms',
        READ_MS_MAX,
      ),
      obstacle: THREADS_OBSTACLE,
    },
    atMost(
      'answers but 200 and 503',
      other.reduce((sum, [, count]) => sum + count, 0),
      '',
      0,
    ),
  ]
}

function workspaceTargets(kontor: KontorMatchFigures, groups: readonly string[]): Target[] {
  const { p50, p99 } = quantilesOf(timesBy(kontor, THREADS_WANTED).flat())
  const of = `of ${kontor.rowCount.toLocaleString('en-US')} rows`
  const [worst] = kontor.worst
  return [
    atMost(`window ${of}, p50`, p50, 'ms', TYPICAL_MS_MAX),
    { ...atMost(`window ${of}, p99`, p99, 'ms', SLOW_MS_MAX), obstacle: CANDIDATES_OBSTACLE },
    atMost(`words alone ${of}, p50`, wordsMs(kontor, groups), 'ms', WORDS_MS_MAX),
    {
      ...atMost(`threshold 0 ${of}, max`, quantilesOf(kontor.unboundedMs).max, 'ms', WORST_MS_MAX),
      obstacle: EVERY_ROW_OBSTACLE,
    },
    {
      ...atMost(`worst query ${of}: ${worst?.name}`, worstOf(kontor), 'ms', WORST_MS_MAX),
      obstacle: EVERY_ROW_OBSTACLE,
    },
    atMost(
      `match index ${of}, per transaction`,
      kontor.indexBytes / kontor.rowCount,
      'B',
      INDEX_BYTES_MAX,
    ),
  ]
}

/** Median of the questions of words alone; NaN without such questions. */
function wordsMs(kontor: KontorMatchFigures, groups: readonly string[]): number {
  const times = timesBy(kontor, THREADS_WANTED)
  return medianOf(groups.flatMap((group, at) => (group === WORDS_ONLY ? (times[at] ?? []) : [])))
}

function worstOf({ worst }: KontorMatchFigures): number {
  return Math.max(...worst.flatMap(({ unboundedMs, defaultMs }) => [unboundedMs, defaultMs]))
}

function timesBy(
  { durationsMs }: KontorMatchFigures,
  threadCount: number,
): readonly (readonly number[])[] {
  return durationsMs[threadCount] ?? []
}

function peerTarget(figures: MatchFigures, peer: PeerFigures): Target {
  return {
    what: `over ${peer.name}, p50 of the same questions`,
    measured: ratioOf(figures, peer, THREADS_WANTED),
    unit: '×',
    bound: 1,
    direction: 'at least',
  }
}

/** Ratio of the peer's median to kontor's on `threadCount` threads, over questions of both. */
function ratioOf({ kontor }: MatchFigures, peer: PeerFigures, threadCount: number): number {
  const [first] = kontor
  const times = first === undefined ? [] : timesBy(first, threadCount)
  const same = peer.asked.map((at) => medianOf(times[at] ?? []))
  return medianOf(peer.durationsMs) / medianOf(same)
}

/** The figures as Markdown, without the heading. */
export function reportMatches(figures: MatchFigures): string {
  const { groups, kontor } = figures
  return [
    `1. Targets. ${shown(groups.length)} questions; ${kontor
      .map(({ equalAnswers, rowCount }) => `${shown(equalAnswers)} of ${shown(rowCount)} rows`)
      .join(' and ')} were compared with scoring every row.`,
    targetTable(matchTargets(figures)),
    '2. Questions at threshold 0.6, the ten best of the window, one at a time; milliseconds.',
    threadTable(kontor),
    `3. Classes of questions, ${THREADS_WANTED} threads, all window: the slowest.`,
    classTable(figures),
    `4. Made to be costly, ${THREADS_WANTED} threads, medians: the worst.`,
    ...kontor.map(worstTable),
    '5. Peers over the same texts, of the same questions; they use one thread.',
    peerTable(figures),
    '6. Single transactions over HTTP, one after the other, milliseconds.',
    loadTable(figures),
    '7. Index and memory.',
    memoryTable(kontor),
  ].join('\n\n')
}

function threadTable(kontor: readonly KontorMatchFigures[]): string {
  const rows = kontor.flatMap((one) => [
    ...THREAD_COUNTS.map((count) => {
      const name = `${count} ${count === 1 ? 'thread' : 'threads'}`
      return timeRow(one, name, timesBy(one, count).flat())
    }),
    timeRow(one, `threshold 0, ${THREADS_WANTED} threads`, one.unboundedMs),
  ])
  return table(['workspace', '', 'p50', 'p99', 'max', 'a second'], rows)
}

function timeRow(one: KontorMatchFigures, name: string, durationsMs: readonly number[]): string[] {
  const { p50, p99, max } = quantilesOf(durationsMs)
  const perSecond = (durationsMs.length * 1_000) / durationsMs.reduce((sum, ms) => sum + ms, 0)
  return [shown(one.rowCount), name, ...[p50, p99, max, perSecond].map(shown)]
}

function classTable({ groups, kontor }: MatchFigures): string {
  const [first] = kontor
  const times = first === undefined ? [] : timesBy(first, THREADS_WANTED)
  const byGroup = new Map<string, number[]>()
  for (const [at, group] of groups.entries()) {
    byGroup.set(group, [...(byGroup.get(group) ?? []), ...(times[at] ?? [])])
  }
  const rows = [...byGroup]
    .map(([group, durationsMs]) => ({ group, ...quantilesOf(durationsMs) }))
    .sort((a, b) => b.p99 - a.p99)
    .slice(0, CLASSES_SHOWN)
    .map(({ group, p50, p99, max }) => [group, shown(p50), shown(p99), shown(max)])
  return table(['class', 'p50', 'p99', 'max'], rows)
}

function worstTable({ rowCount, worst }: KontorMatchFigures): string {
  const head = [`of ${shown(rowCount)} rows`, 'query', 'threshold 0, ms', 'threshold 0.6, ms']
  const rows = worst.slice(0, WORST_SHOWN).map(({ name, query, unboundedMs, defaultMs }) => {
    return [name, `\`${visible(query)}\``, shown(unboundedMs), shown(defaultMs)]
  })
  return table(head, rows)
}

/** A query shortened for a table cell. */
function visible(query: string): string {
  const short = [...query].length <= 40 ? query : `${[...query].slice(0, 39).join('')}…`
  return short.replace(/[^\x20-\x7e…]/gu, (sign) => {
    return `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}

function peerTable(figures: MatchFigures): string {
  const rows = figures.peers.map((peer) => {
    if (peer.skipped !== undefined) return [peer.name, `skipped: ${peer.skipped}`, ...dashes(5)]
    const { p50, max } = quantilesOf(peer.durationsMs)
    const ratios = [1, THREADS_WANTED].map((count) => `${shown(ratioOf(figures, peer, count))} ×`)
    return [
      peer.name,
      String(peer.asked.length),
      shown(peer.openMs / 1_000),
      shown(p50),
      shown(max),
      ...ratios,
    ]
  })
  const over = ['kontor over it, 1 thread', `${THREADS_WANTED} threads`]
  return table(['peer', 'questions', 'index built in s', 'p50 ms', 'max ms', ...over], rows)
}

function dashes(count: number): string[] {
  return Array.from({ length: count }, () => '-')
}

function loadTable({ load }: MatchFigures): string {
  const row = (name: string, { requestMs, requestCount, delayMs }: ReaderFigures): string[] => {
    const { p50, p99, max } = requestMs
    return [name, ...[requestCount, p50, p99, max, delayMs.p99, delayMs.max].map(shown)]
  }
  const { callers, callerCount } = load
  const answers = Object.entries(callers.answers)
  const counted = answers.map(([status, count]) => `${shown(count)} × ${status}`).join(', ')
  const { p50, p99, max } = callers.requestMs
  return `${table(
    ['reads', 'answers', 'p50', 'p99', 'max', 'loop p99', 'loop max'],
    [row('no matches', load.quiet), row(`${callerCount} match without pause`, load.matched)],
  )}

   The callers got ${shown(callers.requestsPerSecond)} answers a second (${counted}), after
   ${shown(p50)} ms (p50), ${shown(p99)} ms (p99), ${shown(max)} ms (max).`
}

function memoryTable(kontor: readonly KontorMatchFigures[]): string {
  const rows = kontor.map((one) => [
    shown(one.rowCount),
    shown(one.indexMs / 1_000),
    shown(one.indexBytes / one.rowCount),
    shown(one.firstMs),
    shown((one.residentBytes ?? Number.NaN) / 1e6),
  ])
  const made = ['index built in s', 'index B per transaction']
  return table(['rows', ...made, 'first match ms', 'process resident MB'], rows)
}
