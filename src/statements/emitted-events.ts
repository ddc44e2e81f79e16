/**
 * Passes each item of a file to a reader that collects events, and yields these a batch of items at
 * a time. Events before a fault are yielded too, however the text was cut in pieces.
 * @param reading its `events` are those not yet yielded; they are replaced
 * @param steps `take` receives each item, `end` is called after the last one
 * @throws StatementError when `steps` or the splitting into items does
 */
export async function* emittedEvents<Item, Event>(
  batches: AsyncIterable<readonly Item[]>,
  reading: { events: Event[] },
  steps: { take(item: Item): void; end(): void },
): AsyncGenerator<readonly Event[]> {
  const takeEvents = (): readonly Event[] => {
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
