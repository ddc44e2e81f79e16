// Regression: one line of many columns kept an import busy for minutes, and filled its memory. A
// hostile CSV file of twice the size takes at most 2.5 times as long to refuse or to read.
import { test } from 'tap'
import { readCsv } from '../../src/statements/csv/csv.js'
import { columnNameAt } from '../../src/statements/csv/csv-columns.js'
import { guessTable } from '../../src/statements/csv/csv-guess-table.js'
import { unknownTable } from '../../src/statements/csv/csv-unknown.js'
import { STATEMENT_BATCH_EVENTS } from '../../src/statements/statement.js'
import { RATIO_MAX, ratioOf } from '../fixtures/doubling.js'

const OWN = { account: 'DE89370400440532013000', currency: 'EUR' }

/** By name: a file of about `n` columns without a known layout. */
const TABLES: Readonly<Record<string, (n: number) => string>> = {
  'columns of money': (n) => `01.02.2026${';1,00'.repeat(n)}\n`,
  'columns of one name': (n) => `a${';a'.repeat(n)}\n01.02.2026${';x'.repeat(n)}\n`,
  'columns of money below one name': (n) => `a${';a'.repeat(n)}\n01.02.2026${';1,00'.repeat(n)}\n`,
  'header cells above few columns': (n) => `${'a;'.repeat(n)}a\n01.02.2026;1,00;x\n`,
}

test('a table of twice as many columns takes at most 2.5 times as long', async (t) => {
  for (const [name, table] of Object.entries(TABLES)) {
    const ratio = ratioOf((n) => void unknownTable(table(n), OWN), 4_000)
    t.ok(ratio <= RATIO_MAX, `${name}: ${ratio}`)
  }
})

test('names of twice as many equal columns take at most 2.5 times as long', async (t) => {
  const ratio = ratioOf((n) => {
    const header = Array.from({ length: n }, () => 'a')
    for (let place = 0; place < n; place += 1) columnNameAt(header, place)
  }, 8_000)
  t.ok(ratio <= RATIO_MAX, `${ratio}`)
})

test('no mapping is guessed for more than 200 columns', async (t) => {
  t.equal(guessTable(`01.02.2026${';1,00'.repeat(199)}\n`)?.columns.length, 200)
  t.equal(guessTable(`01.02.2026${';1,00'.repeat(200)}\n`), undefined)
})

test('lines that continue a booking do not hold the bookings before it back', async (t) => {
  const header = 'Transaction date,Value date,Description,Withdrawals (SGD),Deposits (SGD)\n'
  const booking = '18/04/2018,18/04/2018,Purchase,6.25,\n'
  const entries = `${booking},,rest,,\n`.repeat(4 * STATEMENT_BATCH_EVENTS)
  async function* pieces(): AsyncGenerator<string> {
    yield header + entries
    yield `,,${'x'.repeat(20)},,\n`.repeat(20 * STATEMENT_BATCH_EVENTS)
  }
  let longest = 0
  for await (const batch of readCsv(pieces(), OWN)) longest = Math.max(longest, batch.length)
  t.ok(longest <= STATEMENT_BATCH_EVENTS + 1_000, `${longest} events at once`)
})
