import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  dayParameters,
  FILTER_NAMES,
  filterOf,
  readFilters,
  urlWith,
} from '../../../../src/dashboard/pages/explorer/filter-values.js'
import { Form } from '../../../../src/wire/form.js'
import { parseListQuery } from '../../../../src/wire/list-query.js'
import { assertProperty } from '../../../fixtures/assert-property.js'

test('a URL restores the filters it was made from', async (t) => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !/\0/.test(value))
  const values = fc.dictionary(fc.constantFrom(...FILTER_NAMES), text)
  assertProperty(
    fc.property(values, (set) => {
      const url = urlWith('/here', set)
      assert.match(url, /^\/here(\?[-\w.~!*()%=&]+)?$/)
      assert.deepEqual(readFilters(new Form(url.split('?')[1] ?? '')), { ...set })
    }),
  )
  t.equal(urlWith('/x', { query: "it's", offset: '50' }, { offset: undefined }), '/x?query=it%27s')
})

test('repeated and invalid values are not set', async (t) => {
  t.same(readFilters(new Form('query=a&query=b&account=&category=%ff&limit=3&more=1')), {
    limit: '3',
  })
})

test('date ranges include the first and the last day', async (t) => {
  const day = fc.date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  })
  assertProperty(
    fc.property(day, (date) => {
      const text = date.toISOString().slice(0, 10)
      const days = dayParameters({ bookedFrom: text, bookedTo: text })
      const query = parseListQuery(days.map(([name, value]) => `${name}=${value}`).join('&'))
      const midnight = Date.parse(`${text}T00:00:00.000Z`)
      assert.equal(query.bookedAfterMs, midnight - 1)
      assert.equal(query.bookedBeforeMs, midnight + 86_400_000)
    }),
  )
  t.same(dayParameters({ valuedFrom: 'yesterday', importedTo: '2026-02-30' }), [
    ['valuedAfter', 'yesterday'],
    ['importedBefore', '2026-02-30'],
  ])
})

test('parameters of the API are found in the form', async (t) => {
  t.equal(filterOf('bookedAfter'), 'bookedFrom')
  t.equal(filterOf('importedBefore'), 'importedTo')
  t.equal(filterOf('identifier'), 'account')
  t.equal(filterOf('iban'), 'counterpart')
  t.equal(filterOf('limit'), 'limit')
  t.equal(filterOf('explain'), undefined)
})
