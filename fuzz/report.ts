import { shown, table } from '../bench/report.js'
import { quantilesOf } from '../bench/statistics.js'
import { RESIDENT_RATIO_MAX, type RunFigures } from './run.js'
import type { EngineName } from './target.js'

/** Upper bound of an honest client's longest wait. */
const HONEST_WAIT_MS_MAX = 1_000

/** The broken promises, one sentence each; empty when all hold. */
export function brokenPromises({ failures, honest, residentBytes }: RunFigures): string[] {
  const longestMs = Math.max(...honest.waitedMs)
  const [before, after] = residentBytes
  return [
    ...failures.map(({ what, kind, sent }) => `${what} (${kind ?? 'unknown'}): ${sent}`),
    ...honest.failures.map((failure) => `an honest client got ${failure}`),
    ...(longestMs > HONEST_WAIT_MS_MAX ? [`an honest client waited ${shown(longestMs)} ms`] : []),
    ...(after / before > RESIDENT_RATIO_MAX
      ? [`memory at rest is ${shown(after / before)} times that after the warm-up`]
      : []),
  ]
}

/** The figures of both engines as Markdown. */
export function fuzzReport(runs: ReadonlyMap<EngineName, RunFigures>): string {
  const engines = [...runs]
  const rows = [
    ['requests', ...engines.map(([, { requestCount }]) => shown(requestCount))],
    ['a second', ...engines.map(([, run]) => shown(run.requestCount / run.seconds))],
    ['replies 2xx / 3xx', ...engines.map(([, run]) => `${sumOf(run, 2)} / ${sumOf(run, 3)}`)],
    ['replies 4xx / 503', ...engines.map(([, run]) => `${sumOf(run, 4)} / ${sumOf(run, 5)}`)],
    ['closed without a reply', ...engines.map(([, run]) => shown(run.silentCount))],
    ['failures', ...engines.map(([, run]) => String(run.failures.length))],
    ['honest client: replies', ...engines.map(([, run]) => shown(run.honest.waitedMs.length))],
    ['its p50 / p99 / longest wait, ms', ...engines.map(([, run]) => waits(run))],
    ['memory at rest, MB, after warm-up / at the end', ...engines.map(([, run]) => memory(run))],
  ]
  const kinds = [...new Set(engines.flatMap(([, run]) => [...run.countByKind.keys()]))].sort()
  const byKind = kinds.map((kind) => [
    `${kind}: sent, replies below 400`,
    ...engines.map(
      ([, run]) =>
        `${shown(run.countByKind.get(kind) ?? 0)}, ${shown(run.acceptedByKind.get(kind) ?? 0)}`,
    ),
  ])
  return table(['', ...engines.map(([name]) => name)], [...rows, ...byKind])
}

function sumOf({ countByStatus }: RunFigures, hundreds: number): string {
  const counts = [...countByStatus].filter(([status]) => Math.floor(status / 100) === hundreds)
  return shown(counts.reduce((sum, [, count]) => sum + count, 0))
}

function waits({ honest }: RunFigures): string {
  const { p50, p99 } = quantilesOf(honest.waitedMs)
  return [p50, p99, Math.max(...honest.waitedMs)].map(shown).join(' / ')
}

function memory({ residentBytes }: RunFigures): string {
  return residentBytes.map((bytes) => shown(bytes / 1e6)).join(' / ')
}
