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
import type { ControlFile } from '../store/sqlite/control-file.js'

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
 * @throws StoreError
 */
export function appendRefusal(control: ControlFile, row: Omit<AuditRow, 'sequence'>): void {
  const { at, requestId: _own, ...refused } = row
  const minute = Math.floor(at / MINUTE_MS)
  control.refusalCounts.set(row.action, (control.refusalCounts.get(row.action) ?? 0) + 1)
  control.atomically(() => {
    const exactly = { minute, fingerprint: JSON.stringify(refused) }
    const isRoom =
      hasRefusal(control, exactly) || countFingerprints(control, minute) < REFUSAL_FINGERPRINTS_MAX
    const roughly = JSON.stringify({ ...refused, fromAddress: null, subject: null })
    const times = countRefusal(control, isRoom ? exactly : { minute, fingerprint: roughly })
    if (times <= REFUSALS_LOGGED_MAX) insertAuditRow(control, row)
  })
}

/**
 * Writes an action of an unauthenticated caller: registering a client, and evicting another by it.
 * Of an integration the first ten of a minute are written one by one and the others counted, from
 * any address: a client that gets an operator's consent is recorded then.
 * @throws StoreError
 */
export function appendAnonymous(control: ControlFile, row: Omit<AuditRow, 'sequence'>): void {
  const { at, requestId: _own, ...done } = row
  const fingerprint = JSON.stringify({ ...done, fromAddress: null, subject: null, detail: null })
  control.atomically(() => {
    const times = countRefusal(control, { minute: Math.floor(at / MINUTE_MS), fingerprint })
    if (times <= REFUSALS_LOGGED_MAX) insertAuditRow(control, row)
  })
}

/**
 * Writes that a client has refreshed its tokens. The first time of an hour is written at once, and
 * the count of the others when the hour is over: by grant, and by address unless very many are
 * similar.
 * @throws StoreError
 */
export function appendRefresh(control: ControlFile, row: Omit<AuditRow, 'sequence'>): void {
  const { at, requestId: _own, ...done } = row
  const lastMinute = (Math.floor(at / HOUR_MS) + 1) * 60 - 1
  control.atomically(() => {
    const exactly = { minute: lastMinute, fingerprint: JSON.stringify(done) }
    const isRoom =
      hasRefusal(control, exactly) ||
      countFingerprints(control, lastMinute) < REFUSAL_FINGERPRINTS_MAX
    const fingerprint = JSON.stringify({ ...done, fromAddress: null })
    const times = countRefusal(control, isRoom ? exactly : { minute: lastMinute, fingerprint })
    if (times <= REFRESHES_LOGGED_MAX) insertAuditRow(control, row)
  })
}

/**
 * Writes to the audit log how many more events of each kind were refused, for the minutes that are
 * over, and refreshes for the hours: one row each, `further` in its detail.
 * @throws StoreError; nothing is lost then
 */
export function flushRefusals(control: ControlFile, nowMs: EpochMs): void {
  const minute = Math.floor(nowMs / MINUTE_MS)
  // Checked first: there are mostly none, and a write invalidates every connection's cache.
  if (listRefusalsBefore(control, minute).length === 0) return
  control.atomically(() => {
    for (const row of listRefusalsBefore(control, minute)) flushRefusal(control, row)
    deleteRefusalsBefore(control, minute)
  })
}

function flushRefusal(control: ControlFile, { minute, fingerprint, times }: RefusalRow): void {
  // As written by appendRefusal or appendRefresh.
  const refused = JSON.parse(fingerprint) as RefusedEvent
  const isRefresh = refused.action === 'token.refresh' && refused.outcome === 'ok'
  const further = times - (isRefresh ? REFRESHES_LOGGED_MAX : REFUSALS_LOGGED_MAX)
  if (further <= 0) return
  const detail = { ...(JSON.parse(refused.detail ?? '{}') as object), further }
  const at = (minute + 1) * MINUTE_MS
  insertAuditRow(control, { ...refused, at, requestId: null, detail: JSON.stringify(detail) })
}
