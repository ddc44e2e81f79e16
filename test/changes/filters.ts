// For each filter, a commit of another program that moves a transaction into it, and one that moves
// it out again.
import { test } from 'tap'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { accountRow, OWN_IBAN, SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { overOneEngine } from '../fixtures/service.js'
import type { WorkspaceRows } from '../fixtures/workspaces.js'

/** Transaction 302 alone is on account 3. */
const ROWS: WorkspaceRows = {
  ...SAMPLE,
  accounts: [
    ...SAMPLE.accounts.slice(0, 2),
    accountRow(3, { iban: OWN_IBAN, accountNumber: '532013000', bic: 'COBADEFFXXX' }),
  ],
  transactions: [
    ...SAMPLE.transactions.slice(0, 301),
    transactionRow(302, 3, { categoryId: 1, counterpartIban: 'AT611904300234573201' }),
  ],
}

const set = (values: string): string => `UPDATE transactions SET ${values} WHERE id = 302`
const at = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)
const plain = set('amount_unscaled = -100, amount_scale = 2')

/** Filter -> the changes that move the transaction in and out. */
const MOVES: Readonly<Record<string, readonly [into: string, out: string]>> = {
  'amountFrom=7000.00001': [set('amount_unscaled = 700000001, amount_scale = 5'), plain],
  'amountTo=-7000': [set('amount_unscaled = -7000, amount_scale = 0'), plain],
  'absoluteAmount=7000': [set('amount_unscaled = -700000'), plain],
  'direction=in': [set('amount_unscaled = 1'), plain],
  'direction=out': [plain, set('amount_unscaled = 0')],
  'currency=CHF': [set("currency = 'CHF'"), set("currency = 'EUR'")],
  'accountIds=3': [set('account_id = 3'), set('account_id = 2')],
  'uncategorized=true': [set('category_id = NULL'), set('category_id = 1')],
  'uncategorized=false': [set('category_id = 1'), set('category_id = NULL')],
  'ownTransfers=only': [
    set(`counterpart_iban = '${OWN_IBAN}'`),
    set("counterpart_iban = 'AT611904300234573201'"),
  ],
  'ownTransfers=exclude': [
    'UPDATE accounts SET iban = NULL WHERE id = 3',
    "UPDATE accounts SET iban = 'AT611904300234573201' WHERE id = 3",
  ],
  'ownTransfers=only&limit=1': [
    `${set(`counterpart_iban = NULL, counterpart_account_number = '0532013000',
      counterpart_bic = 'COBADEFF'`)};
    UPDATE accounts SET bic = 'COBADEFFXXX' WHERE id = 3`,
    "UPDATE accounts SET bic = 'DEUTDEFF', iban = NULL WHERE id = 3",
  ],
  'updatedAfter=2030-01-01': [
    set(`updated_at = ${at('2030-01-02')}`),
    set(`updated_at = ${at('2030-01-01')}`),
  ],
  'updatedBefore=2020-01-01': [
    set(`updated_at = ${at('2019-12-31')}`),
    set(`updated_at = ${at('2020-01-01')}`),
  ],
  ...Object.fromEntries(
    [
      ['booked', 'booking_date'],
      ['valued', 'value_date'],
      ['imported', 'import_date'],
    ].flatMap(([name, column]) => [
      [
        `${name}From=2030-01-01`,
        [set(`${column} = ${at('2030-01-01')}`), set(`${column} = ${at('2029-12-31')}`)],
      ],
      [
        `${name}To=2020-01-01`,
        [set(`${column} = ${at('2020-01-02') - 1}`), set(`${column} = ${at('2020-01-02')}`)],
      ],
    ]),
  ),
}

test(
  'a commit moves a transaction into a filter, and another one moves it out',
  overOneEngine(async (t, service) => {
    await service.write('w', ROWS)
    const { key } = await service.newKey('w')
    const writer = new Database(service.pathOf('w'))
    /** Whether the newest transaction that passes the filter is the one that is changed. */
    const passes = async (filter: string): Promise<boolean> => {
      const reply = await service.ask(`/v1/w/transactions?${filter}`, { key })
      return reply.text.startsWith('[{"id":302,')
    }
    for (const [filter, [into, out]] of Object.entries(MOVES)) {
      for (const [sql, isIn] of [
        [out, false],
        [into, true],
        [out, false],
      ] as const) {
        writer.exec(sql)
        await service.until(async () => (await passes(filter)) === isIn)
      }
      t.pass(filter)
    }
    writer.close()
  }),
)
