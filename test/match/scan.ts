// Filter and scorer against scoring every row: the same hits, in the same order, at any threshold,
// for any number of threads and any block size.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { MatchFields } from '../../src/match/fields.js'
import type { MatchIndex } from '../../src/match/match-index.js'
import { MATCH_GRAMS_ROWS_MIN } from '../../src/match/match-index.js'
import { MatchIndexBuilder } from '../../src/match/match-index-builder.js'
import { parseReference } from '../../src/match/reference.js'
import {
  blocksLeft,
  type RowRange,
  readHitKey,
  type ScannedRows,
  type ScanTask,
  scanBlocks,
  scanCells,
  scanProgress,
  stopScan,
  yieldScan,
} from '../../src/match/scan.js'
import { scoreMatch } from '../../src/match/score.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { references } from '../fixtures/naive-match.js'
import { matchRows } from '../fixtures/naive-match-index.js'

function indexOf(rows: readonly MatchFields[]): MatchIndex {
  const builder = new MatchIndexBuilder(rows.length)
  for (const fields of rows) builder.add(fields)
  return builder.finish()
}

/** The rows of two segments, alternating in steps of `step`, the last first. */
function windowOf(segments: readonly (readonly MatchFields[])[], step: number) {
  const ordinals: number[] = []
  const spans: number[] = []
  const fields: MatchFields[] = []
  const left = segments.map((rows) => rows.length)
  while (left.some((count) => count > 0)) {
    segments.forEach((rows, number) => {
      const before = ordinals.length
      for (let i = 0; i < step && (left[number] ?? 0) > 0; i++) {
        left[number] = (left[number] ?? 0) - 1
        ordinals.push(left[number] ?? 0)
        fields.push(rows[left[number] ?? 0] as MatchFields)
      }
      if (ordinals.length > before) spans.push(number, ordinals.length)
    })
  }
  const rows: ScannedRows = {
    ordinals: Uint32Array.from(ordinals),
    spans: Uint32Array.from(spans),
    indexes: segments.map(indexOf),
  }
  return { rows, fields }
}

const queries = fc
  .oneof(
    { weight: 4, arbitrary: references },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '24',
        '2024',
        '2000',
        '0',
        'AB1',
        'Danke',
        '1001, 47',
        'Müller Straße',
        'vom Uhr',
      ),
    },
  )
  .filter((text) => (text.match(/[a-z\d]/gi) ?? []).length >= 2)

const cases = fc.record({
  segments: fc.array(matchRows, { minLength: 1, maxLength: 2 }),
  step: fc.integer({ min: 1, max: 2_000 }),
  query: queries,
  typed: fc.boolean(),
  scoreMin: fc.constantFrom(1, 1, 3_000, 4_500, 5_600, 6_000, 9_000),
  blockRows: fc.constantFrom(1, 7, 64, 4_096),
})

/** A reference that occurs in one of the rows, if there is a short one. */
function standing(rows: readonly MatchFields[]): string | undefined {
  return rows
    .flatMap((fields) => Object.values(fields) as (string | null)[])
    .filter((text) => text !== null)
    .find((text) => /^[ -~]{4,40}$/.test(text) && /\d.*\d/.test(text))
}

function taskOf(rows: ScannedRows, wanted: Partial<ScanTask>): ScanTask {
  return {
    rows,
    query: 'RE-2026-0815',
    scoreMin: 1,
    keptMax: 1_000_000,
    areCounted: true,
    blockRows: 64,
    deadlineTicks: Number.POSITIVE_INFINITY,
    progress: scanProgress(),
    ...wanted,
  }
}

const NO_FIELDS: MatchFields = {
  purpose: null,
  endToEndReference: null,
  customerReference: null,
  mandateReference: null,
  primanota: null,
  paypalInvoiceNumber: null,
}

const CHARACTERS = [
  '0',
  '0',
  'O',
  '1',
  'I',
  '5',
  'S',
  '8',
  '9',
  '-',
  '/',
  ' ',
  '.',
  ';',
  'A',
  'E',
  'X',
]

