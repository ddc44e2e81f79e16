// The bounds of credentials: what `limits.ts` is for everything else.

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

/** The longest life of an access token: a day is what a stolen one may be good for. */
export const ACCESS_TOKEN_MS_MAX = 86_400_000

/** The longest life of an unused refresh token: a year and a month, for what runs once a year. */
export const REFRESH_TOKEN_MS_MAX = 34_214_400_000

/** Life of an operator's session: a working day (dashboard and consent alike). */
export const SESSION_MS = 43_200_000

/** How long a rotated key works beside its successor unless told otherwise: a day. */
export const KEY_OVERLAP_MS_DEFAULT = 86_400_000

/** The longest overlap: a quarter of a year, past which it is no rotation. */
export const KEY_OVERLAP_MS_MAX = 7_776_000_000

/** Addresses and networks that a key's list may hold: each is compared on every request. */
export const IP_ALLOW_MAX = 64

/** Redirect URIs of one client: platforms times environments, and then some. */
export const REDIRECT_URIS_MAX = 20

/** Characters of a redirect URI: what browsers and proxies pass on without question. */
export const REDIRECT_URI_CHARS_MAX = 2_048

/** Code points of an operator's password, at least (NIST SP 800-63B, 3.1.1.2). */
export const PASSWORD_CODE_POINTS_MIN = 8

/** UTF-8 bytes of an operator's password: longer than any phrase, short enough to hash. */
export const PASSWORD_BYTES_MAX = 1_024

/** scrypt's N, r and p: 32 MB and some 80 ms a guess (OWASP, "Password Storage": 2^15, 8, 3). */
export const SCRYPT_COST = { N: 32_768, r: 8, p: 3 } as const

/** Memory that one scrypt may take: a little more than the 128 N r bytes it needs. */
export const SCRYPT_MEMORY_BYTES_MAX = 67_108_864

/** Access tokens whose access is kept in memory: 15 MB; past it all are looked up anew. */
export const ACCESS_TOKENS_KNOWN_MAX = 10_000

/**
 * Pages of control.db that SQLite keeps: those of a hundred thousand live tokens, whose hashes lie
 * anywhere; with its default a look-up takes half as long again.
 */
export const CONTROL_CACHE_KIB = 64_000

/**
 * How often the WAL of control.db is fsynced while it is written: what a power cut
 * may undo, revocations by programs among it, is then no older.
 */
export const CHECKPOINT_INTERVAL_MS = 1_000

/**
 * Pages of that log (4 KB each) past which those who ask for tokens wait while it is moved whole,
 * some tens of milliseconds: 700 refreshes a second without a pause write so much in four seconds.
 */
export const WAL_PAGES_MAX = 32_768

/**
 * Pages of that log which are on the disk and not in the file yet: what is written again and again,
 * the ends of indexes above all, is moved once, and 64 MB are read through in a fraction of a
 * second should the service be killed.
 */
export const WAL_LEFT_PAGES_MAX = 16_384

/** How long they wait at most: on a disk that stalls the log goes on growing instead. */
export const CONTROL_HOLD_MS_MAX = 500

/** How long the checkpoint thread stays: as long as tokens are asked for now and then. */
export const IDLE_CHECKPOINT_THREAD_MS = 10_000

/** How often last uses are written and what has expired is removed. */
export const CONTROL_UPKEEP_MS = 60_000

/**
 * Rows of each kind that one sweep of expired ones removes: a millisecond or two, three when
 * families are among them. Hashes lie anywhere: of a thousand it was sixty.
 */
export const SWEEP_ROWS_MAX = 50

/** Time between two sweeps while more has expired: requests get their turn, 1,000 rows a second. */
export const SWEEP_PAUSE_MS = 50

/** Lines of `kontor audit` unless told otherwise: a few screens. */
export const AUDIT_LINES_DEFAULT = 100

/** Lines of `kontor audit` at most: more is a matter for SQL. */
export const AUDIT_LINES_MAX = 1_000_000

/** Characters of a text in the audit log; longer ones, a caller's above all, are cut. */
export const AUDIT_TEXT_CHARS_MAX = 500

