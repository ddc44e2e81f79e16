import { test } from 'tap'
import { dayOrderOf } from '../../src/statements/day-text.js'
import { evidenceOf, inferMark, inferOrder } from '../../src/statements/inferred-notation.js'

const textsOf = (...texts: string[]): { line: number; field: string; text: string }[] =>
  texts.map((text, i) => ({ line: i + 1, field: 'F', text }))

const advise = (one: string, other: string): string => `specify ${one} or ${other}`

const markOf = (...texts: string[]): string | undefined =>
  inferMark(textsOf(...texts), (text) => text, advise)

const orderOf = (...texts: string[]): string | undefined =>
  inferOrder(textsOf(...texts), dayOrderOf, advise)

test('one text that proves the notation decides the ambiguous ones', async (t) => {
  t.equal(markOf('1.234', '5', '1.234,5'), 'comma')
  t.equal(markOf('1,234', '0.5'), 'point')
  t.equal(orderOf('01/02/2024', '31/01/2024'), 'dmy')
  t.equal(markOf('5', '12..34'), undefined, 'a text that is not an amount proves nothing')
  t.equal(orderOf('', 'x'), undefined)
})

test('ambiguous texts alone are a fault that names the settings', async (t) => {
  t.throws(() => markOf('5', '1.234'), {
    message: /^line 2, F: .* decimals .*specify decimalMark=comma or/,
  })
  t.throws(() => orderOf('01/02/2024'), {
    message: /^line 1, F: .* month first .*specify dateFormat=dmy or dateFormat=mdy/,
  })
})

test('two texts that prove different notations are a fault', async (t) => {
  const message = /^line 3, F: "0\.5" and "0,5" \(line 1\) are amounts in two different notations$/
  t.throws(() => markOf('0,5', '1.234', '0.5'), { message })
  t.throws(() => evidenceOf(textsOf('a', 'b'), 'debits', (text) => text === 'a'), {
    message: /are debits in two/,
  })
})
