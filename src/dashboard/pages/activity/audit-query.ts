import { strict as assert } from 'node:assert'
import type { AuditFilter } from '../../../admin/audit-log.js'
import { AUDIT_ACTIONS } from '../../../domain/audit.js'
import { formatInstant, parseDay, parseInstant } from '../../../instant.js'
import type { Form } from '../../../wire/form.js'
import type { FormFaults } from '../../form-reading.js'

/** Entries of the audit log on one page: a few screens. */
export const AUDIT_ROWS_PER_PAGE = 100

/** Entries of it that one page scans: a few milliseconds, for which requests have to wait. */
export const AUDIT_SCANNED_MAX = 5_000

/** Entries of it that one download holds; `kontor audit` has no such limit. */
export const AUDIT_CSV_ROWS_MAX = 100_000

assert(AUDIT_ROWS_PER_PAGE <= AUDIT_SCANNED_MAX)

/** A search of the audit log, as a URL has it. */
export interface AuditQuery {
  readonly search: AuditFilter
  /** The faults of the search parameters in the URL. */
  readonly faults: FormFaults
}

const DAY_MS = 86_400_000

/** Reads the parameters of a search; faulty ones are left out and returned in `faults`. */
export function readAuditQuery(query: Form): AuditQuery {
  const faults: Record<string, string> = {}
  const moment = (name: string, dayShiftMs: number): number | undefined => {
    const text = query.value(name)
    if (text === undefined) return undefined
    const day = parseDay(text)
    const at = day === undefined ? parseInstant(text) : day + dayShiftMs
    if (at === undefined) faults[name] = 'Enter a day such as 2026-07-31.'
    return at
  }
  const outcome = query.value('outcome')
  const before = query.value('before') ?? ''
  return {
    search: {
      actor: query.value('actor'),
      action: AUDIT_ACTIONS.find((action) => action === query.value('action')),
      workspaceId: query.value('workspace'),
      outcome: outcome === 'ok' || outcome === 'refused' ? outcome : undefined,
      sinceMs: moment('since', 0),
      // The last day is included in full.
      untilMs: moment('until', DAY_MS),
      beforeSequence: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
    },
    faults,
  }
}

/** The same as parameters of a URL, with `?` in front; `''` when there are none. */
export function auditQueryText(search: AuditFilter): string {
  const { sinceMs, untilMs, beforeSequence, workspaceId } = search
  const day = (ms: number | undefined, shiftMs: number): string | undefined =>
    ms === undefined ? undefined : formatInstant(ms - shiftMs).slice(0, 10)
  const values = {
    actor: search.actor,
    action: search.action,
    workspace: workspaceId,
    outcome: search.outcome,
    since: day(sinceMs, 0),
    until: day(untilMs, DAY_MS),
    before: beforeSequence?.toString(),
  }
  const given = Object.entries(values).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  const text = new URLSearchParams(given).toString()
  return text === '' ? '' : `?${text}`
}
