// Bounds before a unit is aligned and pruned alignments, against the full alignment: all pairs that
// reach the minimum score have the same score.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { comparison, type UnitScore } from '../../src/match/comparison.js'
import { compactFields, MATCH_FIELDS, type MatchFields } from '../../src/match/fields.js'
import { parseReference, type Reference } from '../../src/match/reference.js'
import { viewRow } from '../../src/match/row-view.js'
import { scoreRow } from '../../src/match/score.js'
import { scoreUnit } from '../../src/match/unit-score.js'
import { findUnits, type UnitSet } from '../../src/match/unit-set.js'
import type { ReferenceUnit } from '../../src/match/units.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { fieldsWith } from '../fixtures/fields-with.js'
import { references } from '../fixtures/naive-match.js'

const PIECES = [
  ...['0', '00', '0000000', '1', '2', '10', '20', '11', '815', '2024', '2023', '1001', '19'],
  ...['O', 'I', 'L', 'S', 'Z', 'OO', 'AE', 'E', 'X', 'RE', 'KD ', 'DEL', 'SALDO', 'HALLE'],
  ...['-', '/', '.', ' ', ' ', ' ', ';', '03.05.2026', '0816/17', '12,50'],
]

const texts = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 })
  .map((pieces) => pieces.join(''))

const numbers = fc
  .tuple(fc.constantFrom(0, 0, 1, 2, 3, 20, 40, 62), fc.constantFrom(1, 2, 10, 11, 20, 21, 2024))
  .map(([zeros, number]) => `${'0'.repeat(zeros)}${number}`)

const lists = fc
  .tuple(
    fc.constantFrom('', '', 'RE ', 'Kd '),
    fc.array(numbers, { minLength: 1, maxLength: 6 }),
    fc.constantFrom(';', ' Kd ', '; ', ' RE '),
  )
  .map(([head, all, between]) => head + all.join(between))

const queries = fc
  .oneof(texts, lists, lists, references)
  .filter((text) => [...text].length <= 256)
  .filter((text) => (text.match(/[A-Z\d]/gi) ?? []).length >= 2)
  .filter((text) => (text.match(/[A-Z]+|\d+/gi) ?? []).length <= 24)

/** A text of a field, mostly with a part of the query in it. */
const drawnTexts = fc.record({
  head: fc.oneof(fc.constant(''), texts),
  part: fc.nat(20),
  tail: fc.oneof(fc.constantFrom('', ' '), texts),
  form: fc.nat(4),
})

type DrawnText = typeof drawnTexts extends fc.Arbitrary<infer Drawn> ? Drawn : never

function textWith(query: string, { head, part, tail, form }: DrawnText): string {
  const parts = query.split(/; ?| Kd | RE /)
  const chosen = parts[part % (parts.length + 1)] ?? ''
  const bare = chosen.replace(/^0+/, '')
  const forms = [chosen, bare, bare, chosen.split('').join(' '), bare.split('').join(' ')]
  return head + forms[form] + tail
}

const leasts = fc.constantFrom(1, 1, 800, 3_000, 4_600, 5_600, 6_100, 6_500, 7_000, 9_000, 9_300)

/** The unit without its precomputed bounds. */
function plain(unit: ReferenceUnit): ReferenceUnit {
  return { ...unit, leadingZeros: 0, exactBelow: 0 }
}

/**
 * The L for the 1 costs less to align and leaves less; the 2 for a zero spares the zero's cost; the
 * text that seems cut off lacks two letters.
 */
const EXAMPLES: [string, DrawnText, number][] = [
  ['1;1', { head: 'L', part: 0, tail: 'SALDO0', form: 1 }, 4_600],
  [`00021;${'0'.repeat(40)}1`, { head: '', part: 0, tail: ' IS', form: 0 }, 1],
  ['I0000000KD 0', { head: 'I00', part: 1, tail: '', form: 0 }, 7_000],
]

test('the score of a unit with bounds equals that of the full alignment', async (t) => {
  const counts = { worth: 0, less: 0, zeros: 0 }
  assertProperty(
    fc.property(queries, drawnTexts, leasts, (query, drawn, least) => {
      const { primary, secondary } = parseReference(query)
      const scratch = comparison(compactFields(fieldsWith({ purpose: textWith(query, drawn) })))
      viewRow(scratch.row, 0)
      const [field] = scratch.row.every
      assert.ok(field !== undefined)
      const scoreOf = (unit: ReferenceUnit, number: number, scoreMin: number): UnitScore => {
        scratch.scoreMin = scoreMin
        scoreUnit(unit, number, field, scratch)
        return { ...scratch.inField }
      }
      for (const set of [primary, secondary]) {
        findUnits(set, scratch.row)
        set.units.forEach((unit, number) => {
          const wanted = scoreOf(plain(unit), number, 1)
          const found = scoreOf(unit, number, least)
          if (wanted.score >= least) assert.deepEqual(found, wanted)
          else assert.ok(found.score < least)
          if (wanted.score < least) counts.less += 1
          else counts.worth += 1
          if (wanted.score >= least && unit.leadingZeros > 10) counts.zeros += 1
        })
      }
    }),
    { numRuns: 6_000, examples: EXAMPLES },
  )
  t.ok(counts.worth > 1_000, `${counts.worth} that reach the minimum`)
  t.ok(counts.less > 1_000, `${counts.less} that do not`)
  t.ok(counts.zeros > 20, `${counts.zeros} with many zeros`)
})

const drawnFields = fc.tuple(...MATCH_FIELDS.map(() => fc.option(drawnTexts, { freq: 2 })))

function fieldsOf(query: string, drawn: readonly (DrawnText | null)[]): MatchFields {
  const entries = MATCH_FIELDS.map((name, i) => {
    const field = drawn[i] ?? null
    return [name, field === null ? null : textWith(query, field)]
  })
  return fieldsWith(Object.fromEntries(entries))
}

function plainReference(reference: Reference): Reference {
  const { primary, secondary } = reference
  const plainSet = (set: UnitSet): UnitSet => ({ ...set, units: set.units.map(plain) })
  return { ...reference, primary: plainSet(primary), secondary: plainSet(secondary) }
}

test('the score of a transaction is the same with a minimum', async (t) => {
  const counts = { worth: 0, less: 0, lists: 0 }
  assertProperty(
    fc.property(queries, drawnFields, leasts, (query, drawn, least) => {
      const reference = parseReference(query)
      const scratch = comparison(compactFields(fieldsOf(query, drawn)))
      viewRow(scratch.row, 0)
      scoreRow(plainReference(reference), scratch)
      const wanted = { ...scratch.result }
      scoreRow(reference, scratch, least)
      const found = { ...scratch.result }
      assert.equal(scratch.scoreMin, 1, 'the next one starts from scratch')
      if (wanted.score >= least) assert.deepEqual(found, wanted)
      else assert.ok(found.score < least)
      if (wanted.score < least) counts.less += 1
      else counts.worth += 1
      if (wanted.score >= least && reference.primary.units.length > 3) counts.lists += 1
    }),
    { numRuns: 6_000 },
  )
  t.ok(counts.worth > 1_000, `${counts.worth} that reach the minimum`)
  t.ok(counts.less > 1_000, `${counts.less} that do not`)
  t.ok(counts.lists > 100, `${counts.lists} lists`)
})