/** Refusals of a minute that are alike and are each told in full; more of them are counted. */
export const REFUSALS_TOLD_MAX = 10

/** Refreshes of a grant in an hour that are told in full: a program may refresh every second. */
export const REFRESHES_TOLD_MAX = 1

/**
 * Fingerprints of refusals that a minute may have before addresses no longer tell them apart: with
 * what is told of each, the audit log grows by some 300 MB a day under the worst attack.
 */
export const REFUSAL_FINGERPRINTS_MAX = 100

/** Bytes of a form or a registration: a dozen redirect URIs, and a hundred times a token. */
export const OAUTH_BODY_BYTES_MAX = 16_384

/** Characters of `state`, which some clients keep a whole URL in; it travels in a URL twice. */
export const STATE_CHARS_MAX = 2_048

/**
 * Requests a minute from one address to token, revocation and authorization endpoints: behind a
 * proxy everybody has one address, and ten a second keep nine thousand programs in access tokens.
 */
export const ISSUER_REQUESTS_PER_MINUTE_MAX = 600

/** Registrations a minute from one address: a program registers once. */
export const REGISTRATIONS_PER_MINUTE_MAX = 20

/** Clients that may have registered themselves with one integration: one for each installation. */
export const DYNAMIC_CLIENTS_MAX = 1_000

/** How long a client that has registered itself and was never consented to keeps its place. */
export const DYNAMIC_CLIENT_UNUSED_MS = 86_400_000

/**
 * The same where a new client needs the place: a person who has just connected a program signs in
 * and decides within ten minutes.
 */
export const DYNAMIC_CLIENT_KEPT_MS = 600_000

/** Redirect URIs of a registration that the audit log names; it has the number of all. */
export const REGISTERED_URIS_TOLD_MAX = 3

/** Accounts that a consent page lists; more of them nobody reads. */
export const CONSENT_ACCOUNTS_MAX = 20

/** Sign-ins whose password is being looked at: each takes 32 MB and a thread of the pool. */
export const SIGN_INS_AT_ONCE_MAX = 3

/** The same from browsers that are known: the thread of Node's four that strangers leave. */
export const KNOWN_SIGN_INS_AT_ONCE_MAX = 1

/** How long a browser is known after a sign-in: half a year, for whoever looks in at times. */
export const KNOWN_BROWSER_MS = 15_552_000_000

/** Failed sign-ins with one name before the next has to wait: slips of a person's fingers. */
export const SIGN_IN_NAME_FAILURES_FREE = 5

/** The same from one address, which behind a proxy is everybody's. */
export const SIGN_IN_ADDRESS_FAILURES_FREE = 20

/**
 * The longest wait: some thousand guesses a day. Who asks first when it is over has the next
 * attempt, so a stranger may keep the owner of a name out as long as it goes on asking, but not
 * from a browser in which the owner has signed in.
 */
export const SIGN_IN_DELAY_MS_MAX = 60_000

/** How long a failed sign-in is remembered. */
export const SIGN_IN_MEMORY_MS = 3_600_000

/** Names and addresses whose failures are remembered, of each; past it the oldest is forgotten. */
export const SIGN_IN_KEYS_MAX = 10_000

/** How long `kontor doctor` waits for one answer: past it a person has given up as well. */
export const DOCTOR_ANSWER_MS_MAX = 10_000

/** Bytes of an answer that it reads: ten times what a tool may answer an agent. */
export const DOCTOR_BODY_BYTES_MAX = 1_000_000

/** Characters of an answer that it shows: enough to tell whose page it is. */
export const DOCTOR_SHOWN_CHARS_MAX = 200

/** Life of the key that it makes for itself, should nobody be left to revoke it: one walk. */
export const DOCTOR_KEY_MS = 300_000

/** By how much two clocks may differ: a code lives no longer. */
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
 * From one token request to the next: reads come between, however many ask for tokens. The 450 or
 * so a second that are left are four times what 100,000 tokens of a quarter of an hour need.
 */
export const TOKEN_REST_MS = 2
