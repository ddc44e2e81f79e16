import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { parseCustomSchema } from '../../src/wire/custom-schema.js'
import { ACCOUNT_SHAPE, TRANSACTION_SHAPE } from '../../src/wire/object-shape.js'

const rules = { shape: TRANSACTION_SHAPE }
const matchRules = {
  shape: TRANSACTION_SHAPE,
  protectedNames: ['score'],
  required: ['id', 'accountId', 'amount', 'currency', 'bookingDate'],
}

function manyEntries(count: number): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, null])),
  )
}

function levels(count: number): string {
  return Array.from({ length: count }, (_, i) => `l${i}`).join('.')
}

function messageOf(text: string, given: Parameters<typeof parseCustomSchema>[1] = rules): string {
  try {
    parseCustomSchema(text, given)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_custom_schema') return error.message
    throw error
  }
  return 'accepted'
}

test('each error has its own sentence', async (t) => {
  const cases: [text: string, message: RegExp][] = [
    ['', /is not JSON: ""/],
    ['{"a":', /is not JSON/],
    ["{'a':'b'}", /is not JSON/],
    ['[]', /must be a JSON object, not "\[\]"; for example/],
    ['null', /must be a JSON object/],
    ['"a"', /must be a JSON object/],
    ['1', /must be a JSON object/],
    ['{"a":1}', /gives "a" a value that is neither/],
    ['{"a":{"b":"c"}}', /gives "a" a value that is neither/],
    ['{"a":["b"]}', /gives "a" a value that is neither/],
    ['{"a":true}', /gives "a" a value that is neither/],
    ['{"":"b"}', /names "", which has an empty segment/],
    ['{"a":""}', /names "", which has an empty segment/],
    ['{"a..b":null}', /names "a\.\.b", which has an empty segment/],
    ['{"a":".b"}', /names "\.b", which has an empty segment/],
    ['{"a":"b."}', /names "b\.", which has an empty segment/],
    ['{"__proto__":"a"}', /__proto__ is not allowed/],
    ['{"a":"b.constructor"}', /constructor is not allowed/],
    ['{"a.prototype.b":null}', /prototype is not allowed/],
    ['{"a":"x","b":"x"}', /moves "a" and "b" both to "x"/],
    ['{"a":"x.y","b.c":"x.y"}', /moves "a" and "b\.c" both to "x\.y"/],
    ['{"a":"x","a":"y"}', /names an attribute twice/],
    ['{"a":1,"\\u0061":"y"}', /names an attribute twice/],
    ['{"id":"amount.id"}', /moves "id" into "amount", which holds a single value/],
    ['{"id":"counterpart.iban.id"}', /moves "id" into "counterpart\.iban", which holds/],
    ['{"amount":"x","id":"x.id"}', /moves "id" into "x", which holds a single value/],
    ['{"paypal":"purpose","id":"purpose.id"}', /moves "id" into "purpose"/],
    [manyEntries(65), /has 65 entries; at most 64/],
    [`{"${levels(9)}":null}`, /at most 8 levels/],
    [`{"a":"${levels(9)}"}`, /at most 8 levels/],
    [`{"a":"${'ä'.repeat(2_045)}"}`, /is longer than 4096 bytes/],
  ]
  for (const [text, message] of cases) t.match(messageOf(text), message, text.slice(0, 60))
})

test('values at the limits are allowed', async (t) => {
  for (const text of [
    '{}',
    ' { "a" : "b" , "b" : null } ',
    manyEntries(64),
    `{"${levels(8)}":"x"}`,
    `{"a":"${levels(8)}"}`,
    `{"a":"${'ä'.repeat(2_044)}"}`,
    '{"a":"null","null":"\\"a\\":null"}',
  ]) {
    t.equal(messageOf(text), 'accepted', text.slice(0, 60))
  }
})

test('a target may lie inside an attribute that is an object after all moves', async (t) => {
  for (const text of [
    '{"id":"account.id"}',
    '{"id":"paypal.id"}',
    '{"id":"meta.id"}',
    '{"amount":"amount.value","currency":"amount.currency"}',
    '{"purpose":null,"type":"purpose.type"}',
    '{"account":"own","id":"own.id"}',
    '{"account":"purpose","id":"purpose.id"}',
    '{"account.iban":"account.iban","account":"own","id":"account.id"}',
    '{"nobody":"x","id":"x.id"}',
  ]) {
    t.equal(messageOf(text), 'accepted', text)
  }
  t.equal(messageOf('{"id":"purpose.id"}', { shape: ACCOUNT_SHAPE }), 'accepted')
  t.match(messageOf('{"id":"iban.id"}', { shape: ACCOUNT_SHAPE }), /single value/)
})

test('a protected attribute, and all below it, is neither source nor target', async (t) => {
  for (const text of [
    '{"score":"relevance"}',
    '{"score":null}',
    '{"score.x":null}',
    '{"purpose":"score"}',
    '{"purpose":"score.purpose"}',
    '{"score":"score"}',
  ]) {
    t.match(messageOf(text, matchRules), /must not move, remove or overwrite score/, text)
  }
  t.equal(messageOf('{"purpose":"meta.score"}', matchRules), 'accepted')
  t.equal(messageOf('{"purpose":"score"}'), 'accepted', 'without the rule')
})

test('a required attribute may move, but not be removed', async (t) => {
  for (const name of matchRules.required) {
    t.match(messageOf(`{"${name}":null}`, matchRules), new RegExp(`must not remove ${name},`))
    t.equal(messageOf(`{"${name}":"elsewhere"}`, matchRules), 'accepted')
    t.equal(messageOf(`{"${name}":null}`), 'accepted', 'without the rule')
  }
  t.equal(messageOf('{"category.id":null,"purpose":null}', matchRules), 'accepted')
})
