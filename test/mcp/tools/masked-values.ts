import { test } from 'tap'
import { MaskedValues } from '../../../src/mcp/tools/masked-values.js'

test('the values behind a mask are those of one integration and kind', async (t) => {
  const known = new MaskedValues()
  known.remember('i', 'name', 'Counterpart 1', 'Erika')
  known.remember('i', 'name', 'Counterpart 1', 'Erika')
  known.remember('i', 'counterpartIban', '…3000', 'DE1')
  known.remember('i', 'counterpartIban', '…3000', 'DE2')
  t.same(known.valuesOf('i', 'name', 'Counterpart 1'), ['Erika'])
  t.same(known.valuesOf('i', 'counterpartIban', '…3000'), ['DE1', 'DE2'])
  t.same(known.valuesOf('i', 'accountIban', '…3000'), [])
  t.same(known.valuesOf('j', 'name', 'Counterpart 1'), [])
})

test('the mask that was used least recently is forgotten', async (t) => {
  const known = new MaskedValues(2)
  known.remember('i', 'name', 'a', 'A')
  known.remember('i', 'name', 'b', 'B')
  known.valuesOf('i', 'name', 'a')
  known.remember('i', 'name', 'c', 'C')
  t.same(
    ['a', 'b', 'c'].map((mask) => known.valuesOf('i', 'name', mask)),
    [['A'], [], ['C']],
  )
})

test('a mask has a limited number of values', async (t) => {
  const known = new MaskedValues()
  for (let i = 0; i < 100; i++) known.remember('i', 'name', 'a', `A${i}`)
  t.equal(known.valuesOf('i', 'name', 'a').length, 8)
})
