import { strict as assert } from 'node:assert'

/**
 * Characters of log lines that wait for a slow reader of stderr, and as many again for warnings and
 * errors: some 4,000 lines of the access log. Further ones are dropped and counted.
 */
export const LOG_BUFFER_CHARS_MAX = 1_048_576

/**
 * Characters that are written at once rather than after a rest: a pipe accepts as many in one
 * write.
 */
export const LOG_WRITE_CHARS = 16_384

/** Rest between two writes of the log, in which the lines of many requests are joined. */
export const LOG_REST_MS = 10

/** Time that the end of the process waits for the reader of its log. */
export const LOG_END_MS_MAX = 1_000

assert(LOG_WRITE_CHARS < LOG_BUFFER_CHARS_MAX)
