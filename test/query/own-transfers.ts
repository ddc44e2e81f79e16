// The list property of test/query/list.ts compares the filter with a naive one.
import { test } from 'tap'
import { ownCounterpartsOf } from '../../src/query/own-transfers.js'
import { accountRow, transactionRow } from '../fixtures/sample-workspace.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'

const IBAN = 'DE89370400440532013000'

const accounts = [
  accountRow(1, { iban: IBAN, accountNumber: '532013000', bic: 'COBADEFFXXX', blz: '37040044' }),
  accountRow(2, { iban: IBAN }),
  accountRow(3, { accountNumber: '202051' }),
]

const counterparts = [
  { counterpartIban: IBAN },
  { counterpartIban: 'DE02120300000000202051' },
  { counterpartAccountNumber: '0532013000', counterpartBic: '37040044' },
  { counterpartAccountNumber: '532013000', counterpartBic: 'COBADEFF' },
  { counterpartAccountNumber: '532013000' },
  { counterpartAccountNumber: '202051', counterpartBic: 'BYLADEM1001' },
]

const transactions = counterparts.map((known, i) => transactionRow(i + 1, 1, known))
const snapshot = snapshotOf({ accounts, categories: [], transactions })
const segment = onlySegment(snapshot)

test('an account is known by its IBAN, and by its number at its bank', async (t) => {
  const known = new WeakMap()
  const [first, ...others] = snapshot.accounts
  if (first === undefined) throw new Error('there are accounts')
  for (const time of ['at first', 'from memory']) {
    const codes = ownCounterpartsOf(segment, [first], known)
    t.equal(codes.ibans.size, 1, time)
    t.equal(codes.keys.size, 2, time)
  }
  t.equal(ownCounterpartsOf(segment, others, known).keys.size, 0, 'a number alone is no account')
  t.equal(ownCounterpartsOf(segment, snapshot.accounts, known).ibans.size, 1, 'each code once')
  t.equal(ownCounterpartsOf(segment, [], known).ibans.size, 0)
})
