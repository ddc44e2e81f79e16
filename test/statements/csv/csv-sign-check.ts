import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { parseColumns } from '../../../src/statements/csv/csv-columns.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { eventsIn, refusalIn, sumOf, transactionsOf } from '../../fixtures/statement-texts.js'

const OWN = { account: '4711', currency: 'EUR' }

async function sumWith(text: string, mapping: string): Promise<string> {
  const columns = parseColumns(mapping)
  return sumOf(transactionsOf(await eventsIn(readCsv, text, { ...OWN, columns })))
}

const ONE = 'Date,Description,Amount,Balance\n'
const TWO = 'Date,Label,Debit,Credit,Balance\n'
/** The layout, the first wrong line, the sum if the balances are right, and if the amounts are. */
const REVERSED: readonly (readonly [text: string, line: number, right: string, read: string])[] = [
  [`${ONE}02/01/2024,a,12.50,987.50\n15/01/2024,b,20.00,967.50\n`, 3, '-32.5', '32.5'],
  [`${ONE}15/01/2024,b,20.00,967.50\n02/01/2024,a,12.50,987.50\n`, 2, '-32.5', '32.5'],
  // Of equal amounts, the days tell debits downwards from credits upwards.
  [`${ONE}14/01/2024,a,10.00,990.00\n15/01/2024,b,10.00,980.00\n`, 3, '-20', '20'],
  // A card whose refund has a minus.
  [`${ONE}14/01/2024,a,10.00,90.00\n15/01/2024,b,-30.00,120.00\n`, 3, '20', '-20'],
  [`${TWO}14/01/2024,a,10.00,,90.00\n15/01/2024,b,30.00,,120.00\n`, 3, '40', '-40'],
]

test('balances that contradict all signs refuse the file, with a mapping for each', async (t) => {
  for (const [text, line, right, read] of REVERSED) {
    const message = (await refusalIn(readCsv, text, OWN)) ?? ''
    t.match(message, `line ${line}: the balance in column Balance goes`)
    const found = [...message.matchAll(/--columns '([^']*)'/gu)].map(([, mapping = '']) => mapping)
    const [reversed = '', plain = ''] = found
    t.equal(await sumWith(text, reversed), right, reversed)
    t.equal(await sumWith(text, plain), read, plain)
    const typed = plain.replace('=Description', '=Description,balanceAfter=Balance')
    if (typed === plain) continue
    const refused = await refusalIn(readCsv, text, { ...OWN, columns: parseColumns(typed) })
    t.match(refused, 'which contradicts the amount', 'a mapping by hand is refused as well')
  }
})

test('amounts of one sign, some of which the balances contradict, refuse the file', async (t) => {
  const rows = ['02/01/2024,a,12.50,987.50', '15/01/2024,b,20.00,1007.50', '16/01/2024,c,7.50,1000']
  const text = `${ONE}${rows.join('\n')}\n`
  const message = (await refusalIn(readCsv, text, OWN)) ?? ''
  t.match(
    message,
    'line 4: the balance in column Balance goes from 1007.5 to 1000, which contradicts the ' +
      'amount 7.5, read as a credit; no amount has another sign, so some must be wrong; if a ' +
      'column has debit or credit, map it with direction=',
  )
  const directed = 'Date,Amount,Way,Balance\n02/01/2024,12.50,x,987.50\n15/01/2024,20.00,y,967.50\n'
  const columns = 'bookingDate=Date,amount=Amount,direction=Way:y|x,balanceAfter=Balance'
  t.equal(await sumWith(directed, columns), '-7.5', 'the balances agree')
  const other = parseColumns(columns.replace('y|x', 'x|y'))
  t.match(
    await refusalIn(readCsv, directed, { ...OWN, columns: other }),
    'specify the words of direction= in the other order, such as direction=Column:in|out',
  )
})

