import { constants } from 'node:os'

/** The parts of a process that {@link endOnSignals} needs. */
interface Signalled {
  readonly pid: number
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  listenerCount(signal: string): number
  exit(code: number): void
}

/**
 * Ends process 1, which kontor is in a container, on SIGTERM and SIGINT: Linux gives it no default
 * action for them, so a command without listeners could only be killed. A command with a listener,
 * such as `serve`, decides by itself. No effect on any other process.
 */
export function endOnSignals(process: Signalled): void {
  if (process.pid !== 1) return
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The exit code by which shells report a process that was ended by a signal.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
    })
  }
}
