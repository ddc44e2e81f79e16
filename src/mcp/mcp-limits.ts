import { strict as assert } from 'node:assert'

/**
 * Bytes of a request to an MCP endpoint. The longest sensible call of a tool, with every parameter
 * at its longest, is a few kB; a client's description of itself comes on top.
 */
export const MCP_BODY_BYTES_MAX = 65_536

/**
 * Characters of the field names that a browser lists in a preflight. An MCP client sends about a
 * dozen fields of its own.
 */
export const CORS_FIELD_NAMES_CHARS_MAX = 1_024

/**
 * Messages in one body, which may hold several before revision 2025-06-18. Clients send one or two;
 * each is one of its credential's requests, and all of them are answered at once.
 */
export const MCP_BODY_MESSAGES_MAX = 10

/** Tokens of one answer: agents refuse more than 25,000, and their counts differ. */
const ANSWER_TOKENS_DEFAULT = 20_000

/**
 * Characters that make a token, counted as UTF-16 units of the answer's JSON. Prose has four and
 * more; JSON of ids, amounts and German texts has about three.
 */
const CHARS_PER_TOKEN = 3

/** Characters of one answer unless `--mcp-answer-chars` says otherwise. */
export const ANSWER_CHARS_DEFAULT = ANSWER_TOKENS_DEFAULT * CHARS_PER_TOKEN

/**
 * The smallest `--mcp-answer-chars`: fits a transaction with all its fields and its texts cut, and
 * sums in {@link SUM_CURRENCIES_MAX} currencies.
 */
export const ANSWER_CHARS_MIN = 10_000

/** The largest `--mcp-answer-chars`: more than the longest page of usual transactions. */
export const ANSWER_CHARS_MAX = 1_000_000

/** Items of an answer that are read in one tick of the event loop: a third of a millisecond. */
export const ITEMS_AT_ONCE_MAX = 50

/** Currencies that an answer has sums of, the most frequent ones: more than any company uses. */
export const SUM_CURRENCIES_MAX = 20

/**
 * Code points that texts of a transaction are cut to, one after the other until it fits into an
 * answer by itself: a long purpose mostly survives the first.
 */
export const SHORTENED_CODE_POINTS: readonly number[] = [4_000, 1_000, 250, 60, 20]

assert(ANSWER_CHARS_MIN <= ANSWER_CHARS_DEFAULT)
assert(ANSWER_CHARS_DEFAULT <= ANSWER_CHARS_MAX)
