// Regression: files of a few MB that name many accounts, currencies, categories or counterparts
// occupied an import thread for minutes. A file with twice as many takes at most 2.5 times as long.
import { test } from 'tap'
import { FORMATS } from '../../src/statements/formats.js'
import type { ImportOptions } from '../../src/statements/import/import-options.js'
import { importText } from '../../src/statements/readers.js'
import type { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { awaitedRatioOf, RATIO_MAX } from '../fixtures/doubling.js'
import { inPieces, withWorkspace } from '../fixtures/files.js'

type Format = Parameters<typeof importText>[1]

interface Growing {
  readonly format: Format
  /** Number of them in the smaller file. */
  readonly count: number
  /** A file that names as many of them. */
  readonly text: (count: number) => string
}

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('')

const json = (value: object): string => `${JSON.stringify(value)}\n`

const ONE = json({ kind: 'account', id: 1, accountNumber: '7', currency: 'EUR' })

const statement = (i: number): string =>
  `:20:S\n:25:10000000/${1_000_000 + i}\n:28C:1/1\n:60F:C260101EUR0,00\n` +
  `:61:2601050105C1,00NTRFNONREF\n:86:x${i}\n:62F:C260105EUR1,00\n-\n`

/** A report of the running day. */
const report = (i: number): string =>
  `<Rpt><Id>R${i}</Id><Acct><Id><Othr><Id>N${1_000_000 + i}</Id></Othr></Id><Ccy>EUR</Ccy></Acct>` +
  '<Bal><Tp><CdOrPrtry><Cd>ITBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt>' +
  '<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-05</Dt></Dt></Bal>' +
  '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>' +
  `<BookgDt><Dt>2026-01-05</Dt></BookgDt><AcctSvcrRef>A${i}</AcctSvcrRef></Ntry></Rpt>`

const FILES: Readonly<Record<string, Growing>> = {
  'accounts of MT940': { format: 'mt940', count: 2_500, text: (n) => lines(n, statement) },
  'accounts of reports': {
    format: 'camt052',
    count: 2_000,
    text: (n) =>
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08"><BkToCstmrAcctRpt>' +
      `<GrpHdr><MsgId>M</MsgId></GrpHdr>${lines(n, report)}</BkToCstmrAcctRpt></Document>`,
  },
  'accounts of one number': {
    format: 'ndjson',
    count: 6_000,
    text: (n) =>
      lines(n, (i) => json({ kind: 'account', id: i + 1, accountNumber: '7', currency: 'EUR' })),
  },
  'categories of one name': {
    format: 'ndjson',
    count: 6_000,
    text: (n) => lines(n, (i) => json({ kind: 'category', id: i + 1, name: 'x' })),
  },
  'categories of one name under many': {
    format: 'ndjson',
    count: 6_000,
    text: (n) =>
      ONE +
      lines(n, (i) =>
        json({
          ...{ accountId: 1, amount: i, currency: 'EUR' },
          ...{ category: { name: 'x' }, parentCategory: { name: `p${i}` } },
        }),
      ),
  },
  'categories with an id in each second line': {
    format: 'ndjson',
    count: 6_000,
    text: (n) =>
      lines(n, (i) =>
        json({ kind: 'category', name: `c${i}`, ...(i % 2 ? {} : { id: 2 * i + 1 }) }),
      ),
  },
  'counterparts of NDJSON': {
    format: 'ndjson',
    count: 6_000,
    text: (n) =>
      ONE +
      lines(n, (i) =>
        json({ accountId: 1, amount: 1, currency: 'EUR', counterpart: { name: `c${i}` } }),
      ),
  },
}

async function importInto(
  file: WorkspaceFile,
  { format, text }: Growing,
  n: number,
): Promise<void> {
  const options: ImportOptions = { now: 0, lenient: false, allowsManyAccounts: true }
  await importText(FORMATS, format, file, inPieces(text(n), [65_536]), options)
}

for (const [name, growing] of Object.entries(FILES)) {
  test(`twice as many ${name} take at most 2.5 times as long`, async (t) => {
    const ratio = await awaitedRatioOf(async (n) => {
      await withWorkspace((file) => importInto(file, growing, n))
    }, growing.count)
    t.ok(ratio <= RATIO_MAX, `${ratio}`)
  })
}
