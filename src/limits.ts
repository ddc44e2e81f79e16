import { strict as assert } from 'node:assert'

/** Items in a list answer when the caller names no limit (contract, "Limits"). */
export const LIST_LIMIT_DEFAULT = 100

/**
 * Items a list answer holds at most; a larger `limit` is refused, not clamped (contract,
 * "Limits").
 */
export const LIST_LIMIT_MAX = 250

/**
 * Code points of one filter value: no bank field or category name in use is longer (decisions,
 * "Parameters").
 */
export const FILTER_CODE_POINTS_MAX = 256

/** Attributes one customSchema may name (decisions, "Parameters"). */
export const CUSTOM_SCHEMA_ENTRIES_MAX = 64

/** Segments of one customSchema path (decisions, "Parameters"). */
export const CUSTOM_SCHEMA_LEVELS_MAX = 8

/** UTF-8 bytes of one customSchema text (decisions, "Parameters"). */
export const CUSTOM_SCHEMA_BYTES_MAX = 4_096

/** Bytes of a request target. A customSchema of 4,096 bytes is up to 12,288 percent-encoded. */
export const TARGET_BYTES_MAX = 16_384

/**
 * Code points of a request id taken over from a caller (decisions, "Headers every response has").
 */
export const REQUEST_ID_LENGTH_MAX = 128

/**
 * Digits of an amount: a double holds every integer of 15 digits exactly (decisions, "Storage").
 */
export const AMOUNT_DIGITS_MAX = 15

/** Decimals of an amount; bank files carry up to five (decisions, "Storage"). */
export const AMOUNT_SCALE_MAX = 5

/** Time a stop may take from SIGTERM to exit: container runtimes kill after 10 s. */
export const STOP_MS_MAX = 9_000

/** Rows the demo makes when not told otherwise (decisions, "Names"). */
export const DEMO_TRANSACTIONS_DEFAULT = 20_000

/** Rows the demo makes at most: five times the million the service is measured with. */
export const DEMO_TRANSACTIONS_MAX = 5_000_000

/** Characters of one physical line or one XML text node of a bank file; a longer one is hostile. */
export const STATEMENT_LINE_CHARS_MAX = 1_000_000

/**
 * Code points of one text field of a transaction; longer than any bank's, short enough to render.
 */
export const FIELD_CODE_POINTS_MAX = 10_000

/**
 * Bytes of all request fields together, on `node`: what common servers and proxies allow. `uws` has
 * bounds of its own: 60 KB read at once, 4 KB when the head arrives in pieces.
 */
export const FIELDS_BYTES_MAX = 16_384

/** Request fields, on `node`; browsers send about 20. `uws` answers none past about 47. */
export const FIELDS_COUNT_MAX = 100

/** Time a connection may stay idle: the 10 s that are hard-coded in `uws`, so both behave alike. */
export const IDLE_MS_MAX = 10_000

/** Time a request head may take to arrive; the 10 s of `uws`. */
export const HEAD_MS_MAX = 10_000

/** Time a whole request may take to arrive: 1 MB, the largest body, at 280 kbit/s. */
export const REQUEST_MS_MAX = 30_000

/** How often `node` looks for connections that are over their time; its default of 30 s is late. */
export const TIMEOUT_CHECK_MS = 1_000

assert(LIST_LIMIT_DEFAULT <= LIST_LIMIT_MAX)
assert(CUSTOM_SCHEMA_BYTES_MAX * 3 < TARGET_BYTES_MAX, 'a fully percent-encoded customSchema fits')
assert(10 ** AMOUNT_DIGITS_MAX < Number.MAX_SAFE_INTEGER)
assert(DEMO_TRANSACTIONS_DEFAULT <= DEMO_TRANSACTIONS_MAX)
assert(FIELD_CODE_POINTS_MAX <= STATEMENT_LINE_CHARS_MAX)
assert(HEAD_MS_MAX <= REQUEST_MS_MAX)
assert(TIMEOUT_CHECK_MS < HEAD_MS_MAX)
