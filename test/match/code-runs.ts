// Runs that are searched together against a search for each by itself.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { codeRun, hasRun } from '../../src/match/code-run.js'
import { codeRuns, findRuns } from '../../src/match/code-runs.js'
import { CODES, type CodeSpan, codeOf, GAPS, LEADING_ZERO } from '../../src/match/codes.js'
import { assertProperty } from '../fixtures/assert-property.js'

const codes = fc.constantFrom(0, 0, 1, 1, 2, codeOf('O'), codeOf('I'), codeOf('X'), LEADING_ZERO)

test('runs searched together equal a search for each', async (t) => {
  let foundCount = 0
  let otherCount = 0
  const cores = fc.array(fc.array(codes, { minLength: 1, maxLength: 20 }), { maxLength: 12 })
  const field = fc.array(fc.tuple(codes, fc.nat({ max: GAPS - 1 })), { maxLength: 40 })
  assertProperty(
    fc.property(cores, field, (drawn, places) => {
      const runs = drawn.map((core) => codeRun(Uint8Array.from(core), 0, core.length, CODES - 1))
      const text: CodeSpan = {
        codes: Uint8Array.from(places, ([code]) => code),
        gaps: Uint8Array.from(places, ([, gap]) => gap),
        from: 0,
        to: places.length,
      }
      const found = findRuns(codeRuns(runs), text)
      runs.forEach((run, number) => {
        const isThere = run !== undefined && hasRun(run, text)
        assert.equal((found & (1 << number)) !== 0, isThere)
        if (isThere) foundCount += 1
        else otherCount += 1
      })
    }),
    { numRuns: 5_000 },
  )
  t.ok(foundCount > 1_000, `${foundCount} present runs`)
  t.ok(otherCount > 1_000, `${otherCount} absent ones`)
})
