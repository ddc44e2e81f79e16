import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDemo } from '../../src/demo/fill.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import type { Candidate } from './candidate.js'

/** Texts of the demo's invented company, oldest first, among which the references are planted. */
export async function backgroundOf(rowCount: number, seed: number): Promise<Candidate[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-match-eval-'))
  try {
    const file = WorkspaceFile.open(join(folder, 'demo.db'))
    await fillDemo(file, { transactions: rowCount, seed })
    const candidates: Candidate[] = []
    for (const row of file.transactionsOldestFirst()) {
      const { purpose, endToEndReference, customerReference } = row
      const { mandateReference, primanota, paypalInvoiceNumber } = row
      candidates.push({
        texts: {
          purpose,
          endToEndReference,
          customerReference,
          mandateReference,
          primanota,
          paypalInvoiceNumber,
        },
      })
    }
    file.close()
    return candidates
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
