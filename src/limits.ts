import { strict as assert } from 'node:assert'

/** Items in a list answer when the caller names no limit (docs/contract.md, "Limits"). */
export const LIST_LIMIT_DEFAULT = 100

/**
 * Items a list answer holds at most; a larger `limit` is refused, not clamped (docs/contract.md,
 * "Limits").
 */
export const LIST_LIMIT_MAX = 250

/**
 * Code points of one filter value: no bank field or category name in use is longer
 * (docs/contract.md, "Parameters").
 */
export const FILTER_CODE_POINTS_MAX = 256

/** Code points of one search text (docs/contract/lists.md, "Free-text search"). */
export const SEARCH_CODE_POINTS_MAX = 256

/** Terms of one search text (docs/contract/lists.md, "Free-text search"). */
export const SEARCH_TERMS_MAX = 32

/** Attributes one customSchema may name (docs/contract/lists.md, "Custom schema"). */
export const CUSTOM_SCHEMA_ENTRIES_MAX = 64

/** Segments of one customSchema path (docs/contract/lists.md, "Custom schema"). */
export const CUSTOM_SCHEMA_LEVELS_MAX = 8

/** UTF-8 bytes of one customSchema text (docs/contract/lists.md, "Custom schema"). */
export const CUSTOM_SCHEMA_BYTES_MAX = 4_096

/** Bytes of a request target. A customSchema of 4,096 bytes is up to 12,288 percent-encoded. */
export const TARGET_BYTES_MAX = 16_384

/** Code points of a request id taken over from a caller (docs/contract.md, "Response headers"). */
export const REQUEST_ID_LENGTH_MAX = 128

/**
 * Digits of an amount: a double holds every integer of 15 digits exactly
 * (docs/contract/resources.md, "Values").
 */
export const AMOUNT_DIGITS_MAX = 15

/** Decimals of an amount; bank files carry up to five (docs/contract/resources.md, "Values"). */
export const AMOUNT_SCALE_MAX = 5

/** Longest `--drain`: balancers poll every few seconds, and an operator waits for a stop. */
export const DRAIN_MS_MAX = 3_600_000

/** Time a stop may take from the end of its drain to exit: container runtimes kill after 10 s. */
export const STOP_MS_MAX = 9_000

/** Rows of the demo by default (docs/contract/commands.md, "Commands"). */
export const DEMO_TRANSACTIONS_DEFAULT = 20_000

/** Rows of the demo at most: five times the million the service is measured with. */
export const DEMO_TRANSACTIONS_MAX = 5_000_000

/** Characters of one physical line or one XML text node of a bank file; a longer one is hostile. */
export const STATEMENT_LINE_CHARS_MAX = 1_000_000

/**
 * Code points of one text field of a transaction; longer than any bank's, short enough to render.
 */
export const FIELD_CODE_POINTS_MAX = 10_000

/** How long an open or a write waits for another SQLite writer before it gives up. */
export const BUSY_TIMEOUT_MS = 5_000

/**
 * Page cache of a connection that reads a whole file: each page is read once, so a larger cache
 * would be garbage between the arrays that a loading thread leaves behind, 14 MB of it for a
 * million rows.
 */
export const READ_CACHE_KIB = 1_000

/**
 * Page cache of a connection that only watches a file: the pages on the way to its last change;
 * each loaded workspace has such a connection.
 */
export const WATCH_CACHE_KIB = 32

/**
 * Page cache of a connection that writes: half of SQLite's default costs an import of a million
 * rows 2 % of its time and saves the memory that is left when everything else is constant.
 */
export const WRITE_CACHE_KIB = 8_000

/** Rows of `changes` an import leaves behind; a reader further behind reloads the file. */
export const CHANGES_KEPT_MAX = 200_000

/**
 * Bytes no rendered row is expected to exceed: twenty text fields at their longest, five bytes a
 * code point. A larger one only makes the buffer grow.
 */
export const ROW_BYTES_MAX = 1_048_576

/**
 * Changes that are followed one by one; past it, reloading the file is about as fast, and the ids
 * alone take 16 MB.
 */
export const CHANGES_FOLLOWED_MAX = 1_000_000

