import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ANSWER_CHARS_MIN } from '../../../src/limits.js'
import { answerOf, type ResultItems, SUM_CURRENCIES_MAX } from '../../../src/mcp/tools/answer.js'
import type { Item } from '../../../src/mcp/tools/compact.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import type { ToolReply } from '../../fixtures/tool-fixture.js'

function written(item: Item) {
  return { item, text: JSON.stringify(item) }
}

const purposes = fc
  .record({
    unit: fc.constantFrom('a', 'ä', '"', '\u0001', '😀'),
    length: fc.constantFrom(0, 10, 100, 1_000, 20_000),
  })
  .map(({ unit, length }) => unit.repeat(length))

const items = fc
  .array(purposes, { maxLength: 12 })
  .map((texts) => texts.map((purpose, id) => written({ id, amount: -1.5, purpose })))

const sums = fc
  .integer({ min: 0, max: SUM_CURRENCIES_MAX })
  .map((count) =>
    Array.from({ length: count }, (_, i) => ({ currency: `C${i}`, net: '9'.repeat(30) })),
  )

const found: fc.Arbitrary<ResultItems> = fc
  .record({ items, sums, offset: fc.nat({ max: 5 }), after: fc.nat({ max: 5 }) })
  .map(({ items: page, sums: totals, offset, after }) => ({
    ...{ listName: 'items', items: page, sums: totals, offset, limit: page.length, note: '' },
    totalCount: offset + page.length + after,
  }))

test('an answer stays within its budget, makes progress, and is the same JSON twice', async (t) => {
  const seen = { cut: 0, shortened: 0, whole: 0 }
  assertProperty(
    fc.property(found, (drawn) => {
      const { text, structuredContent } = answerOf(drawn, ANSWER_CHARS_MIN)
      assert.equal(text, JSON.stringify(structuredContent))
      assert.ok(text.length <= ANSWER_CHARS_MIN, `${text.length} characters`)
      const reply = structuredContent as unknown as ToolReply
      assert.equal(reply.returned, reply.items.length)
      assert.ok(reply.returned > 0 || drawn.items.length === 0)
      const next = drawn.offset + reply.returned
      const hasMore = reply.returned > 0 && next < drawn.totalCount
      assert.equal(reply.nextOffset, hasMore ? next : undefined)
      const isCut = reply.returned < drawn.items.length
      const isShortened = String(reply.items[0]?.['purpose']).endsWith('…')
      assert.equal(reply.truncated, isCut || isShortened ? true : undefined)
      assert.equal(reply.hint !== undefined, isCut || isShortened)
      if (isShortened) assert.equal(reply.returned, 1)
      else
        assert.deepEqual(
          reply.items,
          drawn.items.slice(0, reply.returned).map(({ item }) => item),
        )
      seen[isShortened ? 'shortened' : isCut ? 'cut' : 'whole'] += 1
    }),
    { numRuns: 400 },
  )
  t.ok(seen.cut > 10 && seen.shortened > 1 && seen.whole > 5, JSON.stringify(seen))
})

/** Number of lengths that are tried, among them the greatest one that fits. */
const LENGTHS = 1_000

/** First items of a page by length: left whole while they fit, and with two texts that are cut. */
const FIRST_ITEMS: Readonly<Record<string, (length: number) => Item>> = {
  whole: (length) => ({ a: 'x'.repeat(ANSWER_CHARS_MIN - LENGTHS + length) }),
  shortened: (length) => ({
    ...{ a: 'x'.repeat(ANSWER_CHARS_MIN), b: 'x'.repeat(ANSWER_CHARS_MIN) },
    c: 'x'.repeat(LENGTHS + length),
  }),
}

for (const [kind, itemOf] of Object.entries(FIRST_ITEMS)) {
  test(`an answer cut on the last page stays within its budget: ${kind}`, async (t) => {
    const lengths: number[] = []
    for (let length = 0; length < LENGTHS; length++) {
      const items = [itemOf(length), { a: 'x'.repeat(ANSWER_CHARS_MIN) }].map(written)
      const page = { listName: 'items', items, sums: [], note: '' } as const
      const found = { ...page, offset: 0, limit: 2, totalCount: 2 }
      const { text, structuredContent } = answerOf(found, ANSWER_CHARS_MIN)
      assert.equal((structuredContent as unknown as ToolReply).returned, 1)
      lengths.push(text.length)
    }
    const longest = Math.max(...lengths)
    t.ok(longest <= ANSWER_CHARS_MIN && longest > ANSWER_CHARS_MIN - 100, `${longest} characters`)
  })
}

/** A remark on a broad category, five of its children and the sums of twenty currencies. */
const NOTE_CHARS_MAX = 1_500

test('the longest possible transaction fits into the smallest answer', async (t) => {
  const texts = Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [`aFieldWithALongName${i}`, '\u0001'.repeat(10_000)]),
  )
  const item = { id: 1, account: texts, explanation: { matched: '\u0001', adjustments: ['a'] } }
  const totals = Array.from({ length: SUM_CURRENCIES_MAX }, (_, i) => ({
    ...{ currency: `C${i}`, count: 1_000_000 },
    ...{ in: '9'.repeat(20), out: '9'.repeat(20), net: '9'.repeat(20) },
  }))
  const { text } = answerOf(
    {
      ...{
        listName: 'items',
        items: [written(item)],
        sums: totals,
        offset: 0,
        limit: 250,
        totalCount: 5_000_000,
      },
      note: 'x'.repeat(NOTE_CHARS_MAX),
    },
    ANSWER_CHARS_MIN,
  )
  t.ok(text.length <= ANSWER_CHARS_MIN, `${text.length} characters`)
})

test('a note is included only when there is one', async (t) => {
  const plain = {
    listName: 'items',
    items: [],
    sums: [],
    offset: 0,
    limit: 10,
    totalCount: 0,
  } as const
  t.same(answerOf({ ...plain, note: '' }, ANSWER_CHARS_MIN).structuredContent, {
    ...{ totalCount: 0, returned: 0, sums: [], items: [] },
  })
  t.match(answerOf({ ...plain, note: 'So it is.' }, ANSWER_CHARS_MIN).structuredContent, {
    hint: 'So it is.',
  })
})
