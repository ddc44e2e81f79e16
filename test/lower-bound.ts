import fc from 'fast-check'
import { test } from 'tap'
import { lowerBound } from '../src/lower-bound.js'
import { assertProperty } from './fixtures/assert-property.js'

test('the first place that is not before the wanted one, as a scan finds it', async () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 })
  const property = fc.property(
    numbers,
    fc.nat(40),
    fc.integer({ min: -1, max: 21 }),
    (all, from, wanted) => {
      const ascending = all.toSorted((a, b) => a - b)
      const low = Math.min(from, ascending.length)
      const looks: number[] = []
      const found = lowerBound(low, ascending.length, (place) => {
        looks.push(place)
        return ascending[place]! < wanted
      })
      const first = ascending.findIndex((number, place) => place >= low && number >= wanted)
      if (found !== (first === -1 ? ascending.length : first)) throw new Error(`found ${found}`)
      if (looks.some((place) => place < low || place >= ascending.length))
        throw new Error('outside')
      const looksMax = Math.ceil(Math.log2(ascending.length - low + 1))
      if (looks.length > looksMax) throw new Error(`${looks.length} looks`)
    },
  )
  assertProperty(property)
})

test('an empty range has only its end', async (t) => {
  t.equal(
    lowerBound(7, 7, () => {
      throw new Error('there is no place to look at')
    }),
    7,
  )
})

test('places past the range of 32 bits are found', async (t) => {
  const wanted = 2 ** 40 + 2 ** 31 + 1
  t.equal(
    lowerBound(2 ** 40, 2 ** 40 + 2 ** 32 - 1, (place) => place < wanted),
    wanted,
  )
})
