// The real files of the three formats through the importer: what is added, what the balances say,
// and that the same file again adds nothing.
import { test } from 'tap'
import { formatSum, sumOf } from '../../../src/money.js'
import { decodeStatement } from '../../../src/statements/encoding.js'
import { FORMATS } from '../../../src/statements/formats.js'
import type { ImportReport } from '../../../src/statements/import/import-report.js'
import { importText } from '../../../src/statements/readers.js'
import type { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { withWorkspace } from '../../fixtures/files.js'
import { moreFiles } from '../../fixtures/fixed-width-texts.js'
import { piecesOf } from '../../fixtures/statement-reading.js'

const NOW = Date.UTC(2026, 0, 1)

const FOLDERS = [
  ['coda', 'wimverstuyf+php-coda-parser'],
  ['cfonb120', 'silarhi+cfonb-parser'],
  ['norma43', 'sequra+norma43_parser'],
] as const

/** Added rows, their sum, and whether balances and trailers of the file agree with them. */
const EXPECTED: Readonly<Record<string, readonly [added: number, sum: string, isProved: boolean]>> =
  {
    'sample1.cod': [4, '80', true],
    'sample3.cod': [1, '-812.69', false],
    'sample4.cod': [1, '17233.54', false],
    'sample9.cod': [1, '5', false],
    'sample10.cod': [2, '1000', true],
    'sample11.cod': [1, '1000', true],
    'simple-test.txt': [0, '0', true],
    'complex-test.txt': [5, '-5210.9', true],
    'non-strict-test.txt': [5, '-5210.9', true],
    'test-unused-parts.txt': [0, '0', true],
    'example1.n43': [4, '49.36', false],
    'example2.n43': [4, '342.78', true],
  }

function importBytes(
  file: WorkspaceFile,
  format: (typeof FOLDERS)[number][0],
  bytes: Uint8Array,
): Promise<ImportReport> {
  const text = decodeStatement(piecesOf([bytes]))
  return importText(FORMATS, format, file, text, { now: NOW, lenient: false })
}

test('every real file is imported, and twice', async (t) => {
  for (const [format, repository] of FOLDERS) {
    for (const { name, bytes } of moreFiles(t, repository)) {
      if (name.startsWith('cfonb.240')) continue
      const [added, sum, isProved] = EXPECTED[name] ?? [-1, '', true]
      await withWorkspace(async (file) => {
        const first = await importBytes(file, format, bytes)
        t.match(first, { added, unchanged: 0, skipped: 0 }, name)
        let total = 0n
        for (const { amountUnscaled, amountScale } of file.transactionsOldestFirst()) {
          total += sumOf(BigInt(amountUnscaled), amountScale)
        }
        t.equal(formatSum(total), sum, `${name}: sum`)
        const faults = first.warnings.filter((each) => /do not add up|record (9|33) /.test(each))
        t.equal(faults.length === 0, isProved, `${name}: ${faults.join('; ')}`)
        const again = await importBytes(file, format, bytes)
        t.match(again, { added: 0, unchanged: added }, `${name} again`)
      })
      await withWorkspace(async (file) => {
        const twice = Buffer.concat([bytes, Buffer.from('\n'), bytes])
        const report = await importBytes(file, format, twice)
        t.match(report, { added, unchanged: added }, `${name} twice in one file`)
      })
    }
  }
})
