// The bounds of what the service tells of itself: what `limits.ts` is for everything else.

import { strict as assert } from 'node:assert'

/** Length of one slot of the metrics: the finest step of a chart that is looked at for a minute. */
export const METRICS_SLOT_MS = 5_000

/** Slots that are kept: ten minutes, in which whoever is told of something slow still sees it. */
export const METRICS_SLOTS = 120

/** What rates and percentiles are of: long enough for some thousand requests, short enough for now. */
export const METRICS_WINDOW_MS = 60_000

/** How often the event loop is looked at: as often as the least delay that anybody would notice. */
export const LOOP_DELAY_RESOLUTION_MS = 10

assert(METRICS_WINDOW_MS % METRICS_SLOT_MS === 0)
assert(METRICS_WINDOW_MS < METRICS_SLOT_MS * METRICS_SLOTS)
