// The bounds of what the service tells of itself: what `limits.ts` is for everything else.

import { strict as assert } from 'node:assert'

/** Length of one slot of the metrics: the finest step of a chart that is looked at for a minute. */
export const METRICS_SLOT_MS = 5_000

/** Slots that are kept: ten minutes, in which whoever is told of something slow still sees it. */
export const METRICS_SLOTS = 120

/** Requests of one slot from which on a service is busy: a thousand a second. */
export const METRICS_BUSY_COUNT = 5_000

/** Of a busy service, one request in so many is timed: some hundred a second still tell enough. */
export const METRICS_BUSY_STRIDE = 16

/** What rates and percentiles are of: long enough for some requests, short enough for now. */
export const METRICS_WINDOW_MS = 60_000

/** How often the event loop is looked at: as often as the least delay that anybody would notice. */
export const LOOP_DELAY_RESOLUTION_MS = 10

assert(METRICS_WINDOW_MS % METRICS_SLOT_MS === 0)
assert(METRICS_WINDOW_MS < METRICS_SLOT_MS * METRICS_SLOTS)
