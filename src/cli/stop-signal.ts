const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** The signals that ask a service to end. */
export interface StopSignals {
  /** Resolves at the first one. */
  readonly first: Promise<void>
  /** Resolves at the one after it. */
  readonly second: Promise<void>
  /** From now on a signal does what it does by default: it ends the process at once. */
  release(): void
}

/** Listens for SIGTERM and SIGINT, which do nothing else until they are released. */
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
