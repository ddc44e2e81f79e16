// The bounds of credentials; `limits.ts` has all others.

import { strict as assert } from 'node:assert'

/** Code points of a name that a person reads: of a key, an integration, a client, an operator. */
export const NAME_CODE_POINTS_MAX = 200

/**
 * Life of an authorization code unless its integration says otherwise
 * (docs/contract/credentials.md, "Token lifetimes").
 */
export const CODE_MS_DEFAULT = 60_000

/** Life of an access token, likewise. */
export const ACCESS_TOKEN_MS_DEFAULT = 900_000

/** Life of a refresh token that is not used, likewise: 30 days. */
export const REFRESH_TOKEN_MS_DEFAULT = 2_592_000_000

/** The longest life of a code: RFC 6749, 4.1.2 recommends no more than ten minutes. */
export const CODE_MS_MAX = 600_000

/** The longest life of an access token: a stolen one is valid for a day at most. */
export const ACCESS_TOKEN_MS_MAX = 86_400_000

/** The longest life of an unused refresh token: a year and a month, for yearly jobs. */
export const REFRESH_TOKEN_MS_MAX = 34_214_400_000

/** Life of an operator's session: a working day (dashboard and consent alike). */
export const SESSION_MS = 43_200_000

/** How long a rotated key works after its successor was created, by default: a day. */
export const KEY_OVERLAP_MS_DEFAULT = 86_400_000

/** The longest overlap: a quarter of a year, past which it is no rotation. */
export const KEY_OVERLAP_MS_MAX = 7_776_000_000

/** Addresses and networks that a key's list may hold: each is compared on every request. */
export const IP_ALLOW_MAX = 64

/** Redirect URIs of one client: platforms times environments, with room to spare. */
export const REDIRECT_URIS_MAX = 20

/** Characters of a redirect URI: the length that browsers and proxies reliably pass on. */
export const REDIRECT_URI_CHARS_MAX = 2_048

/** Least code points of an operator's password (NIST SP 800-63B, 3.1.1.2). */
export const PASSWORD_CODE_POINTS_MIN = 8

/** UTF-8 bytes of an operator's password: longer than any phrase, short enough to hash. */
export const PASSWORD_BYTES_MAX = 1_024

/**
 * scrypt's N, r and p: 32 MB and some 230 ms of CPU time a guess (OWASP, "Password Storage": 2^15,
 * 8, 3).
 */
export const SCRYPT_COST = { N: 32_768, r: 8, p: 3 } as const

/** Memory that one scrypt may take: a little more than the 128 N r bytes it needs. */
export const SCRYPT_MEMORY_BYTES_MAX = 67_108_864

/** Access tokens whose access is cached: 15 MB; past it all are looked up again. */
export const ACCESS_TOKENS_KNOWN_MAX = 10_000

/**
 * Page cache of a control.db connection: the pages of a hundred thousand live tokens, whose hashes
 * are scattered; with SQLite's default a look-up takes half as long again.
 */
export const CONTROL_CACHE_KIB = 64_000

/**
 * Interval between fsyncs of the WAL of control.db while it is written: a power failure loses at
 * most the commits of that time, programs' revocations included.
 */
export const CHECKPOINT_INTERVAL_MS = 1_000

/**
 * Pages of that WAL (4 KB each) past which token requests wait while it is checkpointed completely,
 * some tens of milliseconds: 700 refreshes a second without a pause write as many in four seconds.
 */
export const WAL_PAGES_MAX = 32_768

/**
 * Pages of that WAL that are fsynced and not yet in the file: pages rewritten often, the ends of
 * indexes above all, are copied once, and reading 64 MB takes a fraction of a second should the
 * service be killed.
 */
export const WAL_LEFT_PAGES_MAX = 16_384

/** The longest such wait: on a stalling disk the WAL keeps growing instead. */
export const CONTROL_HOLD_MS_MAX = 500

/** Idle life of the checkpoint thread: outlasts the pauses between occasional token requests. */
export const IDLE_CHECKPOINT_THREAD_MS = 10_000

/** Interval between writes of last uses and sweeps of expired rows. */
export const CONTROL_UPKEEP_MS = 60_000

/**
 * Rows of each kind that one sweep of expired ones removes: a millisecond or two, three when
 * families are among them. Hashes are scattered: a sweep of a thousand took sixty.
 */
export const SWEEP_ROWS_MAX = 50

/** Pause between two sweeps while rows are left: requests run in between, 1,000 rows a second. */
export const SWEEP_PAUSE_MS = 50

/** Lines of `kontor audit` by default: a few screens. */
export const AUDIT_LINES_DEFAULT = 100

/** Lines of `kontor audit` at most: more are better read with SQL. */
export const AUDIT_LINES_MAX = 1_000_000

/** Characters of a text in the audit log; longer ones, a caller's above all, are cut. */
export const AUDIT_TEXT_CHARS_MAX = 500

/** Similar refusals of a minute that are each written in full; further ones are counted. */
export const REFUSALS_TOLD_MAX = 10

/** Refreshes of a grant in an hour that are written in full: a program may refresh every second. */
export const REFRESHES_TOLD_MAX = 1

/**
 * Fingerprints of refusals in a minute before addresses no longer distinguish them: with the rows
 * of each, the audit log grows by some 300 MB a day under the worst attack.
 */
