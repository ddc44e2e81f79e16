import fc from 'fast-check'
import { test } from 'tap'
import { requestIdOf } from '../../../src/http/engine/request-id.js'
import { ANY_CHARACTER } from '../../fixtures/any-character.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('1 to 128 visible ASCII characters are kept, anything else is replaced', async (t) => {
  for (const sent of ['a', '!', '~', 'x'.repeat(128), '"quoted"', 'a-b_c.d/e']) {
    t.equal(requestIdOf(sent), sent)
  }
  assertProperty(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 140 }), (sent) => {
      const usable = sent.length >= 1 && sent.length <= 128 && !/[^!-~]/.test(sent)
      return (requestIdOf(sent) === sent) === usable
    }),
  )
})

test('generated ids are valid themselves and distinct', async (t) => {
  const made = new Set(Array.from({ length: 10_000 }, () => requestIdOf('')))
  t.equal(made.size, 10_000)
  for (const sent of ['', ' ', 'a b', 'a\r\nb', 'ä', 'x'.repeat(129)]) {
    const id = requestIdOf(sent)
    t.not(id, sent)
    t.notOk(made.has(id))
    t.equal(requestIdOf(id), id)
  }
})
