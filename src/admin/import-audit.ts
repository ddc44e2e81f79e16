import type { ImportReport } from '../statements/import/import-report.js'
import { type AuditContext, audited } from './audited-change.js'

/**
 * An import in the audit log. Nothing in that log can be removed, so neither the name of the file,
 * in which banks put account numbers, nor any of its text is kept: size and SHA-256 identify the
 * file to its owner.
 */
export interface ImportAuditEvent {
  readonly workspaceId: string
  /** Absent when it was not recognized. */
  readonly format?: string | undefined
  /** Absent, as the hash is, when the file was not read to its end. */
  readonly bytes?: number | undefined
  readonly sha256?: string | undefined
  /** The counts; or the place and reason of the refusal, without text of the file. */
  readonly result: ImportCounts | { readonly reason: string }
}

/** The counts of one file's report. */
interface ImportCounts
  extends Omit<ImportReport, 'accountIds' | 'balances' | 'changes' | 'warnings'> {
  readonly accounts: number
}

/** Writes an import to the audit log, also a refused one. @throws StoreError */
export async function recordImport(
  context: AuditContext,
  { workspaceId, result, format, bytes, sha256 }: ImportAuditEvent,
): Promise<void> {
  const detail = {
    ...(format === undefined ? {} : { format }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...('reason' in result ? result : detailOfCounts(result)),
  }
  const outcome = 'reason' in result ? 'refused' : 'ok'
  await audited(context, (record) =>
    record({ action: 'workspace.import', subject: workspaceId, workspaceId, outcome, detail }),
  )
}

/** Counts of kept and changed rows are included only when not 0: few files have any. */
function detailOfCounts({ kept, changed, changedIds, ...counts }: ImportCounts): object {
  return {
    ...counts,
    ...(kept === 0 ? {} : { kept }),
    ...(changed === 0 ? {} : { changed, changedIds }),
  }
}