export const REFUSAL_FINGERPRINTS_MAX = 100

/** Bytes of a form or a registration: a dozen redirect URIs, and a hundred times a token. */
export const OAUTH_BODY_BYTES_MAX = 16_384

/** Characters of `state`, in which some clients keep a whole URL; it is sent in a URL twice. */
export const STATE_CHARS_MAX = 2_048

/**
 * Requests a minute from one address to token, revocation and authorization endpoints: behind a
 * proxy all callers share one address, and ten a second keep nine thousand programs in tokens.
 */
export const ISSUER_REQUESTS_PER_MINUTE_MAX = 600

/** Registrations a minute from one address: a program registers once. */
export const REGISTRATIONS_PER_MINUTE_MAX = 20

/** Self-registered clients of one integration: one for each installation. */
export const DYNAMIC_CLIENTS_MAX = 1_000

/** How long a self-registered client without a consent is kept. */
export const DYNAMIC_CLIENT_UNUSED_MS = 86_400_000

/**
 * The same when a new client needs its place: a person who has just connected a program signs in
 * and decides within ten minutes.
 */
export const DYNAMIC_CLIENT_KEPT_MS = 600_000

/** Redirect URIs of a registration that the audit log lists; it has the count of all. */
export const REGISTERED_URIS_TOLD_MAX = 3

/** Accounts that a consent page lists; a longer list would not be read. */
export const CONSENT_ACCOUNTS_MAX = 20

/** Concurrent password verifications: each takes 32 MB and a thread of the pool. */
export const SIGN_INS_AT_ONCE_MAX = 3

/** The same for known browsers: of Node's four threads, the one that unknown browsers leave. */
export const KNOWN_SIGN_INS_AT_ONCE_MAX = 1

/** How long a browser is known after a sign-in: half a year, for occasional users. */
export const KNOWN_BROWSER_MS = 15_552_000_000

/** Failed sign-ins with one name before the next is delayed: a person's typing errors. */
export const SIGN_IN_NAME_FAILURES_FREE = 5

/** The same from one address, which all callers share behind a proxy. */
export const SIGN_IN_ADDRESS_FAILURES_FREE = 20

/**
 * The longest delay: some thousand guesses a day. The first request after it has the next attempt,
 * so an attacker that keeps asking can lock the owner of a name out, but not from a browser in
 * which the owner has signed in.
 */
export const SIGN_IN_DELAY_MS_MAX = 60_000

/** How long a failed sign-in is remembered. */
export const SIGN_IN_MEMORY_MS = 3_600_000

/** Names and addresses whose failures are remembered, of each; past it the oldest is dropped. */
export const SIGN_IN_KEYS_MAX = 10_000

/** How long `kontor doctor` waits for one answer: a user gives up no later. */
export const DOCTOR_ANSWER_MS_MAX = 10_000

/** Bytes that it reads of an answer: ten times the longest answer of a tool to an agent. */
export const DOCTOR_BODY_BYTES_MAX = 1_000_000

/** Characters that it shows of an answer: enough to identify the page's origin. */
export const DOCTOR_SHOWN_CHARS_MAX = 200

/** Life of the key that it creates for itself, should it end before revoking it: one run. */
export const DOCTOR_KEY_MS = 300_000

/** The largest accepted difference of two clocks: a code lives no longer. */
export const CLOCK_DIFFERENCE_MS_MAX = 60_000

assert(CODE_MS_DEFAULT <= CODE_MS_MAX)
assert(ACCESS_TOKEN_MS_DEFAULT <= ACCESS_TOKEN_MS_MAX)
assert(REFRESH_TOKEN_MS_DEFAULT <= REFRESH_TOKEN_MS_MAX)
assert(ACCESS_TOKEN_MS_MAX < REFRESH_TOKEN_MS_DEFAULT, 'what renews outlives what it renews')
assert(KEY_OVERLAP_MS_DEFAULT <= KEY_OVERLAP_MS_MAX)
assert(128 * SCRYPT_COST.N * SCRYPT_COST.r < SCRYPT_MEMORY_BYTES_MAX)
assert(SWEEP_PAUSE_MS < CONTROL_UPKEEP_MS)
assert(CHECKPOINT_INTERVAL_MS < IDLE_CHECKPOINT_THREAD_MS, 'a busy service starts no threads')
assert(WAL_LEFT_PAGES_MAX < WAL_PAGES_MAX, 'who is held waits for little')
assert(AUDIT_LINES_DEFAULT <= AUDIT_LINES_MAX)
assert(CLOCK_DIFFERENCE_MS_MAX <= CODE_MS_DEFAULT)
assert(DYNAMIC_CLIENT_KEPT_MS < DYNAMIC_CLIENT_UNUSED_MS)
assert(SESSION_MS < KNOWN_BROWSER_MS, 'a browser is known when its session is over')
assert(SIGN_IN_DELAY_MS_MAX < SIGN_IN_MEMORY_MS, 'nobody is forgotten while waiting')

/**
 * Time from one token request to the next: reads run in between, however many ask for tokens. The
 * 450 or so a second that remain are four times the refreshes of 100,000 tokens of a quarter of an
 * hour.
 */
export const TOKEN_REST_MS = 2