/** A text with one character inserted, removed, replaced or swapped with the next one. */
const edits = fc.record({
  kind: fc.constantFrom('put in', 'leave out', 'replace', 'swap'),
  at: fc.nat({ max: 30 }),
  character: fc.constantFrom(...CHARACTERS),
})

function edited(text: string, made: readonly { kind: string; at: number; character: string }[]) {
  return made.reduce((before, { kind, at, character }) => {
    const i = at % (before.length + 1)
    const rest = before.slice(i + 1)
    if (kind === 'put in') return before.slice(0, i) + character + before.slice(i)
    if (kind === 'leave out') return before.slice(0, i) + rest
    if (kind === 'replace') return before.slice(0, i) + character + rest
    return before.slice(0, i) + rest.slice(0, 1) + before.slice(i, i + 1) + rest.slice(1)
  }, text)
}

const ASKED = [
  'RE-2024-0815',
  '20240815',
  '4711',
  '815',
  '24',
  'K46X-0815',
  'MUE 2024 0815',
  '2000',
]
const LONG = ['DE-10002000300040005', 'AB12C34D56', '100200', 'RE 1001, RE 1002', 'KD 77 RE 4711/3']

const nearMisses = fc.record({
  query: fc.constantFrom(...ASKED, ...LONG),
  made: fc.array(
    fc.tuple(
      fc.constantFrom('', 'A', '1', '0', 'Zahlung ', 'vom 3.5. ', 'X9-'),
      fc.array(edits, { maxLength: 3 }),
    ),
    { minLength: 20, maxLength: 60 },
  ),
  scoreMin: fc.constantFrom(1, 2_000, 4_400, 4_600, 5_100, 5_600, 5_951, 6_000, 9_000),
})

test('an edited reference is found if and only if scoring the row finds it', async (t) => {
  let hitCount = 0
  let missCount = 0
  assertProperty(
    fc.property(nearMisses, ({ query, made, scoreMin }) => {
      const rows = Array.from({ length: 1_100 }, () => NO_FIELDS)
      made.forEach(([head, steps], i) => {
        rows[i * 17] = { ...NO_FIELDS, purpose: `${head}${edited(query, steps)} u. a.` }
      })
      const reference = parseReference(query)
      const { rows: scanned, fields } = windowOf([rows], 1_100)
      const none = scoreMatch(reference, NO_FIELDS)
      const wanted = fields.flatMap((row, position) => {
        const { score } = row === NO_FIELDS ? none : scoreMatch(reference, row)
        return score >= scoreMin ? [`${position} ${score} ${row.purpose}`] : []
      })
      const part = scanBlocks(taskOf(scanned, { query, scoreMin }), () => 0)
      const found = Array.from(part?.keys ?? [], (key) => {
        const { position, score } = readHitKey(key)
        return `${position} ${score} ${fields[position]?.purpose}`
      })
      assert.deepEqual(found.sort(), wanted.sort())
      hitCount += wanted.length
      missCount += made.length - wanted.length
    }),
    { numRuns: 1_000 },
  )
  t.ok(hitCount > 5_000 && missCount > 5_000, `${hitCount} hits, ${missCount} others`)
})

test('a scan finds the same rows as scoring every row', async (t) => {
  let hitCount = 0
  let passedCount = 0
  assertProperty(
    fc.property(cases, ({ segments, step, query, typed, scoreMin, blockRows }) => {
      const { rows, fields } = windowOf(segments, step)
      const text = (typed ? standing(segments[0] ?? []) : undefined) ?? query
      const reference = parseReference(text)
      const scored = new Map<MatchFields, ReturnType<typeof scoreMatch>>()
      const wanted = fields
        .map((row, position) => {
          const known = scored.get(row) ?? scoreMatch(reference, row)
          scored.set(row, known)
          return { position, ...known }
        })
        .filter(({ score }) => score >= scoreMin)
        .sort((a, b) => b.score - a.score || b.quality - a.quality || a.position - b.position)
        .map(({ position, score }) => ({ position, score, evidence: 0 }))
      const part = scanBlocks(taskOf(rows, { query: text, scoreMin, blockRows }), () => 0)
      assert.deepEqual(Array.from(part?.keys ?? [], readHitKey), wanted)
      assert.equal(part?.hitCount, wanted.length)
      hitCount += wanted.length
      passedCount += wanted.length > 0 && wanted.length < fields.length ? 1 : 0
    }),
    { numRuns: 150 },
  )
  t.ok(hitCount > 1_000, `${hitCount} hits`)
  t.ok(passedCount > 50, `${passedCount} scans with hits and others`)
})