/**
 * Rows that a change may have merged with it: 50 ms. Larger segments wait for a compaction, which
 * delays no request.
 */
export const MERGED_ROWS_MAX = 16_384

/**
 * Segments of a snapshot; a list reads each of them, and past these the smaller ones are merged.
 */
export const SEGMENTS_MAX = 6

/**
 * Rows whose indexes are built together with them: a quarter of a second. Of more, lists are served
 * before searches and matches are.
 */
export const INDEXED_AT_ONCE_ROWS_MAX = 20_000

/**
 * Share of the machine's memory for workspaces unless `--memory-budget` says otherwise: the rest is
 * for the program, for a workspace being loaded, and for SQLite's files.
 */
export const MEMORY_SHARE_DEFAULT = 0.7

/**
 * Nanoseconds, by an estimate that can be half of the truth, that a search may take on the thread
 * that answers requests; longer ones run on another thread.
 */
export const SEARCH_COST_MAX = 1_000_000

/**
 * Bytes of a snapshot besides its arrays: some hundred objects, and the connection that watches its
 * file, where SQLite has the schema in memory (165 kB) and an index of the log (32 kB).
 */
export const SNAPSHOT_OVERHEAD_BYTES = 230_000

/**
 * Rows that are summed before other requests run: a quarter of a millisecond, so that several
 * callers with long sums delay no other caller either.
 */
export const SUMMED_ROWS_AT_ONCE_MAX = 16_384

/** Bytes of a segment's rendered rows: their offsets are 32-bit. */
export const SEGMENT_BYTES_MAX = 4_294_967_295

/** Bytes of cached selections per segment; each takes an eighth of a byte a row. */
export const SELECTION_BYTES_MAX = 67_108_864

/**
 * The same, per row of a smaller segment: some hundred selections, two per cent of the rows' size.
 */
export const SELECTION_ROW_BYTES_MAX = 16

/** Idle life of a builder thread; its heap is freed when it ends. */
export const IDLE_THREAD_MS = 1_000

/** The same of the thread that follows changes: the code that V8 has compiled ends with it. */
export const IDLE_FOLLOWER_MS = 600_000

/** The same of a thread for long searches: a person reads one result before the next. */
export const IDLE_SEARCH_THREAD_MS = 60_000

/** How often loaded workspace files are checked for writes. */
export const WATCH_INTERVAL_MS = 100

/**
 * Pause after each refresh of a file, as a multiple of how long the refresh took: a constant writer
 * costs a twentieth of a core, which requests would wait for.
 */
export const FOLLOW_REST_FACTOR = 20

/** The longest such pause: a write is visible within 300 ms, typically. */
export const FOLLOW_REST_MS_MAX = 150

/** Files that are checked at one time: two milliseconds; further files are checked later. */
export const LOOKS_AT_ONCE_MAX = 400

/** How long a request waits for its workspace to load before it is asked to retry. */
export const LOAD_WAIT_MS_MAX = 30_000

/** Pause before loading a workspace again after a failure. */
export const LOAD_RETRY_MS = 5_000

/**
 * Requests of one credential that may wait for a workspace at a time: those that a busy program
 * sends while it loads, and some megabytes; more would only be late together.
 */
export const LOAD_WAITING_MAX = 1_000

/**
 * Code points of a caller's own text that an error message repeats: enough to recognise it, too few
 * to fill a log.
 */
export const ECHO_CODE_POINTS_MAX = 64

/** Parameters of one operation at most: the seen ones are the bits of one integer. */
export const OPERATION_PARAMETERS_MAX = 31

/**
 * Characters of an unknown parameter name that is compared with the known ones: over twice the
 * longest.
 */
export const NEAREST_NAME_CHARS_MAX = 32

/** Edits between a mistyped name and the one meant; three edits make one short name of another. */
export const NEAREST_NAME_EDITS_MAX = 2

/** Memory kept for assembling answers: a page of 250 rows of 30 KB; larger ones are rare. */
export const BODY_BUFFER_BYTES_MAX = 8_388_608

/**
 * Bytes of all request fields together, on `node`: the limit of common servers and proxies. Older
 * builds of `uws` have their own: 60 KB read at once, 4 KB when the head arrives in pieces.
 */
