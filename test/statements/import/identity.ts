import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { IdentityCounter, identityBase } from '../../../src/statements/import/identity.js'
import type { TransactionRow } from '../../../src/store/columns.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { accountRows, transactionRows } from '../../fixtures/workspaces.js'

const rows = (maxLength: number): fc.Arbitrary<TransactionRow[]> =>
  accountRows().chain((accounts) => transactionRows(accounts, [], { maxLength }))

const twoRows = fc
  .tuple(rows(1), rows(1))
  .chain(([[a], [b]]) =>
    a === undefined || b === undefined ? fc.constant(undefined) : fc.constant([a, b] as const),
  )

test('an identity has 16 bytes, and occurs once per account', async () => {
  assertProperty(
    fc.property(rows(30), (list) => {
      const identities = new IdentityCounter()
      const seen = new Set<string>()
      for (const row of [...list, ...list]) {
        const identity = identities.next(row.accountId, row, undefined)
        assert.equal(identity.length, 16)
        const key = `${row.accountId} ${identity.toString('hex')}`
        assert.ok(!seen.has(key), key)
        seen.add(key)
      }
    }),
    { numRuns: 100 },
  )
})

test('the n-th of equal transactions has the same identity in every file', async () => {
  assertProperty(
    fc.property(rows(10), fc.nat({ max: 5 }), (list, others) => {
      const first = new IdentityCounter()
      const second = new IdentityCounter()
      // A file's rows for another account have no effect on this one.
      for (let i = 0; i < others; i++) for (const row of list) second.next(-1, row, undefined)
      for (const row of list) {
        const identity = first.next(row.accountId, row, undefined)
        assert.deepEqual(second.next(row.accountId, row, undefined), identity)
      }
    }),
    { numRuns: 100 },
  )
})

test('the base agrees with a comparison of days, amount, currency and words', async () => {
  const fold = (text: string | null): string =>
    [...(text ?? '').normalize('NFKC')]
      .filter((char) => !/\s/.test(char))
      .join('')
      .toUpperCase()
      .toLowerCase()
  const day = (at: number | null): number | null => (at === null ? null : Math.floor(at / 864e5))
  const cents = (row: TransactionRow): bigint =>
    BigInt(row.amountUnscaled) * 10n ** BigInt(5 - row.amountScale)
  const words = (row: TransactionRow): (string | null)[] => [
    row.counterpartName,
    row.counterpartIban,
    row.counterpartAccountNumber,
    row.purpose,
    row.type,
    row.endToEndReference,
    row.mandateReference,
    row.creditorId,
    row.customerReference,
    row.primanota,
    row.paypalInvoiceNumber,
  ]
  const fields = fc.subarray(['bookedAt', 'amountUnscaled', 'purpose', 'type', 'currency'] as const)
  assertProperty(
    fc.property(twoRows, fields, fc.boolean(), (pair, differing, isReferenced) => {
      if (pair === undefined) return
      const a = pair[0]
      const b = { ...a }
      for (const field of differing) Object.assign(b, { [field]: pair[1][field] })
      const reference = isReferenced ? 'R1' : undefined
      const isEqual =
        day(a.bookedAt) === day(b.bookedAt) &&
        day(a.valuedAt) === day(b.valuedAt) &&
        cents(a) === cents(b) &&
        a.currency === b.currency &&
        (isReferenced || words(a).every((word, i) => fold(word) === fold(words(b)[i] ?? null)))
      assert.equal(identityBase(a, reference) === identityBase(b, reference), isEqual)
    }),
    { numRuns: 500 },
  )
})

test('bookings with one reference and different amounts are both kept', async (t) => {
  const [row] = fc
    .sample(
      rows(1).filter((list) => list.length === 1),
      1,
    )
    .flat()
  if (row === undefined) return t.fail('no row')
  const dearer = { ...row, amountUnscaled: row.amountUnscaled + 1 }
  t.not(identityBase(row, 'R1'), identityBase(dearer, 'R1'))
  t.not(identityBase(row, 'R1'), identityBase(row, 'R2'))
  t.equal(
    identityBase(row, 'ref 1'),
    identityBase(row, 'REF1'),
    'case and white space do not count',
  )
  t.not(identityBase(row, row.purpose ?? ''), identityBase(row, undefined))
})
