import { callersPriority } from './child.js'
import type { LoadFigures } from './load.js'
import type { McpFigures } from './mcp.js'
import type { ReadFigures } from './readers.js'
import { shown, type Target, table, targetTable } from './report.js'
import { medianOf, type Quantiles } from './statistics.js'

const CALLS_PER_SECOND_MIN = 1_000
const READ_P99_MS_MAX = 5
const BLOCK_MS_MAX = 5

/** The targets of the MCP endpoint. */
export function mcpTargets({ calls, withAgents, long }: McpFigures): Target[] {
  return [
    {
      what: 'calls of ten rows in a second of one core',
      measured: medianOf(calls.map(callsPerCoreSecond)),
      unit: '/s',
      bound: CALLS_PER_SECOND_MIN,
      direction: 'at least',
    },
    {
      what: 'p99 of reads while agents call',
      measured: medianOf(withAgents.map(({ requestMs }) => requestMs.p99)),
      unit: 'ms',
      bound: READ_P99_MS_MAX,
      direction: 'at most',
    },
    {
      what: 'longest block of the loop in 100 answers of 250 rows, median',
      measured: medianOf(long.map(({ delayMs }) => delayMs.max)),
      unit: 'ms',
      bound: BLOCK_MS_MAX,
      direction: 'at most',
    },
  ]
}

/**
 * By the server's CPU time, because other programs of a shared machine take part of each second.
 */
function callsPerCoreSecond({ cpuUsPerRequest }: LoadFigures): number {
  return cpuUsPerRequest === undefined ? Number.NaN : 1e6 / cpuUsPerRequest
}

/** The figures as Markdown. */
export function reportMcp(figures: McpFigures): string {
  const { calls, quiet, withAgents, long } = figures
  const load = table(
    ['calls', 'calls/s', 'p50 ms', 'p99 ms', 'µs of CPU a call', 'server cores'],
    calls.map((round, i) => [
      `ten rows, round ${i + 1}`,
      ...[round.requestsPerSecond, round.p50Ms, round.p99Ms].map(shown),
      ...[round.cpuUsPerRequest, round.serverBusy].map(shown),
    ]),
  )
  const readRow = (
    name: string,
    rounds: readonly ReadFigures[],
    callCounts: number[],
  ): string[] => {
    const median = (figureOf: (round: ReadFigures) => number): string =>
      shown(medianOf(rounds.map(figureOf)))
    return [
      ...[name, callCounts.length === 0 ? '-' : shown(medianOf(callCounts))],
      ...[median(({ requestMs }) => requestMs.p50), median(({ requestMs }) => requestMs.p99)],
      ...[median(({ delayMs }) => delayMs.p99), median(({ delayMs }) => delayMs.max)],
    ]
  }
  const reads = table(
    ['reads', 'calls/s', 'p50 ms', 'p99 ms', 'loop p99 ms', 'loop max ms'],
    [
      readRow('no agent calls', quiet, []),
      readRow(
        'agents call without a pause',
        withAgents,
        withAgents.map(({ callsPerSecond }) => callsPerSecond),
      ),
    ],
  )
  const quantiles = ({ p50, p99, max }: Quantiles): string => [p50, p99, max].map(shown).join(' / ')
  const pages = table(
    ['250 rows, p50 / p99 / max', 'call ms', 'characters', 'loop ms', 'loop ms, idle'],
    long.map(({ callMs, chars, delayMs, idleDelayMs }, i) => [
      `one after the other, round ${i + 1}`,
      ...[callMs, chars, delayMs, idleDelayMs].map(quantiles),
    ]),
  )
  const targets = targetTable(mcpTargets(figures))
  return [targets, callersPriority(), load, reads, pages].join('\n\n')
}
