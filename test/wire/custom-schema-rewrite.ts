import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { parseCustomSchema } from '../../src/wire/custom-schema.js'
import { rewriteObject } from '../../src/wire/custom-schema-rewrite.js'
import { type ObjectShape, TRANSACTION_SHAPE } from '../../src/wire/object-shape.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { type Entries, naiveRewrite, type Tree } from '../fixtures/naive-rewrite.js'

const UNKNOWN_SHAPE: ObjectShape = new Map()

function rewrite(original: Tree, entries: Entries, shape: ObjectShape): Tree {
  const plan = parseCustomSchema(JSON.stringify(entries), { shape })
  const json = Buffer.from(`[0,${JSON.stringify(original)},0]`)
  const room = json.length - 6 + plan.growthBytesMax
  // The bytes before the place and after the room must not change.
  const out = Buffer.alloc(room + 20, '#')
  const end = rewriteObject(plan, json, out, { start: 3, outStart: 10 })
  const text = out.toString()
  if (end > 10 + room) throw new Error(`${end - 10} bytes, room for ${room}`)
  if (!text.startsWith('##########') || !text.endsWith('##########')) throw new Error(text)
  return JSON.parse(out.subarray(10, end).toString())
}

const names = fc.constantFrom('a', 'b', 'c', 'dd', 'é', 'q"', '\\')
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((path) => path.join('.'))
const leaves = fc.oneof(
  fc.string({ unit: ANY_CHARACTER }),
  fc.constantFrom('"}', '\\"', '{"a":1}', '__proto__', 'constructor', ',', '\u2028', '\\\\'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom('a', 1, { a: { b: ']' } }), { maxLength: 3 }),
)
const { tree } = fc.letrec<{ tree: Tree; value: unknown }>((tie) => ({
  tree: fc.dictionary(names, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  value: fc.oneof({ maxDepth: 4 }, leaves, tie('tree'), tie('tree')),
}))

function entriesOver(pool: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<Entries> {
  return fc
    .uniqueArray(fc.record({ from: pool, to: fc.option(pool, { freq: 6 }) }), {
      maxLength,
      selector: ({ from }) => from,
    })
    .map((pairs) => {
      const places = new Set<string>()
      const entries: Record<string, string | null> = {}
      for (const { from, to } of pairs) {
        if (to !== null && places.has(to)) continue
        if (to !== null) places.add(to)
        entries[from] = to
      }
      return entries
    })
}

test('the bytes equal the naive rewrite of objects', async (t) => {
  assertProperty(
    fc.property(tree, entriesOver(paths, 8), (original, entries) => {
      const { result } = naiveRewrite(original, entries)
      assert.deepEqual(rewrite(original, entries, UNKNOWN_SHAPE), result)
    }),
    { numRuns: 1_500 },
  )
  t.pass('all objects')
})

test('the rules, one by one', async (t) => {
  const original = { a: 1, b: 2, o: { x: 'x', y: 'y' }, p: { o: { z: 0 } }, e: {} }
  const cases: [what: string, entries: Entries, result: unknown][] = [
    ['nothing named, nothing changed', {}, original],
    ['two swap places', { a: 'b', b: 'a' }, { ...original, a: 2, b: 1 }],
    ['three go round', { a: 'b', b: 'e', e: 'a' }, { ...original, a: {}, b: 1, e: 2 }],
    ['null removes', { o: null, 'p.o.z': null }, { a: 1, b: 2, p: { o: {} }, e: {} }],
    ['an emptied object stays', { 'o.x': 'x', 'o.y': 'y' }, { ...original, o: {}, x: 'x', y: 'y' }],
    ['a missing attribute is skipped', { nix: 'a', 'a.b': 'b', 'e.f': 'o' }, original],
    ['a stayer is replaced', { a: 'o' }, { b: 2, o: 1, p: { o: { z: 0 } }, e: {} }],
    [
      'a child leaves before its parent moves',
      { o: 'p.q', 'o.x': 'x' },
      { a: 1, b: 2, p: { o: { z: 0 }, q: { y: 'y' } }, e: {}, x: 'x' },
    ],
    [
      'a child can stay where its parent was',
      { o: 'moved', 'o.x': 'o.x' },
      { a: 1, b: 2, moved: { y: 'y' }, o: { x: 'x' }, p: { o: { z: 0 } }, e: {} },
    ],
    [
      'into an object that has been moved',
      { o: 'n', a: 'n.x', b: 'n.m.b' },
      { n: { x: 1, y: 'y', m: { b: 2 } }, p: { o: { z: 0 } }, e: {} },
    ],
    [
      'into the place of one that was removed',
      { o: null, a: 'o.a' },
      { b: 2, o: { a: 1 }, p: { o: { z: 0 } }, e: {} },
    ],
    ['into itself', { o: 'o.o' }, { ...original, o: { o: { x: 'x', y: 'y' } } }],
  ]
  for (const [what, entries, result] of cases) {
    t.strictSame(rewrite(original, entries, UNKNOWN_SHAPE), result, what)
  }
})

test('numbers and text keep their digits and escapes, and neighbours their order', async (t) => {
  const plan = parseCustomSchema('{"b":"z"}', { shape: UNKNOWN_SHAPE })
  const json = Buffer.from('{"a":0.10,"c":"\\u00e4\\/","b":1.00000000000000000001,"d":-0}')
  const out = Buffer.alloc(200)
  const end = rewriteObject(plan, json, out, { start: 0, outStart: 0 })
  t.equal(
    out.subarray(0, end).toString(),
    '{"a":0.10,"c":"\\u00e4\\/","d":-0,"z":1.00000000000000000001}',
  )
})

const full: Tree = {
  id: 1,
  accountId: 2,
  account: { iban: 'DE1', name: 'n' },
  amount: -1.5,
  currency: 'EUR',
  category: { id: 3, name: 'Food' },
  parentCategory: {},
  counterpart: { name: 'c', iban: 'DE2' },
  purpose: 'p',
  paypal: { fee: 1 },
}
const { paypal: _, ...withoutPaypal } = full
const transactionPaths = fc.oneof(
  fc.constantFrom(...Object.keys(full), 'account.iban', 'category.id', 'paypal.fee', 'x', 'x.y'),
  fc.constantFrom('purpose.x', 'paypal.x', 'account.x', 'x.y.z', 'account.iban.x', 'category.x.y'),
)

test('refusal of a target does not depend on the row, and is always right', async (t) => {
  assertProperty(
    fc.property(entriesOver(transactionPaths, 5), (entries) => {
      const rows = [full, withoutPaypal]
      const naive = rows.map((row) => naiveRewrite(row, entries))
      const hits = naive.some((one) => one.hits)
      try {
        const rewritten = rows.map((row) => rewrite(row, entries, TRANSACTION_SHAPE))
        assert.equal(hits, false)
        assert.deepEqual(
          rewritten,
          naive.map(({ result }) => result),
        )
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        assert.match(error.message, /holds a single value/)
        assert.equal(hits, true)
      }
    }),
    { numRuns: 1_000 },
  )
  t.pass('all schemas')
})
