import type { EpochMs } from '../instant.js'
import { type AuditRow, insertAuditRow } from '../store/audit-rows.js'
import {
  countFingerprints,
  countRefusal,
  deleteRefusalsBefore,
  hasRefusal,
  listRefusalsBefore,
  type RefusalRow,
} from '../store/refusal-rows.js'
import { count, type Work } from '../store/work.js'

/** Similar refusals of a minute that are each written in full; further ones are counted. */
export const REFUSALS_LOGGED_MAX = 10

/** Refreshes of a grant in an hour that are written in full: a program may refresh every second. */
const REFRESHES_LOGGED_MAX = 1

/**
 * Fingerprints of refusals in a minute before addresses no longer distinguish them: with the rows
 * of each, the audit log grows by some 300 MB a day under the worst attack.
 */
export const REFUSAL_FINGERPRINTS_MAX = 100

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** The audit row of a refusal without its sequence number, time and request. */
type RefusedEvent = Omit<AuditRow, 'sequence' | 'at' | 'requestId'>

/**
 * Writes a refusal of a caller from the network. Unknown callers may be refused any number of
 * times: of similar refusals within a minute, the first ten are written one by one and the others
 * counted; {@link flushRefusals} writes the counts. When a minute has very many different ones,
 * those that differ only in address and subject count as similar.
 */
export function* appendRefusal(row: Omit<AuditRow, 'sequence'>): Work<void> {
  const { at, requestId: _own, ...refused } = row
  const minute = Math.floor(at / MINUTE_MS)
  yield* count(row.action)
  const exactly = { minute, fingerprint: JSON.stringify(refused) }
  const roughly = JSON.stringify({ ...refused, fromAddress: null, subject: null })
  const isExact = yield* hasRoom(exactly)
  const times = yield* countRefusal(isExact ? exactly : { minute, fingerprint: roughly })
  if (times <= REFUSALS_LOGGED_MAX) yield* insertAuditRow(row)
}

/** Whether a refusal is counted by its own fingerprint. */
function* hasRoom(refusal: Pick<RefusalRow, 'minute' | 'fingerprint'>): Work<boolean> {
  if (yield* hasRefusal(refusal)) return true
  return (yield* countFingerprints(refusal.minute)) < REFUSAL_FINGERPRINTS_MAX
}

/**
 * Writes an action of an unauthenticated caller: registering a client, and evicting another by it.
 * Of an integration the first ten of a minute are written one by one and the others counted, from
 * any address: a client that gets an operator's consent is recorded then.
 */
export function* appendAnonymous(row: Omit<AuditRow, 'sequence'>): Work<void> {
  const { at, requestId: _own, ...done } = row
  const fingerprint = JSON.stringify({ ...done, fromAddress: null, subject: null, detail: null })
  const times = yield* countRefusal({ minute: Math.floor(at / MINUTE_MS), fingerprint })
  if (times <= REFUSALS_LOGGED_MAX) yield* insertAuditRow(row)
}

/**
 * Writes that a client has refreshed its tokens. The first time of an hour is written at once, and
 * the count of the others when the hour is over: by grant, and by address unless very many are
 * similar.
 */
export function* appendRefresh(row: Omit<AuditRow, 'sequence'>): Work<void> {
  const { at, requestId: _own, ...done } = row
  const minute = (Math.floor(at / HOUR_MS) + 1) * 60 - 1
  const exactly = { minute, fingerprint: JSON.stringify(done) }
  const roughly = JSON.stringify({ ...done, fromAddress: null })
  const isExact = yield* hasRoom(exactly)
  const times = yield* countRefusal(isExact ? exactly : { minute, fingerprint: roughly })
  if (times <= REFRESHES_LOGGED_MAX) yield* insertAuditRow(row)
}

/**
 * Writes to the audit log how many more events of each kind were refused, for the minutes that are
 * over, and refreshes for the hours: one row each, `further` in its detail.
 */
export function* flushRefusals(nowMs: EpochMs): Work<void> {
  const minute = Math.floor(nowMs / MINUTE_MS)
  for (const row of yield* listRefusalsBefore(minute)) yield* flushRefusal(row)
  yield* deleteRefusalsBefore(minute)
}

/** Whether there are counts to write: mostly none, and every connection notices a write. */
export function* hasRefusalsToFlush(nowMs: EpochMs): Work<boolean> {
  return (yield* listRefusalsBefore(Math.floor(nowMs / MINUTE_MS))).length > 0
}

function* flushRefusal({ minute, fingerprint, times }: RefusalRow): Work<void> {
  // As written by appendRefusal or appendRefresh.
  const refused = JSON.parse(fingerprint) as RefusedEvent
  const isRefresh = refused.action === 'token.refresh' && refused.outcome === 'ok'
  const further = times - (isRefresh ? REFRESHES_LOGGED_MAX : REFUSALS_LOGGED_MAX)
  if (further <= 0) return
  const detail = { ...(JSON.parse(refused.detail ?? '{}') as object), further }
  const at = (minute + 1) * MINUTE_MS
  yield* insertAuditRow({ ...refused, at, requestId: null, detail: JSON.stringify(detail) })
}