export const FIELDS_BYTES_MAX = 16_384

/** Request fields, on `node`; browsers send about 20. `uws` answers 48, newer builds 98. */
export const FIELDS_COUNT_MAX = 100

/** Time a connection may stay idle: the 10 s that are hard-coded in `uws`, so both behave alike. */
export const IDLE_MS_MAX = 10_000

/** Time a request head may take to arrive; the 10 s of `uws`. */
export const HEAD_MS_MAX = 10_000

/** Time a whole request may take to arrive: 1 MB, the largest body, at 280 kbit/s. */
export const REQUEST_MS_MAX = 30_000

/**
 * How long the result "control.db was not written to" is trusted: half a millisecond, less than a
 * program that has seen its commit end takes to report it and to have a new request sent.
 */
export const CREDENTIAL_TRUST_MS = 0.5

/**
 * How long a workspace file is assumed unchanged where no data are read: opening one takes a third
 * of a millisecond, and every read of data detects a file that replaced another.
 */
export const WORKSPACE_UID_TRUST_MS = 1_000

/**
 * Characters of a CSV file that are searched for delimiter and header: forty lines of the widest
 * bank export fit twice.
 */
export const CSV_HEAD_CHARS = 65_536

/** Records before a CSV header; the longest preamble in use (ING) has 13 lines. */
export const CSV_PREAMBLE_RECORDS_MAX = 40

/**
 * Records held back until their dates and amounts reveal the formats: a month of a busy account,
 * and small enough to hold.
 */
export const CSV_EVIDENCE_RECORDS_MAX = 1_000

/** Events a statement reader emits at once: enough to hide the cost of waiting. */
export const STATEMENT_BATCH_EVENTS = 1_000

/**
 * Characters of an OFX file, which is read as a whole (a FITID can recur anywhere): some 300,000
 * transactions.
 */
export const OFX_CHARS_MAX = 64 * 1_024 * 1_024

/** Characters of an OFX element name: longer than any of the specification. */
export const OFX_NAME_CHARS_MAX = 40

/** Elements of an OFX file: as many as OFX_CHARS_MAX characters have, and memory holds. */
export const OFX_ELEMENTS_MAX = 4_000_000

/** Nested elements in OFX: twice the depth of a statement. */
export const OFX_DEPTH_MAX = 24

/** Bytes searched for a byte order mark and an XML declaration, which is one short line. */
export const STATEMENT_HEAD_BYTES = 1_024

/**
 * Bytes held back from the first non-ASCII one until UTF-8 is confirmed or ruled out: thousands of
 * names and purposes, so that a chance pair of bytes in an old code page does not decide.
 */
export const STATEMENT_JUDGED_BYTES = 65_536

/** Characters passed to the XML parser at a time; bounds its buffer between two checks. */
export const STATEMENT_SLICE_CHARS = 16_384

/** Elements an XML statement may be nested: camt.053 itself goes 16 deep. */
export const STATEMENT_DEPTH_MAX = 64

/**
 * Characters of one entry without its details, or of one detail; the longest real ones have some
 * hundred thousand (thousands of referred documents).
 */
export const STATEMENT_ENTRY_CHARS_MAX = 4_000_000

/** Details of one batch booking: schemes allow 99,999 transactions a message. */
export const STATEMENT_DETAILS_MAX = 100_000

/** Warnings of one import that are listed; further ones usually repeat these. */
export const WARNINGS_LISTED_MAX = 100

/** Characters of a refused value that a message repeats: enough to find it, too few to flood. */
export const QUOTED_CHARS_MAX = 60

/** Levels of a refused JSON value that a message repeats: more than any of kontor's has. */
export const QUOTED_LEVELS_MAX = 8

/** Characters of a bank file from which its format is recognised. */
export const DETECT_CHARS_MAX = 65_536

/** Characters that an export writes at once: a pipe's worth, so that a slow reader slows it. */
export const EXPORT_PIECE_CHARS = 65_536

/** How often `node` checks connections for timeouts; its default of 30 s is late. */
export const TIMEOUT_CHECK_MS = 1_000