const ROWS: readonly MatchFields[] = Array.from({ length: 5_000 }, (_, i) => ({
  ...NO_FIELDS,
  purpose: `RE-2026-${i + 1_000}`,
}))

test('the best hits are kept, all are counted', async (t) => {
  const { rows } = windowOf([ROWS], 5_000)
  const all = scanBlocks(taskOf(rows, { query: 'RE-2026-1234' }), () => 0)
  const some = scanBlocks(taskOf(rows, { query: 'RE-2026-1234', keptMax: 3 }), () => 0)
  t.ok((all?.hitCount ?? 0) > 3)
  t.equal(some?.hitCount, all?.hitCount)
  t.same(some?.keys, all?.keys.slice(0, 3))
  const best = { position: 5_000 - 1 - 234, score: 10_000, evidence: 0 }
  t.same(readHitKey(some?.keys[0] ?? 0), best)
})

test('without a count of hits, the best are the same', async (t) => {
  let fewerCount = 0
  assertProperty(
    fc.property(cases, fc.integer({ min: 1, max: 12 }), (drawn, keptMax) => {
      const { segments, step, query, typed, blockRows, scoreMin } = drawn
      const { rows, fields } = windowOf(segments, step)
      const task = { query: typed ? query : (standing(fields) ?? query), scoreMin, blockRows }
      const all = scanBlocks(taskOf(rows, task), () => 0)
      const best = scanBlocks(taskOf(rows, { ...task, keptMax, areCounted: false }), () => 0)
      const wanted = all?.keys.slice(0, keptMax) ?? new Float64Array(0)
      assert.deepEqual(best?.keys, wanted)
      const [bestCount, allCount] = [best?.hitCount ?? 0, all?.hitCount ?? 0]
      assert.ok(bestCount >= wanted.length && bestCount <= allCount)
      fewerCount += bestCount < allCount ? 1 : 0
    }),
    { numRuns: 150 },
  )
  t.ok(fewerCount > 5, `${fewerCount} scans skipped hits`)
})

test('a scan ends at its deadline, or when its caller has disconnected', async (t) => {
  const { rows } = windowOf([ROWS], 5_000)
  let now = 0
  const late = taskOf(rows, { deadlineTicks: 3 })
  t.equal(
    scanBlocks(late, () => now++),
    undefined,
  )
  t.ok(now > 3, 'it had started')
  const task = taskOf(rows, {})
  stopScan(task.progress)
  t.equal(
    scanBlocks(task, () => 0),
    undefined,
  )
})

test('the clock is read after each long row, and at intervals over empty ones', async (t) => {
  const rowCount = 40
  const long = Array.from({ length: rowCount }, () => ({
    ...NO_FIELDS,
    purpose: '1'.repeat(5_000),
  }))
  const empty = Array.from({ length: 1_000 }, () => NO_FIELDS)
  let looks = 0
  const ticks = (): number => {
    looks += 1
    return looks
  }
  const query = '1'.repeat(256)
  scanBlocks(taskOf(windowOf([long], rowCount).rows, { query, blockRows: 4_096 }), ticks)
  t.ok(looks >= rowCount, `${looks} reads at ${rowCount} rows`)
  looks = 0
  const late = { query, blockRows: 4_096, deadlineTicks: 5 }
  t.equal(scanBlocks(taskOf(windowOf([long], rowCount).rows, late), ticks), undefined)
  t.equal(looks, 5, 'it ends at the first late read')
  looks = 0
  scanBlocks(taskOf(windowOf([empty], 1_000).rows, { query: '24', blockRows: 4_096 }), ticks)
  t.ok(looks >= 5, `${looks} reads at rows without codes`)
})

