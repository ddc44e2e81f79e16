// Limits visible to a caller or an operator. Other constants are in the code that uses them.

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

/** Accounts that `accountIds` names at most (docs/extensions/filters.md, "Accounts"). */
export const ACCOUNT_IDS_MAX = 50

/** Code points of one search text (docs/contract/lists.md, "Free-text search"). */
export const SEARCH_CODE_POINTS_MAX = 256

/** Terms of one search text (docs/contract/lists.md, "Free-text search"). */
export const SEARCH_TERMS_MAX = 32

/** Code points of a text that suggestions are asked for (docs/extensions.md, "Suggestions"). */
export const SUGGESTION_CODE_POINTS_MAX = 64

/** Suggestions when the caller names no limit (docs/extensions.md, "Suggestions"). */
export const SUGGESTION_LIMIT_DEFAULT = 8

/** Suggestions that an answer holds at most (docs/extensions.md, "Suggestions"). */
export const SUGGESTION_LIMIT_MAX = 20

/** Attributes one customSchema may name (docs/contract/lists.md, "Custom schema"). */
export const CUSTOM_SCHEMA_ENTRIES_MAX = 64

/** Segments of one customSchema path (docs/contract/lists.md, "Custom schema"). */
export const CUSTOM_SCHEMA_LEVELS_MAX = 8

/** Fields that one summary groups by (docs/extensions/sums.md, "Parameters"). */
export const GROUP_FIELDS_MAX = 2

/** UTF-8 bytes of one customSchema text (docs/contract/lists.md, "Custom schema"). */
export const CUSTOM_SCHEMA_BYTES_MAX = 4_096

/**
 * Digits of an amount: a double holds every integer of 15 digits exactly
 * (docs/contract/resources.md, "Values").
 */
export const AMOUNT_DIGITS_MAX = 15

/** Decimals of an amount; bank files carry up to five (docs/contract/resources.md, "Values"). */
export const AMOUNT_SCALE_MAX = 5

/**
 * Longest `wait` for a change, in seconds: proxies give up on a response after 60, usually
 * (docs/extensions/changes.md).
 */
export const CHANGES_WAIT_SECONDS_MAX = 30

/**
 * Requests of one credential that may wait for changes at a time, before a 503: each keeps a
 * connection open (docs/extensions/changes.md).
 */
export const CHANGES_WAITING_MAX = 2_000

/** Results of a match when the caller names no limit (docs/contract.md, "Limits"). */
export const MATCH_LIMIT_DEFAULT = 10

/** Results of a match at most; a larger `limit` is refused (docs/contract.md, "Limits"). */
export const MATCH_LIMIT_MAX = 50

/**
 * Decimals of a score: finer steps than a rank needs, and integers during its computation
 * (docs/contract/match.md, "Match rules").
 */
export const MATCH_SCORE_DECIMALS = 4

/** The best score, 1, in its smallest step (docs/contract/match.md, "Match rules"). */
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

/**
 * References of one batch match: a run of open invoices (docs/extensions/batch-match.md, "Body").
 */
export const BATCH_QUERIES_MAX = 500

/** Code points of the id of a query of a batch (docs/extensions/batch-match.md, "Body"). */
export const BATCH_ID_CODE_POINTS_MAX = 64

/** Results of a query of a batch without `limit` (docs/extensions/batch-match.md, "Body"). */
export const BATCH_LIMIT_DEFAULT = 3

/** Results of a query of a batch at most (docs/extensions/batch-match.md, "Body"). */
export const BATCH_LIMIT_MAX = 10

/** Bytes of the body of a batch match (docs/extensions/batch-match.md, "Body"). */
export const BATCH_BODY_BYTES_MAX = 262_144

/**
 * Batches of one credential that wait for their turn: a full one takes some tenths of a second, so
 * that a further one would pass its deadline (docs/extensions/batch-match.md, "Budget").
 */
export const BATCH_WAITING_MAX = 8