/** How long a browser may trust a CORS preflight; Chromium trusts none for longer. */
export const CORS_MAX_AGE_SECONDS = 7_200

/** The window of `--rate-limit`, which counts requests per minute. */
export const RATE_WINDOW_MS = 60_000

/** The largest `--rate-limit`: 16,000 a second, past which it limits nothing worth limiting. */
export const RATE_LIMIT_MAX = 1_000_000

/** Credentials whose requests are counted at a time: 10 MB; past it the oldest count is dropped. */
export const RATE_CREDENTIALS_MAX = 100_000

/** Arrays of one snapshot file: a segment has some dozens, and segments are few. */
export const SNAPSHOT_FILE_ARRAYS_MAX = 65_536

/** Bytes of a cached snapshot's tree: half a million accounts and categories as JSON. */
export const SNAPSHOT_FILE_HEADER_BYTES_MAX = 268_435_456

/** Bytes of a cached snapshot written at a time: enough that the calls cost nothing. */
export const SNAPSHOT_FILE_WRITE_BYTES = 8_388_608

/** Bytes read at a time and verified while the processor's cache still holds them. */
export const SNAPSHOT_FILE_READ_BYTES = 1_048_576

/**
 * Age of a file's newest time stamp from which on another write is sure to leave another one: some
 * times the 4 to 10 ms in which the clocks of file systems tick.
 */
export const STAMP_SETTLED_MS = 50

/**
 * The last changes whose rows a cached snapshot to be caught up must share with the file: some
 * milliseconds, and too many for another history to share by chance.
 */
export const CACHE_WITNESSES_MAX = 1_000

/**
 * Changes worth rewriting the cache for: below {@link CHANGES_KEPT_MAX}, half a second to catch up.
 */
export const CACHE_WRITE_CHANGES_MIN = 20_000

/** Pause between two writes of a cache: writing gigabytes wears out disks. */
export const CACHE_WRITE_PAUSE_MS = 300_000

/** Changes after which no pause applies, so that the cache can always be caught up. */
export const CACHE_WRITE_CHANGES_MAX = 100_000

/** Retry interval for writing the cache of a file that is being written to. */
export const CACHE_WRITE_RETRY_MS = 10_000

/**
 * Bytes per row for the precomputed rows of the commonest short search terms: a set of them takes
 * an eighth of a byte a row, so 128 terms.
 */
export const TEXT_COMMON_ROW_BYTES = 16

/**
 * Bytes from which shared memory has pages of its own: on average half a page is left over. The
 * kernel allows a process 65,530 mappings, which are then about 16 GiB or more.
 */
export const PAGED_BYTES_MIN = 262_144

/**
 * Bytes of arrays that share one buffer: the arrays of a small segment except its largest, and few
 * enough that no array keeps others from being freed for long.
 */
export const ARENA_BYTES_MAX = 1_048_576

/**
 * Bytes of released shared memory after which a thread collects its garbage: a dozen small
 * workspaces, whose loading takes many times the ten milliseconds of a collection.
 */
export const GARBAGE_BYTES_MAX = 33_554_432

/** Results of a match when the caller names no limit (docs/contract.md, "Limits"). */
export const MATCH_LIMIT_DEFAULT = 10

/** Results of a match at most; a larger `limit` is refused (docs/contract.md, "Limits"). */
export const MATCH_LIMIT_MAX = 50

/** Decimals of a score: finer steps than a rank needs, and integers during its computation. */
export const MATCH_SCORE_DECIMALS = 4

/** The best score, 1, in its smallest step. */
export const MATCH_SCORE_MAX = 10_000

/** Default `threshold` of a match: 0.6 (docs/contract.md, "Limits"). */
export const MATCH_THRESHOLD_DEFAULT = 6_000

/** Least code points of a reference to match (docs/contract.md, "Limits"). */
export const MATCH_CODE_POINTS_MIN = 2

/** Most code points of a reference to match (docs/contract.md, "Limits"). */
export const MATCH_CODE_POINTS_MAX = 256

/** Least letters and digits of a normalized reference (docs/contract.md, "Limits"). */
export const MATCH_CHARACTERS_MIN = 2

