import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type ExpectedPayment,
  evidenceNames,
  PaymentComparison,
  type RenderedRows,
} from '../../src/match/payment-evidence.js'
import { formatAmount } from '../../src/money.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  expectedPayments,
  naiveEvidence,
  type PaidRow,
  paidRows,
} from '../fixtures/naive-payment.js'

/** Rows as a segment renders them, with the members that matter here. */
function rendered(rows: readonly PaidRow[]): RenderedRows {
  const texts = rows.map((row) => {
    const amount = formatAmount(row.amountUnscaled, row.amountScale)
    const { currency, counterpartName, counterpartIban } = row
    const counterpart = {
      ...(counterpartName ? { name: counterpartName } : {}),
      ...(counterpartIban === null ? {} : { iban: counterpartIban }),
    }
    const json = JSON.stringify(counterpart)
    return `{"amount":${amount},"currency":"${currency}","counterpart":${json}},`
  })
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const rowOffsets = new Uint32Array(rows.length + 1)
  lengths.forEach((length, i) => {
    rowOffsets[i + 1] = rowOffsets[i]! + length // i < length
  })
  return { rowBytes: Buffer.from(texts.join('')), rowOffsets }
}

test('the evidence of a row equals the naive one', async (t) => {
  const counts = new Map<string, number>()
  await assertProperty(
    fc.property(
      fc.array(paidRows, { minLength: 1, maxLength: 20 }),
      expectedPayments,
      (rows, expected) => {
        const all = rendered(rows)
        const comparison = new PaymentComparison(expected)
        rows.forEach((row, i) => {
          const evidence = evidenceNames(comparison.evidenceOf(all, i))
          assert.deepEqual(evidence, naiveEvidence(expected, row))
          for (const kind of evidence) counts.set(kind, (counts.get(kind) ?? 0) + 1)
        })
      },
    ),
    { numRuns: 500 },
  )
  const kinds = ['amount_equal', 'amount_within_discount', 'iban_equal', 'name_similar']
  for (const kind of kinds) t.ok((counts.get(kind) ?? 0) > 50, `${kind}: ${counts.get(kind)}`)
})

const PAID: PaidRow = {
  ...{ amountUnscaled: -55_747, amountScale: 2, currency: 'EUR' },
  ...{ counterpartName: 'Muster Telekom Deutschla', counterpartIban: 'DE89370400440532013000' },
}

function evidenceOf(expected: ExpectedPayment, paid: Partial<PaidRow> = {}) {
  return evidenceNames(
    new PaymentComparison(expected).evidenceOf(rendered([{ ...PAID, ...paid }]), 0),
  )
}

test('an amount is compared exactly, without its sign', async (t) => {
  t.same(evidenceOf({ amount: { unscaled: 55_747, scale: 2 } }), ['amount_equal'])
  t.same(evidenceOf({ amount: { unscaled: 55_747, scale: 2 }, currency: 'EUR' }), ['amount_equal'])
  t.same(evidenceOf({ amount: { unscaled: 55_747, scale: 2 }, currency: 'USD' }), [])
  t.same(evidenceOf({ amount: { unscaled: 586_810_526, scale: 6 - 1 } }), [])
  const largest = { unscaled: 999_999_999_999_999, scale: 5 }
  t.same(evidenceOf({ amount: largest }, { amountUnscaled: largest.unscaled, amountScale: 5 }), [
    'amount_equal',
  ])
  t.same(
    evidenceOf({ amount: largest }, { amountUnscaled: largest.unscaled - 1, amountScale: 5 }),
    ['amount_within_discount'],
  )
})

test('a discount is at most 5 %', async (t) => {
  const asked = { amount: { unscaled: 100, scale: 0 } }
  const paid = (unscaled: number) => evidenceOf(asked, { amountUnscaled: unscaled, amountScale: 5 })
  t.same(paid(9_500_000), ['amount_within_discount'])
  t.same(paid(-9_500_000), ['amount_within_discount'])
  t.same(paid(9_499_999), [])
  t.same(paid(9_999_999), ['amount_within_discount'])
  t.same(paid(10_000_000), ['amount_equal'])
  t.same(paid(10_000_001), [])
})

test('names are similar when the words of one begin words of the other', async (t) => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['Muster Telekom AG', 'MUSTER TELEKOM', true],
    ['Telekom, Muster', 'Muster Telekom AG', true],
    ['Muster Telekom Deutschland GmbH', 'Muster Telekom Deutschla', true],
    ['Müller', 'Mueller GmbH', true],
    ['Müller', 'Muller GmbH', true],
    ['Mueller', 'Muller', false],
    ['Muster Telekom', 'Muster Energie', false],
    ['AG & Co.', 'AG & Co.', false],
    ['Telekom', 'Mustertelekom', false],
    ['', 'Muster', false],
  ]
  for (const [asked, name, isSimilar] of rows) {
    const evidence = evidenceOf({ counterpartName: asked }, { counterpartName: name })
    t.same(evidence, isSimilar ? ['name_similar'] : [], `${asked} | ${name}`)
  }
})
