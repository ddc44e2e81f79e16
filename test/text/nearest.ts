import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { nearestName } from '../../src/text/nearest.js'

const NAMES = ['workspace', 'format', 'lenient', 'json', 'data-dir']

test('a typing error finds the name that was meant', async (t) => {
  const cases = [
    ['workspce', 'workspace'],
    ['wokrspace', 'workspace'],
    ['Format', 'format'],
    ['fromat', 'format'],
    ['jsno', 'json'],
    ['datadir', 'data-dir'],
  ] as const
  for (const [typed, meant] of cases) t.equal(nearestName(typed, NAMES), meant, typed)
})

test('what is no typing error finds nothing', async (t) => {
  for (const typed of ['', 'x', 'purpose', 'a'.repeat(1000)]) {
    t.equal(nearestName(typed, NAMES), undefined, typed.slice(0, 20))
  }
})

test('one letter replaced, left out or added is always found', async () => {
  const letter = fc.constantFrom(...'abcxyz-')
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), fc.nat(), letter, (name, at, added) => {
      const i = at % name.length
      const rest = name.slice(i + 1)
      for (const typed of [name.slice(0, i) + rest, name.slice(0, i) + added + rest]) {
        assert.equal(nearestName(typed, NAMES), name, typed)
      }
      assert.equal(nearestName(name.slice(0, i) + added + name.slice(i), NAMES), name)
    }),
    { numRuns: 200 },
  )
})
