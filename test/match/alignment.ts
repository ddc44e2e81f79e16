// Alignments against the naive ones: cost, place and every step, of all with a score above 0.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type Alignment,
  align,
  emptyAlignment,
  STEP_LESS,
  STEP_LESS_FIRST,
  STEP_MORE,
  STEP_SKIP_HEAD,
  STEP_START,
  STEP_SWAP,
  stepOf,
} from '../../src/match/alignment.js'
import { FORBIDDEN, SCORE_MAX } from '../../src/match/costs.js'
import { compactFields } from '../../src/match/fields.js'
import { parseReference } from '../../src/match/reference.js'
import { type FieldView, rowView, viewRow } from '../../src/match/row-view.js'
import type { ReferenceUnit } from '../../src/match/units.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { fieldsWith } from '../fixtures/fields-with.js'
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

function fieldOf(purpose: string): FieldView {
  const row = rowView(compactFields(fieldsWith({ purpose })))
  viewRow(row, 0)
  const [field] = row.every
  assert.ok(field !== undefined)
  return field
}

/** The steps of an alignment, from the last to the first. */
function stepsOf(
  unit: ReferenceUnit,
  field: FieldView,
  { cells, rows, to, cut }: Alignment,
): number[] {
  const steps: number[] = []
  let row = unit.length - cut
  let column = to - field.alignFrom
  for (;;) {
    const step = stepOf(cells[(rows[row] ?? 0) + column] ?? 0)
    steps.push(step)
    if (step === STEP_START || step === STEP_SKIP_HEAD) return steps
    if (step !== STEP_MORE) row -= step === STEP_SWAP ? 2 : 1
    if (step !== STEP_LESS && step !== STEP_LESS_FIRST) column -= step === STEP_SWAP ? 2 : 1
  }
}

test('every alignment with a score equals the naive one', async (t) => {
  const alignment = emptyAlignment()
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
        field.alignFrom = Math.min(skippedCount, field.to)
        field.alignTo = Math.max(field.alignFrom, field.to - leftCount)
        for (const unit of [...primary.units, ...secondary.units]) {
          align(unit, field, alignment, scoreMin)
          const wanted = naiveAlignment(unit, field)
          if (wanted.cost >= FORBIDDEN || SCORE_MAX - wanted.cost < scoreMin) {
            assert.ok(alignment.cost >= Math.min(wanted.cost, FORBIDDEN), 'it is no cheaper')
            worthlessCount += 1
            continue
          }
          const { cost, to, cut } = alignment
          const steps = stepsOf(unit, field, alignment)
          assert.deepEqual({ cost, to, cut, steps }, wanted)
          for (const step of steps) seen.set(step, (seen.get(step) ?? 0) + 1)
        }
      },
    ),
    { numRuns: 10_000 },
  )
  t.ok(worthlessCount > 1_000, `${worthlessCount} without a score`)
  t.equal(seen.size, 7, 'each step occurs')
})
