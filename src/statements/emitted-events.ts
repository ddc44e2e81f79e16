import type { StatementEvent } from './statement.js'

/**
 * Passes each item of a file to a reader that collects events, and yields these a batch of items at
 * a time. Events before a fault are yielded all the same, however the text was cut in pieces.
 * @param reading its `events` are those found and not yet yielded; they are replaced
 * @param steps `take` receives each item, `end` is called after the last one
 * @throws StatementError when `steps` or the splitting into items does
 */
export async function* emittedEvents<Item>(
  batches: AsyncIterable<readonly Item[]>,
  reading: { events: StatementEvent[] },
  steps: { take(item: Item): void; end(): void },
): AsyncGenerator<readonly StatementEvent[]> {
  const takeEvents = (): readonly StatementEvent[] => {
    const { events } = reading
    reading.events = []
    return events
  }
  for await (const items of batches) {
    try {
      for (const item of items) steps.take(item)
    } finally {
      if (reading.events.length > 0) yield takeEvents()
    }
  }
  try {
    steps.end()
  } finally {
    if (reading.events.length > 0) yield takeEvents()
  }
}
