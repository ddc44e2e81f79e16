import { test } from 'tap'
import { cutForms, digitKey, withoutDatesAndAmounts } from '../../../bench/match-eval/candidate.js'
import {
  anyReference,
  appended,
  compacted,
  creditorReference,
  lengthened,
  mixedMandate,
  printed,
  shortened,
  slipped,
  substituted,
  swapped,
} from '../../../bench/match-eval/reference.js'
import { randomOf } from '../../../src/demo/random.js'

test('a slip gives another number, whatever its leading zeros', async (t) => {
  const random = randomOf(1)
  const same: string[] = []
  for (let i = 0; i < 500; i++) {
    const reference = random.pick([anyReference, mixedMandate, creditorReference])(random)
    for (const slip of [substituted, swapped, appended, shortened, lengthened]) {
      const other = slipped(reference, slip, random)
      const [own, slip1] = [digitKey(printed(reference)), digitKey(printed(other))]
      const isOther = slip1 !== own && other.prefix === reference.prefix
      if (!isOther) same.push(`${printed(reference)} -> ${printed(other)}`)
    }
  }
  t.strictSame(same, [])
})

test('substitution changes one digit, swapping exchanges two neighbours', async (t) => {
  const random = randomOf(2)
  const wrong: string[] = []
  for (let i = 0; i < 300; i++) {
    const digits = `0${random.digits(6)}`
    const [other, exchanged] = [substituted(digits, random), swapped(digits, random)]
    const differing = (text: string): number[] =>
      [...text].flatMap((digit, at) => (digit === digits[at] ? [] : [at]))
    if (differing(other).length !== 1) wrong.push(`${digits} -> ${other}`)
    const places = differing(exchanged)
    if (places.length === 1) continue // all digits were equal
    const isPermuted = [...exchanged].toSorted().join('') === [...digits].toSorted().join('')
    const isSwap = isPermuted && places.length === 2 && places[1] === (places[0] ?? 0) + 1
    if (!isSwap) wrong.push(`${digits} -> ${exchanged}`)
  }
  t.strictSame(wrong, [])
})

test('printed and compact forms', async (t) => {
  const reference = { prefix: 'RE', prefixGap: '-', parts: ['2024', '0815'], gap: '/' }
  t.equal(printed(reference), 'RE-2024/0815')
  t.equal(compacted(reference), 'RE20240815')
  t.equal(printed({ ...reference, prefix: '' }), '2024/0815')
  t.equal(digitKey('RE-2024-0815'), '2024815')
  t.same(cutForms('20248153'), ['2024815', '202481', '20248'])
})

test('dates, times and amounts are removed, references are not', async (t) => {
  const text = 'RE.2024.0815 v. 03.05.2024 um 23.57 UHR 1.204,10 EUR V-482.133.771'
  t.equal(digitKey(withoutDatesAndAmounts(text)), '2024815482133771')
})
