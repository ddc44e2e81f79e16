import { test } from 'tap'
import { ACCOUNT_SHAPE, shapeAt, TRANSACTION_SHAPE } from '../../src/wire/object-shape.js'

test('the kind of a path is known without a row', async (t) => {
  t.equal(shapeAt(TRANSACTION_SHAPE, ['amount']), 'value')
  t.equal(shapeAt(TRANSACTION_SHAPE, ['counterpart', 'iban']), 'value')
  t.match(shapeAt(TRANSACTION_SHAPE, ['counterpart']), { always: true })
  t.match(shapeAt(TRANSACTION_SHAPE, ['paypal']), { always: false })
  t.match(shapeAt(TRANSACTION_SHAPE, []), { always: true })
})

test('unknown paths, paths inside a value and inherited names have none', async (t) => {
  for (const path of [['nobody'], ['amount', 'value'], ['counterpart', 'x'], ['toString']]) {
    t.equal(shapeAt(TRANSACTION_SHAPE, path), undefined, path.join('.'))
  }
  t.equal(shapeAt(ACCOUNT_SHAPE, ['purpose']), undefined)
})
