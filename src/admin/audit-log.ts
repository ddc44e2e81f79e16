import { type AuditConditions, type AuditRow, listAuditRows } from '../store/audit-rows.js'
import {
  type AuditBounds,
  type AuditPage,
  type AuditSearch,
  searchAuditRows,
} from '../store/audit-search.js'
import type { AuditContext } from './audited-change.js'

/** An entry of the audit log; `detail` is JSON. */
export type AuditEntry = AuditRow

/** The conditions of a search of the audit log; absent = any. */
export type AuditFilter = AuditSearch

/** The newest entries that meet the conditions, newest first. */
export async function listAudit(
  { control }: AuditContext,
  filter: AuditConditions,
): Promise<AuditEntry[]> {
  return control.look(() => listAuditRows(filter))
}

/** Searches the audit log from its end, at a bounded cost ({@link searchAuditRows}). */
export async function searchAudit(
  { control }: AuditContext,
  filter: AuditFilter,
  bounds: AuditBounds,
): Promise<AuditPage> {
  return control.look(() => searchAuditRows(filter, bounds))
}
