// Regression: an import ended with an error of SQLite about a UNIQUE constraint.
import { test } from 'tap'
import { FORMATS } from '../../../src/statements/formats.js'
import type { ImportReport } from '../../../src/statements/import/import-report.js'
import { importText } from '../../../src/statements/readers.js'
import type { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { entry, message, parties, party } from '../../fixtures/camt-text.js'
import { withWorkspace } from '../../fixtures/files.js'
import { piecesOf } from '../../fixtures/statement-reading.js'

const DEBTOR = parties(party('Dbtr', 'Anna', 'DE02120300000000202051'), '')
const REFERENCE = '<Refs><AcctSvcrRef>R2</AcctSvcrRef></Refs>'
const DETAILS = `<TxDtls>${REFERENCE}<Amt Ccy="EUR">10.00</Amt>${DEBTOR}</TxDtls>`

function importMessage(file: WorkspaceFile, text: string): Promise<ImportReport> {
  const options = { now: 0, lenient: false }
  return importText(FORMATS, 'camt053', file, piecesOf([message(text)]), options)
}

test('an entry that gets the value day of another booking keeps its row', async (t) => {
  const text = entry({ details: DETAILS, head: '<AcctSvcrRef>K</AcctSvcrRef>' })
  await withWorkspace(async (file) => {
    await importMessage(file, text.replace('2024-06-01', '2024-06-03'))
    await importMessage(file, entry({ details: DETAILS }))
    t.match(await importMessage(file, text), { added: 0, updated: 1 })
    t.match(await importMessage(file, text), { added: 0, updated: 0, unchanged: 1 })
    const rows = [...file.transactionsOldestFirst()]
    t.same(
      rows.map(({ id, valuedAt }) => [id, valuedAt]),
      [1, 2].map((id) => [id, Date.UTC(2024, 5, 1)]),
    )
  })
})