test('a known bank and an unknown table are refused by their balances', async (t) => {
  const rows = 'BE68539007547034;EUR;02/01/2024;Bakker;02/01/2024;12,50;87,50\n'
  const text =
    'Rekeningnummer;Munt;Datum;Omschrijving;Valuta;Bedrag;Saldo\n' +
    `${rows}${rows.replaceAll('02/01', '03/01').replace('87,50', '75,00')}`
  const message = await refusalIn(readCsv, text)
  t.match(message, 'line 3: the balance in column Saldo goes from 87.5 to 75')
  const unknown =
    'Day;Text;Debit;Credit;Running balance\n2024-01-14;a;10.00;;90.00\n' +
    '2024-01-15;b;30.00;;120.00\n'
  t.match(
    await refusalIn(readCsv, unknown, OWN),
    /not all columns could be placed: line 3: the balance in column Running balance goes from 90/u,
  )
})

/** Rows of one file: amounts in cents, each sign as the bank has it, and gaps before some rows. */
const ROWS = fc.array(
  fc.record({
    cents: fc.integer({ min: -3, max: 3 }),
    gap: fc.constantFrom(0, 0, 0, 0, 500),
  }),
  { minLength: 1, maxLength: 6 },
)

test('a file is refused by its pairs of rows, as by a naive twin', async (t) => {
  let [refusedCount, acceptedCount] = [0, 0]
  const property = async (
    rows: readonly { cents: number; gap: number }[],
    isReversed: boolean,
    isUp: boolean,
  ): Promise<void> => {
    let balance = 10_000
    const down = rows.map(({ cents, gap }, i) => {
      balance += gap + cents
      return { day: i + 1, amount: isReversed ? -cents : cents, balance }
    })
    const listed = isUp ? down.toReversed() : down
    const lines = listed.map(
      ({ day, amount, balance: after }) =>
        `2024-01-0${day},x,${(amount / 100).toFixed(2)},${(after / 100).toFixed(2)}\n`,
    )
    const message = await refusalIn(readCsv, ONE + lines.join(''), OWN)
    assert.equal(message !== undefined, isContradicted(listed), lines.join(''))
    if (message === undefined) acceptedCount += 1
    else refusedCount += 1
    if (!isReversed) assert.equal(message, undefined, `right signs are read: ${lines.join('')}`)
  }
  await assertProperty(fc.asyncProperty(ROWS, fc.boolean(), fc.boolean(), property), {
    numRuns: 500,
  })
  t.ok(refusedCount > 50 && acceptedCount > 50, `${refusedCount} refused, ${acceptedCount} read`)
})

interface Listed {
  readonly day: number
  readonly amount: number
  readonly balance: number
}

/** The rule, with all pairs at once. */
function isContradicted(listed: readonly Listed[]): boolean {
  const ways = [listed, listed.toReversed()].map((rows) => {
    const pairs = rows.slice(1).map((row, i) => {
      const step = row.balance - (rows[i]?.balance ?? 0)
      return row.amount === 0 ? '' : step === row.amount ? '+' : step === -row.amount ? '-' : '?'
    })
    const count = (kind: string): number => pairs.filter((pair) => pair === kind).length
    const [read, reversed, other] = [count('+'), count('-'), count('?')]
    return { read, reversed, other, explained: read + reversed }
  })
  const [down, up] = ways
  if (down === undefined || up === undefined) return false
  const isDownByDay = (listed[0]?.day ?? 0) < (listed.at(-1)?.day ?? 0)
  const isDown = down.explained === up.explained ? isDownByDay : down.explained > up.explained
  const chosen = isDown ? down : up
  if (chosen.reversed === 0) return false
  if (chosen.read + chosen.other === 0) return true
  const hasDebit = listed.some(({ amount }) => amount < 0)
  const hasCredit = listed.some(({ amount }) => amount > 0)
  return !(hasDebit && hasCredit) && chosen.explained >= chosen.other
}
