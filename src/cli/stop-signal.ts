const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** The signals that stop a service. */
export interface StopSignals {
  /** Resolves at the first one. */
  readonly first: Promise<void>
  /** Resolves at the one after it. */
  readonly second: Promise<void>
  /** Restores the default: the next signal ends the process at once. */
  release(): void
}

/** Listens for SIGTERM and SIGINT and suppresses their default until they are released. */
export function stopSignals(): StopSignals {
  const waiting: (() => void)[] = []
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve)
    })
  const onSignal = (): void => waiting.shift()?.()
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    first: next(),
    second: next(),
    release: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
