import { type EpochMs, formatInstant } from '../instant.js'
import type { SnapshotNews } from '../snapshot/current.js'
import type { Output } from './terminal.js'

/** Writes one line to the log, with the time in front. Never a credential, never a row's text. */
export type Log = (line: string) => void

/** A log on stderr; a log that nobody reads any more is no reason to stop serving. */
export function logTo(output: Output, clock: () => EpochMs): Log {
  return (line) => {
    output.write(`${formatInstant(clock())} ${line}\n`).catch((gone: unknown) => {
      if (!(gone instanceof Error)) throw gone
    })
  }
}

/** What happened to a workspace's snapshot, as one line. */
export function newsLine(news: SnapshotNews): string {
  const { kind, workspaceId } = news
  if (kind === 'failed') return `workspace ${workspaceId} cannot be loaded: ${news.reason}`
  if (kind === 'dropped' || kind === 'evicted') {
    return `workspace ${workspaceId} left memory: ${news.reason}`
  }
  const seconds = ((news.durationMs ?? 0) / 1000).toString()
  return `workspace ${workspaceId} ${kind}: ${news.transactionCount} transactions in ${seconds} s`
}
