import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { parseColumns } from '../../../src/statements/csv/csv-columns.js'
import { eventsIn, refusalIn, sumOf, transactionsOf } from '../../fixtures/statement-texts.js'

const OWN = { account: '4711' }
const HEADER =
  'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n'
const CURRENT =
  'TOPUP,Current,2024-01-02 08:07:09,2024-01-02 08:07:10,Top,100.00,0.00,EUR,COMPLETED,100.00\n' +
  'TRANSFER,Current,2024-01-07 09:00:00,2024-01-07 09:30:00,To Savings,-10.00,0.00,EUR,' +
  'COMPLETED,90.00\n'
const SAVINGS =
  'TRANSFER,Savings,2024-01-07 09:00:00,2024-01-07 09:30:00,From Current,10.00,0.00,EUR,' +
  'COMPLETED,10.00\n'
const PENDING = 'TRANSFER,Deposit,2024-01-08 09:00:00,,From Current,5.00,0.00,EUR,PENDING,\n'

test('a file of two products is refused, with a mapping that reads each of them', async (t) => {
  const text = HEADER + CURRENT + SAVINGS + PENDING
  const message = (await refusalIn(readCsv, text, OWN)) ?? ''
  t.match(
    message,
    'line 4: column Product has the rows of separate accounts ("Current", "Savings")',
  )
  const mappings = [...message.matchAll(/ {2}(\S+): --columns '([^']*)'/gu)]
  t.strictSame(
    mappings.map(([, part]) => part),
    ['Current', 'Savings'],
  )
  const sums = []
  for (const [, , mapping = ''] of mappings) {
    const columns = parseColumns(mapping)
    const found = transactionsOf(await eventsIn(readCsv, text, { ...OWN, columns }))
    sums.push(`${found.length} ${sumOf(found)} ${found.at(-1)?.balanceAfter?.unscaled}`)
  }
  t.strictSame(sums, ['2 90 90', '1 10 10'])
})

test('a file of one product is read, whatever its name', async (t) => {
  for (const text of [CURRENT, SAVINGS, CURRENT + PENDING]) {
    t.equal(await refusalIn(readCsv, HEADER + text, OWN), undefined)
  }
})