/** Execution budget of a match, waiting included (docs/contract/match.md, "Match budget"). */
export const MATCH_BUDGET_MS_DEFAULT = 1_000

/** The longest `--match-budget-ms`: a client that waits longer has given up by itself. */
export const MATCH_BUDGET_MS_MAX = 60_000

/**
 * Matches of one credential that wait for their turn; a further one would pass its deadline anyway,
 * even with all threads for itself, and is answered 503 at once (docs/contract/match.md,
 * "Match budget").
 */
export const MATCH_WAITING_MAX = 400

/** Default of `--match-threads` at most: more gain little on a window of this size. */
export const MATCH_THREADS_DEFAULT_MAX = 4

/** The largest `--match-threads`. */
export const MATCH_THREADS_MAX = 64

/**
 * Bytes of a request target (docs/extensions.md, "Replies to any request"). A customSchema of 4,096
 * bytes is up to 12,288 percent-encoded.
 */
export const TARGET_BYTES_MAX = 16_384

/**
 * Bytes of all request fields together, on `node`: the limit of common servers and proxies. Older
 * builds of `uws` have their own: 60 KB read at once, 4 KB when the head arrives in pieces
 * (docs/operating/engines.md, "What differs between the builds").
 */
export const FIELDS_BYTES_MAX = 16_384

/**
 * Request fields, on `node`; browsers send about 20. `uws` answers 48, newer builds 98
 * (docs/operating/engines.md, "What differs between the builds").
 */
export const FIELDS_COUNT_MAX = 100

/** Code points of a request id taken over from a caller (docs/contract.md, "Response headers"). */
export const REQUEST_ID_LENGTH_MAX = 128

/**
 * Time a connection may stay idle: the 10 s that are hard-coded in `uws`, so both engines behave
 * alike (docs/operating/engines.md, "What differs between the builds").
 */
export const IDLE_MS_MAX = 10_000

/**
 * Time a request head may take to arrive; the 10 s of `uws` (docs/extensions.md,
 * "Replies to any request").
 */
export const HEAD_MS_MAX = 10_000

/**
 * Time a whole request may take to arrive: 1 MB, the largest body, at 280 kbit/s
 * (docs/extensions.md, "Replies to any request").
 */
export const REQUEST_MS_MAX = 30_000

/**
 * Time a request waits for its workspace to load before it is asked to retry (docs/extensions.md,
 * "Replies to any request").
 */
export const LOAD_WAIT_MS_MAX = 30_000

/**
 * Requests of one credential that may wait for a workspace at a time, before a 503: those that a
 * busy program sends while it loads, and some megabytes; more would only be late together
 * (docs/extensions.md, "Replies to any request").
 */
export const LOAD_WAITING_MAX = 1_000

/** The largest `--rate-limit`: 16,000 a second, past which it limits nothing worth limiting. */
export const RATE_LIMIT_MAX = 1_000_000

/**
 * Share of the machine's memory for workspaces unless `--memory-budget` says otherwise: the rest is
 * for the program, for a workspace being loaded, and for SQLite's files.
 */
export const MEMORY_SHARE_DEFAULT = 0.7

/** Longest `--offline`: a node without contact may accept a revoked credential for this long. */
export const OFFLINE_MS_MAX = 86_400_000

/** Longest `--drain`: balancers poll every few seconds, and an operator waits for a stop. */
export const DRAIN_MS_MAX = 3_600_000

/**
 * Time that a stop waits for requests in flight, after its drain: container runtimes kill after
 * 10 s (docs/operating/running.md, "Running kontor").
 */
export const STOP_MS_MAX = 9_000

/** Rows of the demo by default (docs/contract/commands.md, "Commands"). */
export const DEMO_TRANSACTIONS_DEFAULT = 20_000

/** The largest `--transactions`: ten times the million the service is measured with. */
export const DEMO_TRANSACTIONS_MAX = 10_000_000

/** Bytes of bank files that a browser may send at once unless `--upload-max` says otherwise. */
export const UPLOAD_BYTES_DEFAULT = 250_000_000