/** Most tokens of a normalized reference (docs/contract.md, "Limits"). */
export const MATCH_TOKENS_MAX = 24

/** The newest rows that a match compares, after all filters (docs/contract.md, "Limits"). */
export const MATCH_WINDOW_ROWS_MAX = 100_000

/** Execution budget of a match, waiting included (docs/contract/match.md, "Match budget"). */
export const MATCH_BUDGET_MS_DEFAULT = 1_000

/** The longest `--match-budget-ms`: a client that waits longer has given up by itself. */
export const MATCH_BUDGET_MS_MAX = 60_000

/**
 * Rows of a window that are scored on the thread that answers: a millisecond or two at worst, where
 * a call to another thread takes a tenth of one.
 */
export const MATCH_HERE_ROWS_MAX = 256

/**
 * Codes of such a window, times those of the reference, that are scored there: those of 256 usual
 * rows. 256 purposes of 10,000 equal digits would block all other requests for seconds.
 */
export const MATCH_HERE_CELLS_MAX = 2_000_000

/**
 * Time that explaining the results of one match may take before other requests run: as long as a
 * list may take. An explanation of a usual row takes a hundredth of it.
 */
export const MATCH_EXPLAINING_MS_MAX = 5

/** Rows of a window that a thread scores before it takes the next: a millisecond or so. */
export const MATCH_BLOCK_ROWS = 4_096

/** Threads that score matches, by default at most: more gain little on a window of this size. */
export const MATCH_THREADS_DEFAULT_MAX = 4

/** The largest number of threads to score matches that can be set. */
export const MATCH_THREADS_MAX = 64

/**
 * Matches of one credential that wait for their turn; a further one would pass its deadline anyway,
 * even with all threads for itself, and is answered 503 at once.
 */
export const MATCH_WAITING_MAX = 400

/**
 * Rows from which on a segment has a trigram index, 128 bytes a row: comparing all of fewer rows
 * takes a millisecond.
 */
export const MATCH_GRAMS_ROWS_MIN = 1_024

assert(LIST_LIMIT_DEFAULT <= LIST_LIMIT_MAX)
assert(CUSTOM_SCHEMA_BYTES_MAX * 3 < TARGET_BYTES_MAX, 'a fully percent-encoded customSchema fits')
assert(10 ** AMOUNT_DIGITS_MAX < Number.MAX_SAFE_INTEGER)
assert(DEMO_TRANSACTIONS_DEFAULT <= DEMO_TRANSACTIONS_MAX)
assert(FIELD_CODE_POINTS_MAX <= STATEMENT_LINE_CHARS_MAX)
assert(HEAD_MS_MAX <= REQUEST_MS_MAX)

assert(STATEMENT_HEAD_BYTES <= STATEMENT_JUDGED_BYTES)
assert(STATEMENT_LINE_CHARS_MAX <= STATEMENT_ENTRY_CHARS_MAX)

assert(TIMEOUT_CHECK_MS < HEAD_MS_MAX)
assert(CACHE_WRITE_CHANGES_MIN <= CACHE_WRITE_CHANGES_MAX)
assert(WATCH_INTERVAL_MS + FOLLOW_REST_MS_MAX <= 250, 'a change is shown within 300 ms')
assert(
  CACHE_WRITE_CHANGES_MAX * 2 <= CHANGES_KEPT_MAX,
  'a copy is written before it is out of reach',
)

assert(MATCH_LIMIT_DEFAULT <= MATCH_LIMIT_MAX)
assert(MATCH_SCORE_MAX === 10 ** MATCH_SCORE_DECIMALS)
assert(MATCH_THRESHOLD_DEFAULT <= MATCH_SCORE_MAX)
assert(MATCH_BUDGET_MS_DEFAULT <= MATCH_BUDGET_MS_MAX)
assert(MATCH_THREADS_DEFAULT_MAX <= MATCH_THREADS_MAX)
assert(MATCH_WINDOW_ROWS_MAX <= 2 ** 17, 'a position of the window fits into the key of a hit')
assert(MERGED_ROWS_MAX <= INDEXED_AT_ONCE_ROWS_MAX, 'what a change may merge has its indexes')
