import { totalmem } from 'node:os'
import { countText } from '../count-text.js'
import { MEMORY_SHARE_DEFAULT } from '../limits.js'
import { StoreError } from '../store/store-error.js'

/** Memory that one workspace may take. */
export interface MemoryBudget {
  readonly bytes: number
  /** What a row of the workspace took when it was last in memory; 0 = not known. */
  readonly bytesPerRow: number
}

/** Bytes that all workspaces may take together unless the operator says otherwise. */
export function memoryBudgetDefault(): number {
  // 0 = no limit by a container.
  const machineBytes = Math.min(process.constrainedMemory() || totalmem(), totalmem())
  return Math.floor(machineBytes * MEMORY_SHARE_DEFAULT)
}

/** Bytes of the shortest transaction as JSON: one with nothing but what each has. */
export const ROW_BYTES_MIN = 230

/** @throws StoreError when so many rows certainly take more than the budget */
export function checkRowCount(rowCount: number, { bytes, bytesPerRow }: MemoryBudget): void {
  if (rowCount * Math.max(bytesPerRow, ROW_BYTES_MIN) > bytes) throw beyondBudget(rowCount, bytes)
}

/** The error of a workspace of so many rows that takes more than the budget. */
export function beyondBudget(rowCount: number, budgetBytes: number): StoreError {
  const rows = countText(rowCount)
  const megabytes = countText(Math.round(budgetBytes / 1e6))
  return new StoreError(
    `the workspace is too large: its ${rows} transactions take more than the ${megabytes} MB of ` +
      '--memory-budget; raise it, or divide the accounts among several workspaces',
  )
}
