// A hostile bank file of twice the length takes at most 2.5 times as long to read: for each part of
// a file whose length, once multiplied by the number of others, took minutes.
import { test } from 'tap'
import { readBai2 } from '../../src/statements/bai2/bai2.js'
import { readCamt053 } from '../../src/statements/camt/camt.js'
import { digestOf } from '../../src/statements/import/digest.js'
import { readMt940 } from '../../src/statements/mt940/mt940.js'
import { readQif } from '../../src/statements/qif/qif.js'
import type { StatementReader } from '../../src/statements/statement.js'
import { balance, message } from '../fixtures/camt-text.js'
import { awaitedRatioOf, RATIO_MAX } from '../fixtures/doubling.js'
import { readAll } from '../fixtures/statement-reading.js'

interface DoubledFile {
  readonly reader: StatementReader
  /** A file of about `length` characters. */
  readonly text: (length: number) => string
  readonly length: number
}

/** A header of half the file, and accounts in the other half. */
function bai2Accounts(headerLength: number, accountsLength: number): string {
  const text = 'x'.repeat(headerLength)
  const header = `01,1,2,260105,1200,1,,,2/\n02,1,2,1,260105,,EUR,2/\n88,${text}/`
  const accounts = Array.from(
    { length: accountsLength / 25 },
    (_, i) => `03,${i},EUR,010,${i},,/\n`,
  )
  return `${header}\n${accounts.join('')}99,0,1,3/\n`
}

/** Three letters for each number below 17,576. */
function currency(i: number): string {
  return [i / 676, i / 26, i].map((n) => String.fromCharCode(65 + (Math.floor(n) % 26))).join('')
}

const UNDATED = '<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>'

/** Balances of many currencies, and entries without a date, which take that of a balance. */
function undatedEntries(currencyCount: number, entryCount: number): string {
  const balances = Array.from({ length: currencyCount }, (_, i) =>
    balance('CLBD', '1.00', 'CRDT', currency(i)),
  )
  return message(balances.join('') + UNDATED.repeat(entryCount))
}

/** A text in which searching for `bc` is slow: it stands at the end of many like it. */
function longText(length: number): string {
  return `${'a'.repeat(length / 2)}${'b'.repeat(length / 2)}c`
}

const FILES: Readonly<Record<string, DoubledFile>> = {
  'BAI2: a long header of many accounts': {
    reader: readBai2,
    text: (length) => bai2Accounts(length / 2, length / 2),
    length: 100_000,
  },
  'BAI2: many accounts': {
    reader: readBai2,
    text: (length) => bai2Accounts(3_000, length),
    length: 100_000,
  },
  'CAMT: many currencies and undated entries': {
    reader: readCamt053,
    text: (length) => undatedEntries(length / 340, length / 170),
    length: 500_000,
  },
  'CAMT: undated entries': {
    reader: readCamt053,
    text: (length) => undatedEntries(100, length / 85),
    length: 100_000,
  },
  'QIF: many splits and a long memo': {
    reader: readQif,
    text: (length) => {
      const splits = 'Sbc\n'.repeat(length / 4)
      return `!Type:Bank\nD31/12/2025\nT1.00\nM${longText(length / 4)}\n${splits}^\n`
    },
    length: 39_000,
  },
  'MT940: many lines of :NS:': {
    reader: readMt940,
    text: (length) => {
      const head = ':20:X\r\n:25:50010517/5389176\r\n:28C:1/1\r\n:60F:C240531EUR100,00\r\n'
      const entry = `:61:2405310531DR12,50NTRFNONREF\r\n:NS:01${longText(length / 4)}\r\n`
      const pieces = '02bc\r\n'.repeat(length / 6)
      return `${head}${entry}${pieces}:62F:C240531EUR87,50\r\n-\r\n`
    },
    length: 39_000,
  },
}

/** Reads a file, and hashes the keys of its statements as an import does. */
async function read(reader: StatementReader, text: string): Promise<void> {
  const { events } = await readAll(reader, text, { account: '4711', currency: 'EUR' })
  for (const event of events) {
    if (event.kind === 'account') digestOf(event.statementKey ?? '')
  }
}

test('a hostile bank file of twice the length takes at most 2.5 times as long', async (t) => {
  for (const [name, { reader, text, length }] of Object.entries(FILES)) {
    const texts = new Map([1, 2, 4].map((factor) => [factor * length, text(factor * length)]))
    const ratio = await awaitedRatioOf((each) => read(reader, texts.get(each) ?? ''), length)
    t.ok(ratio <= RATIO_MAX, `${name}: ${ratio}`)
  }
})
