// The real camt.052 and camt.054 files of KONTOR_MORE_STATEMENTS, and what the real camt.053 files
// of KONTOR_STATEMENTS give when their entries also come as reports and notifications.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { readCamt052, readCamt054 } from '../../../src/statements/camt/camt.js'
import { FORMATS } from '../../../src/statements/formats.js'
import type { ImportReport } from '../../../src/statements/import/import-report.js'
import { importText } from '../../../src/statements/readers.js'
import type { TransactionRow } from '../../../src/store/columns.js'
import type { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { withWorkspace } from '../../fixtures/files.js'
import {
  messagesOf,
  piecesOf,
  plain,
  readFile,
  realFiles,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

/** The files of this message, in name order; none where there is no folder of them. */
function moreFiles(t: Test, format: '052' | '054'): { name: string; bytes: Buffer }[] {
  const folder = process.env['KONTOR_MORE_STATEMENTS'] ?? ''
  if (!existsSync(folder)) {
    t.comment('KONTOR_MORE_STATEMENTS names no folder of real files')
    return []
  }
  const sign = new RegExp(`:camt\\.${format}\\.`)
  return readdirSync(folder)
    .sort()
    .filter((name) => name.endsWith('.xml'))
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
    .filter(({ bytes }) => sign.test(bytes.toString()))
}

/** The end of a file's name -> its amounts, days and counterparts, and its warnings. */
const REPORTS: Readonly<Record<string, readonly [readonly unknown[], readonly RegExp[]]>> = {
  'camt052.v6.xml': [[], [/^entry 1 \(line 70\): has the status PDNG, is not booked, and is left/]],
  'FI_camt_052_sample.xml.xml': [
    [['100', '2009-10-30', 'DEBTOR', '091029ACCTSTMTARCH08 2009-10-30 100 EUR']],
    [/^entry 1 \(line \d+\): has the status PDNG/],
  ],
  '052~valid_example.xml': [
    [
      ['2', '2013-12-27', 'Testkonto Nummer 1', '2013122710583450000 2013-12-27 2 EUR'],
      ['3', '2013-12-27', undefined, '2013122710583670000 2013-12-27 3 EUR'],
    ],
    [],
  ],
}

test('the real reports: booked entries, balances that agree', async (t) => {
  for (const { name, bytes } of moreFiles(t, '052')) {
    const known = Object.entries(REPORTS).find(([end]) => name.endsWith(end))
    if (known === undefined) return t.fail(name)
    const [, [rows, warnings]] = known
    const outcome = await readFile(readCamt052, bytes)
    const found = transactionsOf(outcome).map((each) => {
      const { amount, booked } = plain(each)
      return [amount, booked, each.counterpart.name, each.bankReference]
    })
    t.same(found, rows, name)
    t.match(messagesOf(outcome), [...warnings], name)
    await withWorkspace(async (file) => {
      const report = await importAs(file, '052', bytes.toString())
      t.equal(report.warnings.length, warnings.length, `${name}: the balances agree`)
    })
  }
})

/** The end of a file's name -> `amount day counterpart` of its rows when they are included. */
const NOTIFICATIONS: Readonly<Record<string, readonly string[]>> = {
  'camt054.v2.with-account-name.xml': ['-200000 2007-10-18 -'],
  'camt054.v8-with-financial-institution.xml': ['-200000 2007-10-18 Example Creditor 3 - V1'],
  'camt054.v8.xml': ['-200000 2007-10-18 -'],
  '1110092691_0_2019042421291293.xml': ['1500 2019-04-24 -'],
  '1110092692_0_2019042401501580.xml': ['-913 2019-04-25 -'],
  '1110097484_0_20190520700381159.xml': [
    '1.5 2019-05-19 Maria Bernasconi',
    '3 2019-05-19 Maria Bernasconi',
  ],
  '1110092703_0_2019042423412214.xml': ['400', '350', '450', '150', '50', '100'].map(
    (amount) => `${amount} 2020-06-17 Bernasconi Maria`,
  ),
}

test('the real notifications, included', async (t) => {
  for (const { name, bytes } of moreFiles(t, '054')) {
    const outcome = await readFile(readCamt054, bytes)
    t.equal(outcome.error, undefined, name)
    const known = Object.entries(NOTIFICATIONS).find(([end]) => name.endsWith(end))
    await withWorkspace(async (file) => {
      const alone = await importAs(file, '054', bytes.toString())
      t.equal(alone.added, 0, `${name}: alone it adds nothing`)
      t.ok(alone.warnings.length > 0, `${name}: and says so`)
      const included = await importAs(file, '054', bytes.toString(), true)
      const rows = [...file.transactionsOldestFirst()].map((row) => {
        const amount = row.amountUnscaled / 10 ** row.amountScale
        const day = new Date(row.bookedAt ?? 0).toISOString().slice(0, 10)
        return `${amount} ${day} ${row.counterpartName ?? '-'}`
      })
      t.comment(`${name}: ${rows.join(', ')} | ${included.warnings.join(' | ')}`)
      t.equal(included.added, rows.length, name)
      if (known !== undefined) t.same(rows, known[1], name)
    })
  }
})

function importAs(
  file: WorkspaceFile,
  format: '052' | '053' | '054',
  text: string,
  includesNotifications = false,
): Promise<ImportReport> {
  const elements = {
    '052': ['BkToCstmrAcctRpt', 'Rpt'],
    '053': ['BkToCstmrStmt', 'Stmt'],
    '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  } as const
  const [root, part] = elements[format]
  const named = text
    .replaceAll(/BkToCstmr(?:AcctRpt|Stmt|DbtCdtNtfctn)/g, root)
    .replaceAll(/<(\/?)(?:Rpt|Stmt|Ntfctn)>/g, `<$1${part}>`)
  const options = { now: 0, lenient: true, account: '4711', currency: 'EUR', includesNotifications }
  return importText(FORMATS, `camt${format}`, file, piecesOf([named]), options)
}

/** The text without the details of entries that have a reference, by which they can be joined. */
function withoutDetails(text: string): string {
  return text.replaceAll(/<Ntry>.*?<\/Ntry>/gs, (entry) => {
    const head = entry.split('<NtryDtls>')[0] ?? ''
    return head.includes('<AcctSvcrRef>') ? entry.replaceAll(/<TxDtls>.*?<\/TxDtls>/gs, '') : entry
  })
}

function contentOf(row: TransactionRow): string {
  return JSON.stringify({ ...row, id: 0 })
}

type Arrival = readonly ['052' | '053' | '054', string]

/** The rows after these messages have come in this order. */
async function rowsAfter(arrivals: readonly Arrival[]): Promise<string[]> {
  let rows: string[] = []
  await withWorkspace(async (file) => {
    for (const [format, text] of arrivals) await importAs(file, format, text)
    rows = [...file.transactionsOldestFirst()].map(contentOf).sort()
  })
  return rows
}

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((first, i) => ordersOf(all.toSpliced(i, 1)).map((rest) => [first, ...rest]))
}

test('real entries as report, statement and notification are counted once', async (t) => {
  const files = [...realFiles(t, 'camt053'), ...moreFiles(t, '052'), ...moreFiles(t, '054')]
  for (const { name, bytes } of files) {
    const text = bytes.toString()
    if (!text.includes('<Ntry>')) continue
    const statement = await rowsAfter([['053', text]])
    for (const order of ordersOf<Arrival>([
      ['052', text],
      ['053', text],
      ['054', text],
    ])) {
      const formats = order.map(([format]) => format).join(' ')
      t.same(await rowsAfter(order), statement, `${name}: ${formats}, all with details`)
    }
    const bare = withoutDetails(text)
    const orders = ordersOf<Arrival>([
      ['052', bare],
      ['053', bare],
      ['054', text],
    ])
    const first = await rowsAfter(orders[0] ?? [])
    for (const order of orders) {
      const formats = order.map(([format]) => format).join(' ')
      t.same(await rowsAfter(order), first, `${name}: ${formats}, details by 054 alone`)
    }
    const [count, whole] = [first.length, statement.length]
    t.comment(`${name}: ${whole} rows, ${count} of them when the details come by 054 alone`)
  }
})
