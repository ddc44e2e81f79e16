import { test } from 'tap'
import { documentKeyOf, openApiParameter } from '../../src/openapi/parameters.js'
import {
  ABSOLUTE_AMOUNT,
  ACCOUNT_IDS,
  AMOUNT_FROM,
  AMOUNT_TO,
  BOOKED_FROM,
  CURRENCY,
  DIRECTION,
  OWN_TRANSFERS,
  UNCATEGORIZED,
} from '../../src/wire/filter-parameters.js'
import {
  BOOKED_AFTER,
  CATEGORY,
  CUSTOM_SCHEMA,
  EXPLAIN,
  LIMIT,
  MATCH_LIMIT,
  MATCH_QUERY,
  ORDER,
  QUERY,
  THRESHOLD,
  TRANSACTION_ID,
} from '../../src/wire/parameter-table.js'
import { GROUP_BY } from '../../src/wire/summary-parameters.js'

test('type, default and bounds are those of the parsers', async (t) => {
  t.match(openApiParameter(LIMIT), {
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', default: 100, minimum: 0, maximum: 250 },
    example: 100,
  })
  t.match(openApiParameter(ORDER), {
    schema: { type: 'string', enum: ['asc', 'desc', '1', '-1'], default: 'desc' },
  })
  t.match(openApiParameter(CATEGORY), { schema: { type: 'string', minLength: 1, maxLength: 256 } })
  t.match(openApiParameter(QUERY), {
    in: 'query',
    required: false,
    allowEmptyValue: true,
    schema: { type: 'string', maxLength: 256 },
  })
  t.notOk('minLength' in Object(openApiParameter(QUERY)['schema']), 'it may be empty')
  t.notOk('allowEmptyValue' in openApiParameter(CATEGORY))
  t.match(openApiParameter(BOOKED_AFTER), {
    schema: {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{3})?Z)?$',
    },
  })
  t.same(openApiParameter(BOOKED_FROM)['schema'], { type: 'string', format: 'date' })
  t.same(openApiParameter(DIRECTION)['schema'], { type: 'string', enum: ['in', 'out'] })
  t.same(openApiParameter(OWN_TRANSFERS)['schema'], {
    type: 'string',
    enum: ['include', 'exclude', 'only'],
    default: 'include',
  })
  t.same(openApiParameter(UNCATEGORIZED)['schema'], { type: 'boolean' })
  for (const parameter of [AMOUNT_FROM, AMOUNT_TO, ABSOLUTE_AMOUNT, CURRENCY, ACCOUNT_IDS]) {
    t.same(openApiParameter(parameter)['schema'], { type: 'string', pattern: parameter.pattern })
    t.match(parameter.example, new RegExp(parameter.pattern))
  }
  t.match(openApiParameter(CUSTOM_SCHEMA), { schema: { type: 'string', maxLength: 4_096 } })
  t.match(openApiParameter(MATCH_QUERY), {
    name: 'query',
    required: true,
    schema: { type: 'string', minLength: 2, maxLength: 256 },
  })
  t.match(openApiParameter(MATCH_LIMIT), {
    name: 'limit',
    schema: { type: 'integer', default: 10, minimum: 1, maximum: 50 },
  })
  t.match(openApiParameter(THRESHOLD), {
    schema: { type: 'number', default: 0.6, minimum: 0, maximum: 1 },
    example: 0.6,
  })
  t.match(openApiParameter(EXPLAIN), {
    schema: { type: 'boolean', default: false },
    example: true,
  })
  t.match(openApiParameter(GROUP_BY), {
    style: 'form',
    explode: false,
    schema: { type: 'array', maxItems: 2, uniqueItems: true, items: { type: 'string' } },
    example: ['month', 'category'],
  })
  t.match(openApiParameter(TRANSACTION_ID), {
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[-a-zA-Z0-9_]+$' },
  })
})

test('two parameters with one name have two components', async (t) => {
  const keys = [QUERY, MATCH_QUERY, LIMIT, MATCH_LIMIT].map(documentKeyOf)
  t.same(keys, ['query', 'matchQuery', 'limit', 'matchLimit'])
})