/**
 * Life of an authorization code unless its integration says otherwise
 * (docs/contract/credentials.md, "Token lifetimes").
 */
export const CODE_MS_DEFAULT = 60_000

/** Life of an access token, likewise (docs/contract/credentials.md, "Token lifetimes"). */
export const ACCESS_TOKEN_MS_DEFAULT = 900_000

/** Life of a refresh token that is not used (docs/contract/credentials.md, "Token lifetimes"). */
export const REFRESH_TOKEN_MS_DEFAULT = 2_592_000_000

/** The longest `--code-life`: RFC 6749, 4.1.2 recommends no more than ten minutes. */
export const CODE_MS_MAX = 600_000

/** The longest `--access-life`: a stolen token is valid for a day at most. */
export const ACCESS_TOKEN_MS_MAX = 86_400_000

/** The longest `--refresh-life`: a year and a month, for yearly jobs. */
export const REFRESH_TOKEN_MS_MAX = 34_214_400_000

/**
 * Characters of one answer to an agent unless `--mcp-answer-chars` says otherwise: 20,000 tokens,
 * because agents refuse more than 25,000 and their counts differ. Characters are UTF-16 units of
 * the answer's JSON; prose has four and more a token, JSON of ids, amounts and German texts three.
 */
export const ANSWER_CHARS_DEFAULT = 20_000 * 3

/**
 * The smallest `--mcp-answer-chars`: fits a transaction with all its fields and its texts cut, and
 * sums in twenty currencies.
 */
export const ANSWER_CHARS_MIN = 10_000

/** The largest `--mcp-answer-chars`: more than the longest page of usual transactions. */
export const ANSWER_CHARS_MAX = 1_000_000

/**
 * Accounts that one file creates without `--many-accounts`: more than a group of companies has, and
 * few enough for every page that lists them.
 */
export const NEW_ACCOUNTS_MAX = 1_000

assert(LIST_LIMIT_DEFAULT <= LIST_LIMIT_MAX)
assert(CUSTOM_SCHEMA_BYTES_MAX * 3 < TARGET_BYTES_MAX, 'a fully percent-encoded customSchema fits')
assert(10 ** AMOUNT_DIGITS_MAX < Number.MAX_SAFE_INTEGER)
assert(MATCH_LIMIT_DEFAULT <= MATCH_LIMIT_MAX)
assert(BATCH_LIMIT_DEFAULT <= BATCH_LIMIT_MAX)
assert(BATCH_LIMIT_MAX <= MATCH_LIMIT_MAX)
assert(MATCH_SCORE_MAX === 10 ** MATCH_SCORE_DECIMALS)
assert(MATCH_THRESHOLD_DEFAULT <= MATCH_SCORE_MAX)
assert(MATCH_WINDOW_ROWS_MAX <= 2 ** 17, 'a position of the window fits into the key of a hit')
assert(MATCH_BUDGET_MS_DEFAULT <= MATCH_BUDGET_MS_MAX)
assert(MATCH_THREADS_DEFAULT_MAX <= MATCH_THREADS_MAX)
assert(HEAD_MS_MAX <= REQUEST_MS_MAX)
assert(DEMO_TRANSACTIONS_DEFAULT <= DEMO_TRANSACTIONS_MAX)
assert(CODE_MS_DEFAULT <= CODE_MS_MAX)
assert(ACCESS_TOKEN_MS_DEFAULT <= ACCESS_TOKEN_MS_MAX)
assert(REFRESH_TOKEN_MS_DEFAULT <= REFRESH_TOKEN_MS_MAX)
assert(ACCESS_TOKEN_MS_MAX < REFRESH_TOKEN_MS_DEFAULT, 'a refresh token outlives its access token')
assert(ANSWER_CHARS_MIN <= ANSWER_CHARS_DEFAULT)
assert(ANSWER_CHARS_DEFAULT <= ANSWER_CHARS_MAX)
