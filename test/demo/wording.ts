import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { makeCounterparts } from '../../src/demo/counterparts.js'
import { type Invoice, invoiceNumber } from '../../src/demo/invoices.js'
import { randomOf } from '../../src/demo/random.js'
import {
  collectionPurpose,
  collectiveRemittanceOf,
  germanAmount,
  lessDiscount,
  remittanceOf,
  supplierInvoiceNumber,
  supplierPurpose,
} from '../../src/demo/wording.js'
import { readWords } from '../../src/demo/words.js'
import { FRIDAY } from '../fixtures/demo-company.js'

const counterparts = makeCounterparts(randomOf(1), readWords())
const [customer] = counterparts.businesses
if (customer === undefined) throw new Error('the demo has customers')
const invoice: Invoice = { customer, issued: FRIDAY, sequence: 815, cents: 123_456 }

test('amounts have the German notation', async (t) => {
  t.equal(germanAmount(123_456_789), '1.234.567,89')
  t.equal(germanAmount(-5), '0,05')
  t.equal(germanAmount(100_000), '1.000,00')
  t.equal(lessDiscount(10_000), 9_800)
})

test('references occur in every spelling', async (t) => {
  const random = randomOf(1)
  const written = Array.from({ length: 3_000 }, () => remittanceOf(invoice, random))
  const purposes = new Set(written.map(({ purpose }) => purpose))
  const expected = [
    'RE-2024-0815',
    'Rechnung 20240815',
    'Rg.Nr. 2024/0815',
    'RE2024 0815 v. 03.05.2024',
    `Kd-Nr ${customer.number} RE 2024-0815`,
    'Rechnung RE-2024-0815 vom 03.05.2024',
    '2024-0815',
    're 2024-0815 danke',
    'Facture 2024-0815',
    'RE 2024-815',
    'RE-20 24-0815',
    'RE-2O24-O815',
    'Rechnugn 2024-0815',
    'Ueberweisung fuer unsere Bestellung RE-2024-08',
    null,
  ]
  for (const text of expected) t.ok(purposes.has(text), String(text))
  const onlyReference = written.filter(
    ({ purpose, endToEndReference }) =>
      endToEndReference === 'RE-2024-0815' && !(purpose ?? '').includes('0815'),
  )
  t.ok(onlyReference.length > 0, 'the reference is in its own field only')
  for (const { purpose, endToEndReference } of written) {
    t.ok((purpose?.length ?? 0) <= 140)
    t.ok((endToEndReference?.length ?? 0) <= 35)
    t.not(purpose, '')
  }
})

test('a typist swaps two digits', async (t) => {
  const random = randomOf(2)
  const swapped = new Set(
    Array.from({ length: 5_000 }, () => remittanceOf(invoice, random).purpose),
  )
  t.ok(swapped.has('RE-2024-8015') || swapped.has('RE-2024-0185') || swapped.has('RE-2024-0851'))
})

test('one payment names several invoices', async (t) => {
  const random = randomOf(3)
  const invoices = [invoice, { ...invoice, sequence: 822 }, { ...invoice, sequence: 830 }]
  const written = new Set(
    Array.from({ length: 100 }, () => collectiveRemittanceOf(invoices, random).purpose),
  )
  t.same(
    [...written].sort(),
    [
      'RE-2024-0815, RE-2024-0822 u. RE-2024-0830',
      'RE-2024-0815, RE-2024-0822, RE-2024-0830',
      'RE-2024-0815/0822/0830',
      'Rechnungen 2024/0815 + 2024/0822 + 2024/0830',
    ].sort(),
  )
})

test('suppliers have their own numbering', async (t) => {
  const [supplier] = counterparts.suppliers
  assert(supplier !== undefined, 'there are suppliers')
  const number = (numbering: typeof supplier.numbering): string =>
    supplierInvoiceNumber({ ...supplier, numbering }, 815, 2024)
  t.equal(number('inv'), 'INV-000815')
  t.equal(number('year-slash'), 'RG 2024/0815')
  t.equal(number('facture'), 'Facture 2024-0815')
  t.equal(number('factuur'), 'Factuur 20240815')
  t.equal(number('short-year'), '24-0815')
  t.match(number('plain'), /^44\d{8}$/)
  const random = randomOf(4)
  for (let i = 0; i < 200; i++) {
    t.ok(supplierPurpose(supplier, { number: 'INV-000815', day: FRIDAY }, random).includes('815'))
  }
})

test("the company's own collections carry its own number", async (t) => {
  t.equal(collectionPurpose(invoice), 'Rechnung RE-2024-0815 vom 03.05.2024, vielen Dank')
  t.ok(collectionPurpose(invoice).includes(invoiceNumber(invoice)))
})
