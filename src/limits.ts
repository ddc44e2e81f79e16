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
 * Characters of a CSV file that are looked at to find delimiter and header: forty lines of the
 * widest bank export fit twice.
 */
export const CSV_HEAD_CHARS = 65_536

/** Records before a CSV header; the longest preamble in use (ING) has 13 lines. */
export const CSV_PREAMBLE_RECORDS_MAX = 40

/**
 * Records held back until their dates and amounts tell how they are written: a month of a busy
 * account, and small enough to hold.
 */
export const CSV_EVIDENCE_RECORDS_MAX = 1_000

/** Events a statement reader hands over at once: enough to hide the cost of waiting. */
export const STATEMENT_BATCH_EVENTS = 1_000

/**
 * Characters of an OFX file, which is read as a whole (a repeated FITID can stand anywhere):
 * some 300,000 transactions.
 */
export const OFX_CHARS_MAX = 64 * 1_024 * 1_024

/** Characters of an OFX element name: longer than any of the specification. */
export const OFX_NAME_CHARS_MAX = 40

/** Elements of an OFX file: what one of OFX_CHARS_MAX characters has, and memory holds. */
export const OFX_ELEMENTS_MAX = 4_000_000

/** Elements inside each other in OFX: twice what a statement needs. */
export const OFX_DEPTH_MAX = 24

assert(LIST_LIMIT_DEFAULT <= LIST_LIMIT_MAX)
assert(CUSTOM_SCHEMA_BYTES_MAX * 3 < TARGET_BYTES_MAX, 'a fully percent-encoded customSchema fits')
assert(10 ** AMOUNT_DIGITS_MAX < Number.MAX_SAFE_INTEGER)
assert(DEMO_TRANSACTIONS_DEFAULT <= DEMO_TRANSACTIONS_MAX)
assert(FIELD_CODE_POINTS_MAX <= STATEMENT_LINE_CHARS_MAX)
