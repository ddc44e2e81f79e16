import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { dayOf } from '../../src/demo/calendar.js'
import { makeCounterparts } from '../../src/demo/counterparts.js'
import { invoiceNumber, openInvoiceBook, paddedSequence } from '../../src/demo/invoices.js'
import { randomOf } from '../../src/demo/random.js'
import { readWords } from '../../src/demo/words.js'
import { FRIDAY } from '../fixtures/demo-company.js'

const customers = makeCounterparts(randomOf(1), readWords()).businesses

test('every invoice is settled once', async (t) => {
  const book = openInvoiceBook(randomOf(1), customers, 4, FRIDAY)
  const numbers = Array.from({ length: 2_000 }, (_, i) =>
    invoiceNumber(book.settle(dayOf(FRIDAY.number + Math.floor(i / 4)))),
  )
  t.equal(new Set(numbers).size, numbers.length)
  for (const number of numbers) t.match(number, /^RE-202[45]-\d{4}$/)
})

test('invoices are issued before they are settled, some long before', async (t) => {
  const book = openInvoiceBook(randomOf(2), customers, 4, FRIDAY)
  const ages: number[] = []
  for (let i = 0; i < 2_000; i++) {
    const day = dayOf(FRIDAY.number + Math.floor(i / 4))
    const { issued, cents } = book.settle(day)
    ages.push(day.number - issued.number)
    t.ok(cents > 0)
  }
  t.ok(ages.every((age) => age >= 0))
  const mean = ages.reduce((sum, age) => sum + age, 0) / ages.length
  t.ok(mean > 12 && mean < 30, `${mean} days`)
})

test('the count restarts in January', async (t) => {
  const [customer] = customers
  assert(customer !== undefined, 'there are customers')
  const book = openInvoiceBook(randomOf(3), customers, 4, FRIDAY)
  const before = book.issue(customer, FRIDAY)
  t.equal(book.issue(customer, FRIDAY).sequence, before.sequence + 1)
  const january = book.issue(customer, dayOf(20_090))
  t.equal(invoiceNumber(january), 'RE-2025-0001')
  t.equal(paddedSequence({ ...january, sequence: 123_456 }), '123456')
})
