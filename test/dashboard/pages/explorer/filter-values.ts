import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  FILTER_NAMES,
  FORM_FILTERS,
  filterOf,
  readFilters,
  urlWith,
} from '../../../../src/dashboard/pages/explorer/filter-values.js'
import { FILTERS } from '../../../../src/wire/filter-rows.js'
import { Form } from '../../../../src/wire/form.js'
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

test('the form has every filter, but for dates for which it has days', async (t) => {
  const names: readonly string[] = FILTER_NAMES
  const missing = FILTERS.filter(({ name }) => !names.includes(name))
  for (const { name, kind } of missing) {
    t.equal(kind, 'instant', name)
    t.ok(names.includes(name.replace(/After$/, 'From').replace(/Before$/, 'To')), name)
  }
  t.same(
    FORM_FILTERS.filter((name) => !FILTERS.some((parameter) => parameter.name === name)),
    [],
    'the names are those of the parameters',
  )
})

test('parameters of the API are found in the form', async (t) => {
  t.equal(filterOf('bookedFrom'), 'bookedFrom')
  t.equal(filterOf('accountIds'), 'accountIds')
  t.equal(filterOf('bookedAfter'), undefined)
  t.equal(filterOf('identifier'), 'account')
  t.equal(filterOf('iban'), 'counterpart')
  t.equal(filterOf('limit'), 'limit')
  t.equal(filterOf('explain'), undefined)
})
