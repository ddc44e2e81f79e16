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

/** Bytes looked at for a byte order mark and an XML declaration, which is one short line. */
export const STATEMENT_HEAD_BYTES = 1_024

/**
 * Bytes held back from the first one that is not ASCII until UTF-8 or not is judged: thousands of
 * names and purposes, so that a lucky pair of bytes in an old code page does not decide.
 */
export const STATEMENT_JUDGED_BYTES = 65_536

/** Characters handed to the XML parser at a time; bounds what it holds between two checks. */
export const STATEMENT_SLICE_CHARS = 65_536

/** Elements an XML statement may be nested: camt.053 itself goes 16 deep. */
export const STATEMENT_DEPTH_MAX = 64

/**
 * Characters of one entry without its details, or of one detail; the longest real ones have some
 * hundred thousand (thousands of referred documents).
 */
export const STATEMENT_ENTRY_CHARS_MAX = 4_000_000

/** Details of one batch booking: schemes allow 99,999 transactions a message. */
export const STATEMENT_DETAILS_MAX = 100_000

assert(LIST_LIMIT_DEFAULT <= LIST_LIMIT_MAX)
assert(CUSTOM_SCHEMA_BYTES_MAX * 3 < TARGET_BYTES_MAX, 'a fully percent-encoded customSchema fits')
assert(10 ** AMOUNT_DIGITS_MAX < Number.MAX_SAFE_INTEGER)
assert(DEMO_TRANSACTIONS_DEFAULT <= DEMO_TRANSACTIONS_MAX)
assert(FIELD_CODE_POINTS_MAX <= STATEMENT_LINE_CHARS_MAX)
assert(STATEMENT_HEAD_BYTES <= STATEMENT_JUDGED_BYTES)
assert(STATEMENT_LINE_CHARS_MAX <= STATEMENT_ENTRY_CHARS_MAX)