test('the cost of a scan is the codes of its rows, in any segment', async (t) => {
  const three = [{ ...NO_FIELDS, purpose: 'RE-815' }, NO_FIELDS, { ...NO_FIELDS, primanota: '47' }]
  const two = [{ ...NO_FIELDS, endToEndReference: '123456' }, NO_FIELDS]
  const { rows } = windowOf([three, two], 1)
  t.equal(scanCells(rows, parseReference('RE 24')), (5 + 2 + 6) * 4)
  t.equal(scanCells(windowOf([three.slice(1, 2)], 1).rows, parseReference('RE 24')), 0)
})

test('several threads on one scan share its blocks', async (t) => {
  const { rows } = windowOf([ROWS], 5_000)
  const whole = scanBlocks(taskOf(rows, { query: '2026' }), () => 0)
  const task = taskOf(rows, { query: '2026', blockRows: 512 })
  const other = { part: undefined as ReturnType<typeof scanBlocks> }
  let looks = 0
  // In the middle of the first scan, the second takes the remaining blocks.
  const one = scanBlocks(task, () => {
    looks += 1
    if (looks === 4) other.part = scanBlocks(task, () => 0)
    return 0
  })
  t.ok((one?.hitCount ?? 0) > 0)
  t.ok((other.part?.hitCount ?? 0) > 0)
  const keys = [...(one?.keys ?? []), ...(other.part?.keys ?? [])].sort((a, b) => b - a)
  t.same(Float64Array.from(keys), whole?.keys)
})

/** Slices of a scan, in any order, each ended after a number of reads of the clock. */
const turnLengths = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 20 })

test('with any slicing, the slices together find the same as one scan', async (t) => {
  let restCount = 0
  assertProperty(
    fc.property(cases, turnLengths, ({ segments, step, query, scoreMin, ...drawn }, lengths) => {
      // Blocks longer than the rows scored between two reads of the clock.
      const blockRows = Math.max(512, drawn.blockRows)
      const { rows } = windowOf(segments, step)
      const whole = scanBlocks(taskOf(rows, { query, scoreMin, blockRows }), () => 0)
      const task = taskOf(rows, { query, scoreMin, blockRows })
      yieldScan(task.progress, true)
      const keys: number[] = []
      const waiting: RowRange[] = []
      let turnCount = 0
      while (waiting.length > 0 || blocksLeft(task) > 0) {
        const sliceTicks = lengths[turnCount % lengths.length] ?? 1
        // Every other time the unscored rows wait, and a new block is taken before it.
        const unscored = turnCount % 2 === 0 || blocksLeft(task) === 0 ? waiting.shift() : undefined
        let now = 0
        const part = scanBlocks(task, () => now++, { unscored, sliceTicks })
        assert.ok(part !== undefined)
        if (part.unscored !== undefined) {
          assert.ok(part.unscored.from < part.unscored.to)
          waiting.push(part.unscored)
          restCount += 1
        }
        keys.push(...part.keys)
        turnCount += 1
      }
      const best = keys.sort((a, b) => b - a)
      assert.deepEqual(best, Array.from(whole?.keys ?? []))
    }),
    { numRuns: 60 },
  )
  t.ok(restCount > 20, `${restCount} slices ended within a block`)
})

test('a slice that is late at once still scores a row', async (t) => {
  const rowCount = 5
  const long = Array.from({ length: rowCount }, () => ({
    ...NO_FIELDS,
    purpose: '1'.repeat(5_000),
  }))
  const query = '1'.repeat(256)
  const { rows } = windowOf([long], rowCount)
  const task = taskOf(rows, { query, blockRows: rowCount })
  yieldScan(task.progress, true)
  const ends: number[] = []
  let unscored: RowRange | undefined
  do {
    const part = scanBlocks(task, () => 0, { unscored, sliceTicks: 0 })
    unscored = part?.unscored
    ends.push(unscored?.from ?? rowCount)
  } while (unscored !== undefined && ends.length <= rowCount)
  t.same(ends, [1, 2, 3, 4, 5])
})

