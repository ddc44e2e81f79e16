// Alignments against the naive ones: cost, place and every step, of all with a score above 0.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type Alignment,
  type AlignmentSpace,
  align,
  alignmentSpace,
  type FieldSpan,
  STEP_LESS,
  STEP_LESS_FIRST,
  STEP_MORE,
  STEP_SKIP_HEAD,
  STEP_START,
  STEP_SWAP,
  stepOf,
} from '../../src/match/alignment.js'
import { compactField, plainField } from '../../src/match/compact.js'
import { FORBIDDEN, SCORE_MAX } from '../../src/match/costs.js'
import { parseReference } from '../../src/match/reference.js'
import type { ReferenceUnit } from '../../src/match/units.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveAlignment } from '../fixtures/naive-alignment.js'
import { references } from '../fixtures/naive-match.js'

const PIECES = [
  ...['0', '00', '0000000', '2', '5', '12', '815', '2024', '1001', '19', 'O', 'I', 'S', 'B', 'AE'],
  ...['E', 'X', 'RE', 'MUE', 'DEL', 'OO', '-', '/', '.', ' ', ' ', ';', '03.05.2026', '0816/17'],
]

const made = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 })
  .map((pieces) => pieces.join(''))

const texts = fc.oneof(made, references)

const queries = fc
  .oneof(texts, fc.tuple(fc.integer({ min: 3, max: 80 }), fc.nat(3_000)).map(zeros))
  .filter((text) => (text.match(/[A-Z\d]/gi) ?? []).length >= 2)
  .filter((text) => (text.match(/[A-Z]+|\d+/gi) ?? []).length <= 24)

function zeros([count, number]: readonly [number, number]): string {
  return `${'0'.repeat(count)}${number}`
}

function fieldOf(text: string): FieldSpan {
  const plain = plainField(text)
  const codes = new Uint8Array(plain.lengthMax)
  const gaps = new Uint8Array(plain.lengthMax)
  const marks = new Uint8Array(plain.lengthMax)
  const length = compactField(plain, { codes, gaps, marks, units: undefined }, 0)
  return { codes, gaps, marks, fieldFrom: 0, fieldTo: length, from: 0, to: length }
}

/** The steps of an alignment, from the last to the first. */
function stepsOf(
  unit: ReferenceUnit,
  field: FieldSpan,
  { cells, rows }: AlignmentSpace,
  { to, cut }: Alignment,
): number[] {
  const steps: number[] = []
  let row = unit.length - cut
  let column = to - field.from
  for (;;) {
    const step = stepOf(cells[(rows[row] ?? 0) + column] ?? 0)
    steps.push(step)
    if (step === STEP_START || step === STEP_SKIP_HEAD) return steps
    if (step !== STEP_MORE) row -= step === STEP_SWAP ? 2 : 1
    if (step !== STEP_LESS && step !== STEP_LESS_FIRST) column -= step === STEP_SWAP ? 2 : 1
  }
}

test('every alignment with a score equals the naive one', async (t) => {
  const space = alignmentSpace()
  const seen = new Map<number, number>()
  let worthlessCount = 0
  assertProperty(
    fc.property(
      queries,
      texts,
      fc.constantFrom(1, 1, 1, 4_000, 6_000, 9_000),
      fc.tuple(fc.nat(8), fc.nat(8)),
      (query, text, scoreMin, [skippedCount, leftCount]) => {
        const { primary, secondary } = parseReference(query)
        const field = fieldOf(text)
        field.from = Math.min(skippedCount, field.fieldTo)
        field.to = Math.max(field.from, field.fieldTo - leftCount)
        for (const unit of [...primary, ...secondary]) {
          const found = { cost: 0, to: 0, cut: 0 }
          align(unit, field, space, scoreMin, found)
          const wanted = naiveAlignment(unit, field)
          if (wanted.cost >= FORBIDDEN || SCORE_MAX - wanted.cost < scoreMin) {
            assert.ok(found.cost >= Math.min(wanted.cost, FORBIDDEN), 'it is no cheaper')
            worthlessCount += 1
            continue
          }
          const { cost, to, cut, steps } = wanted
          assert.deepEqual(found, { cost, to, cut })
          assert.deepEqual(stepsOf(unit, field, space, found), steps)
          for (const step of steps) seen.set(step, (seen.get(step) ?? 0) + 1)
        }
      },
    ),
    { numRuns: 20_000 },
  )
  t.ok(worthlessCount > 1_000, `${worthlessCount} without a score`)
  t.equal(seen.size, 7, 'each step occurs')
  for (const [step, count] of seen) t.ok(count > 2, `step ${step}: ${count}`)
})
