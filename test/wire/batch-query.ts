import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import {
  BATCH_TABLE,
  type BatchQuery,
  batchReference,
  parseBatchQuery,
} from '../../src/wire/batch-query.js'
import { assertProperty } from '../fixtures/assert-property.js'

function parse(body: unknown, rawQuery = ''): BatchQuery {
  return parseBatchQuery(rawQuery, BATCH_TABLE, Buffer.from(JSON.stringify(body)))
}

const ONE = { id: 'a', query: 'RE-1' }

test('members have defaults, and null is the same as absent', async (t) => {
  const absent = parse({ queries: [ONE] })
  t.match(absent, { scoreMin: 6_000, limit: 3, explain: false, filters: {} })
  t.same(absent.queries, [{ id: 'a', text: 'RE-1', expected: undefined }])
  const nothing = { amount: null, currency: null, counterpartName: null, counterpartIban: null }
  const nulls = { threshold: null, limit: null, explain: null }
  t.same(parse({ queries: [{ ...ONE, ...nothing }], ...nulls }), absent)
})

test('values are read exactly, and filters from the URL', async (t) => {
  const query = {
    ...{ ...ONE, amount: '-0012.50', currency: 'EUR', counterpartName: 'Müller' },
    counterpartIban: 'de89 3704 0044 0532 0130 00',
  }
  const body = { queries: [query], threshold: 0.85, limit: 10, explain: true }
  const schema = encodeURIComponent('{"amount":"value"}')
  const read = parse(body, `bookedAfter=2026-01-31T00:00:00.000Z&customSchema=${schema}`)
  t.match(read, { scoreMin: 8_500, limit: 10, explain: true })
  t.same(read.filters, { bookedAfterMs: Date.UTC(2026, 0, 31) })
  t.equal(read.customSchema?.entryCount, 1)
  t.same(read.queries[0]?.expected, {
    amount: { unscaled: 125, scale: 1 },
    currency: 'EUR',
    counterpartName: 'Müller',
    counterpartIban: 'DE89370400440532013000',
  })
  for (const amount of [12.5, -12.5, '12.5', '-12.50000']) {
    const [first] = parse({ queries: [{ ...ONE, amount }] }).queries
    t.same(first?.expected?.amount, { unscaled: 125, scale: 1 }, String(amount))
  }
  t.same(parse({ queries: [{ ...ONE, amount: -0 }] }).queries[0]?.expected?.amount, {
    unscaled: 0,
    scale: 0,
  })
})

test('a reference is that of a single match, or a fault of its member', async (t) => {
  const query = { id: 'a', text: 'RE 2026/0815', expected: undefined }
  t.equal(batchReference(query, 0).text, 'RE 2026/0815')
  t.throws(() => batchReference({ ...query, text: '?' }, 7), {
    code: 'invalid_parameter',
    message:
      'queries[7].query must be at least 2 characters long; for example "query": "RE-2026-00042"',
  })
})

const MEMBERS = ['id', 'query', 'amount', 'currency', 'counterpartName', 'counterpartIban']
const values = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('RE-1', 'EUR', '1.5', 'DE89370400440532013000', 1, null, '\ud800'),
)
const objects = fc.oneof(
  values,
  fc.dictionary(fc.oneof(fc.constantFrom(...MEMBERS, '__proto__'), fc.string()), values),
  fc.constant(ONE),
)
const bodies = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom('queries', 'threshold', 'limit', 'explain', 'x', '__proto__'),
    values,
  ),
  fc.record({ queries: fc.array(objects, { maxLength: 4 }) }),
  fc.string().map((name) => ({ queries: [{ ...ONE, [name]: 1 }], [name]: 1 })),
  fc.record({ queries: fc.array(objects, { maxLength: 3 }), limit: values, threshold: values }),
)

test('any JSON is read or is 400 with a path, in a short message', async (t) => {
  let readCount = 0
  const codes = new Map<string, number>()
  await assertProperty(
    fc.property(bodies, (body) => {
      try {
        const { queries } = parse(body)
        queries.forEach(batchReference)
        readCount += 1
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
        assert.equal(error.status, 400)
        assert.ok(error.message.length < 500, error.message)
        assert.match(error.message, /; for example |: did you mean |: the members are /)
        codes.set(error.code, (codes.get(error.code) ?? 0) + 1)
      }
    }),
    { numRuns: 2_000 },
  )
  t.ok(readCount > 5, `${readCount} are read`)
  t.same([...codes.keys()].sort(), ['invalid_parameter', 'invalid_request', 'unknown_parameter'])
})

test('any bytes are read or are 400', async (t) => {
  const whole = Buffer.from(JSON.stringify({ queries: [{ ...ONE, amount: 1 }], limit: 3 }))
  const edits = fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), {
    minLength: 1,
    maxLength: 3,
  })
  await assertProperty(
    fc.property(edits, fc.nat({ max: whole.length }), (edited, length) => {
      const bytes = Buffer.from(whole)
      for (const [at, byte] of edited) bytes[at] = byte
      for (const sent of [bytes, bytes.subarray(0, length)]) {
        try {
          parseBatchQuery('', BATCH_TABLE, sent)
        } catch (error) {
          assert.ok(error instanceof ApiError && error.status === 400, String(error))
        }
      }
    }),
    { numRuns: 1_000 },
  )
  t.pass('1,000 bodies')
})

test('a body of a hundred thousand faults has the first of them', async (t) => {
  const first = parse({ queries: [ONE] }).queries
  t.equal(first.length, 1)
  const many = { queries: [ONE, ...Array.from({ length: 100_000 }, () => 1)] }
  t.throws(() => parse(many), { message: /^queries\[1\] must be an object, not 1; for example / })
  const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`x${i}`, i]))
  t.throws(() => parse({ queries: [{ ...ONE, ...unknown }] }), {
    message: /^Unknown member "x0" of queries\[0\]: /,
  })
})