test('a slice continues while no other scan waits', async (t) => {
  const { rows } = windowOf([ROWS], 5_000)
  const task = taskOf(rows, { query: '2026' })
  let now = 0
  const part = scanBlocks(task, () => now++, { unscored: undefined, sliceTicks: 2 })
  t.ok(now > 10, `the clock was read ${now} times`)
  t.equal(part?.unscored, undefined)
  t.equal(blocksLeft(task), 0)
  const yielding = taskOf(rows, { query: '2026' })
  yieldScan(yielding.progress, true)
  now = 0
  scanBlocks(yielding, () => now++, { unscored: undefined, sliceTicks: 2 })
  t.equal(now, 3, 'it ends when the clock is read after its slice')
  t.ok(blocksLeft(yielding) > 0)
})

test('a seemingly cut-off field does not bypass the filter', async (t) => {
  // Letters are missing at the end of the field and of the required run, at a lower cost than
  // cut-off characters have.
  const filler = Array.from({ length: MATCH_GRAMS_ROWS_MIN }, () => ({ ...NO_FIELDS }))
  for (const [query, purpose] of [['I-SA 02A1', 'I21 I-SA 02A']] as const) {
    const { rows, fields } = windowOf([[{ ...NO_FIELDS, purpose }, ...filler]], 10_000)
    const position = fields.findIndex((one) => one.purpose === purpose)
    const { score } = scoreMatch(parseReference(query), { ...NO_FIELDS, purpose })
    t.ok(score > 0, query)
    for (const scoreMin of [1, score, score + 1]) {
      const part = scanBlocks(taskOf(rows, { query, scoreMin }), () => 0)
      const expected = scoreMin <= score ? [{ position, score, evidence: 0 }] : []
      t.same(Array.from(part?.keys ?? [], readHitKey), expected, `${query} ${scoreMin}`)
    }
  }
})

const PIECES = ['0', '0', '0', 'O', 'I', '1', '2', '5', 'S', 'K', 'KD', 'RE', '-', ' ', 'A', 'B']
const pieced = (maxLength: number) =>
  fc.array(fc.constantFrom(...PIECES), { maxLength }).map((pieces) => pieces.join(''))

/** A reference, and texts that contain it up to some position, with text before or after. */
const cutOffs = pieced(10)
  .filter((text) => /\d/.test(text) && (text.match(/[A-Z\d]/g) ?? []).length >= 2)
  .chain((query) => {
    const cut = fc.tuple(fc.nat({ max: query.length }), pieced(4), pieced(2), fc.boolean())
    const text = cut.map(([to, before, after, isJoined]) => {
      return `${before}${isJoined ? '' : ' '}${query.slice(0, to)}${after}`
    })
    return fc.record({ query: fc.constant(query), texts: fc.array(text, { maxLength: 60 }) })
  })

test('nothing is lost of a text that ends too early', async (t) => {
  const filler = Array.from({ length: MATCH_GRAMS_ROWS_MIN }, () => ({ ...NO_FIELDS }))
  assertProperty(
    fc.property(cutOffs, ({ query, texts }) => {
      const given = texts.map((purpose) => ({ ...NO_FIELDS, purpose }))
      const { rows, fields } = windowOf([[...given, ...filler]], 10_000)
      const reference = parseReference(query)
      const scores = fields.map((one) => scoreMatch(reference, one).score)
      for (const scoreMin of [3_000, 5_500, 5_951, 6_500, 7_400, 9_000]) {
        const part = scanBlocks(taskOf(rows, { query, scoreMin }), () => 0)
        const hits = Array.from(part?.keys ?? [], readHitKey)
        for (const { position, score } of hits) assert.equal(score, scores[position])
        const expected = scores.filter((score) => score >= scoreMin).length
        assert.equal(hits.length, expected, `${query} ${scoreMin}`)
      }
    }),
    { numRuns: 60 },
  )
  t.pass('60 references')
})
