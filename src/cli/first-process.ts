import { constants } from 'node:os'

/** What {@link endOnSignals} needs of a process. */
interface Signalled {
  readonly pid: number
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  listenerCount(signal: string): number
  exit(code: number): void
}

/**
 * Ends a process 1, which a container makes of kontor, on SIGTERM and SIGINT: Linux gives it no
 * default action for them, so a command that listens to neither could only be killed. A command
 * that does listen, as `serve` does, decides by itself. Any other process stays as it is.
 */
export function endOnSignals(process: Signalled): void {
  if (process.pid !== 1) return
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // As a shell reports a process that a signal has ended.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
    })
  }
}
