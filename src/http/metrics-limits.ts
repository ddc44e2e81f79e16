// The bounds of the service's measurements of itself; `limits.ts` has all others.

import { strict as assert } from 'node:assert'

/** Length of one slot of the metrics: the finest step of a chart that is watched for a minute. */
export const METRICS_SLOT_MS = 5_000

/** Slots that are kept: ten minutes, so that an operator sees a slow period after an alert. */
export const METRICS_SLOTS = 120

/** Requests of one slot from which on a service is busy: a thousand a second. */
export const METRICS_BUSY_COUNT = 5_000

/** Of a busy service, one request in so many is timed: some hundred a second are enough. */
export const METRICS_BUSY_STRIDE = 16

/** Window of rates and percentiles: long enough for some requests, short enough for the present. */
export const METRICS_WINDOW_MS = 60_000

/** Sampling interval of the event loop's delay: the least delay that a caller would notice. */
export const LOOP_DELAY_RESOLUTION_MS = 10

assert(METRICS_WINDOW_MS % METRICS_SLOT_MS === 0)
assert(METRICS_WINDOW_MS < METRICS_SLOT_MS * METRICS_SLOTS)
