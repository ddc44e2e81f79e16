// The report of a failing property has a test, because a lost report hides the failure.
import fc from 'fast-check'
import { test } from 'tap'
import { assertProperty } from './fixtures/assert-property.js'

const separator = fc.constantFrom('\u2028', '\u2029', '\u0085')

test('a failing property is reported in characters that TAP carries', async (t) => {
  const holdsNot = (text: string): boolean => text === ''
  const sync = (): void => assertProperty(fc.property(separator, holdsNot), { seed: 7 })
  const report = /seed: 7, .*Counterexample: \["\\u(2028|2029|0085)"\]/s
  t.throws(sync, report)
  const later = fc.asyncProperty(separator, async (text) => holdsNot(text))
  await t.rejects(assertProperty(later, { seed: 7 }), report)
})

test('a passing property runs as often as it asks', async (t) => {
  let runs = 0
  assertProperty(
    fc.property(separator, () => void runs++),
    { numRuns: 12 },
  )
  t.equal(runs, 12 * Number(process.env['KONTOR_RUNS'] ?? 1))
  runs = 0
  const later = fc.asyncProperty(separator, async () => {
    runs += 1
  })
  await assertProperty(later, { numRuns: 5 })
  t.equal(runs, 5 * Number(process.env['KONTOR_RUNS'] ?? 1))
})
