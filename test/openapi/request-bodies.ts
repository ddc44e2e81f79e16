import { Ajv } from 'ajv'
import { test } from 'tap'
import type { BatchMatchRequest } from '../../src/domain/batch-match.js'
import { BATCH_EXAMPLES } from '../../src/openapi/examples.js'
import { BATCH_REQUEST_BODY } from '../../src/openapi/request-bodies.js'
import { resourceSchemas } from '../../src/openapi/schemas.js'
import { BATCH_MEMBERS, BATCH_QUERY_MEMBERS } from '../../src/wire/batch-body.js'
import { BATCH_TABLE, parseBatchQuery } from '../../src/wire/batch-query.js'

const schemas = resourceSchemas()
const ajv = new Ajv({ strict: false })
ajv.addFormat('int64', true)
ajv.addFormat('date-time', true)
ajv.addSchema({ $id: 'kontor', components: { schemas } })
const isValid = ajv.compile({ $ref: 'kontor#/components/schemas/BatchMatchRequest' })

function parse(body: BatchMatchRequest) {
  return parseBatchQuery('', BATCH_TABLE, Buffer.from(JSON.stringify(body)))
}

test('the examples of a batch match are valid, by the schema and by the parser', async (t) => {
  t.match(BATCH_REQUEST_BODY, {
    content: {
      'application/json': {
        examples: {
          references: { value: BATCH_EXAMPLES.references },
          payments: { value: BATCH_EXAMPLES.payments },
        },
      },
    },
  })
  for (const example of Object.values(BATCH_EXAMPLES)) {
    t.ok(isValid(example), JSON.stringify(isValid.errors))
    t.equal(parse(example).queries.length, example.queries.length)
  }
})

test('the members of messages are those of the schemas, with right examples', async (t) => {
  const rows = { BatchMatchRequest: BATCH_MEMBERS, BatchMatchQuery: BATCH_QUERY_MEMBERS }
  for (const [name, members] of Object.entries(rows)) {
    const properties = Object(schemas[name]?.['properties'])
    t.same(Object.keys(properties), Object.keys(members))
    for (const [member, { description }] of Object.entries<{ description?: string }>(properties)) {
      t.ok(description, `${name}.${member} has a description`)
    }
  }
  const ofQuery = Object.entries(BATCH_QUERY_MEMBERS).map(([name, { example }]) => {
    return [name, JSON.parse(example)]
  })
  const ofBody = Object.entries(BATCH_MEMBERS).map(([name, { example }]) => {
    return [name, JSON.parse(example)]
  })
  const body = { ...Object.fromEntries(ofBody), queries: [Object.fromEntries(ofQuery)] }
  t.ok(isValid(body), JSON.stringify(isValid.errors))
  t.equal(parse(body).queries.length, 1)
  t.equal(parse(Object.fromEntries(ofBody)).queries.length, 1)
})

test('the schema refuses what the parser refuses by type or range', async (t) => {
  const one = { id: 'a', query: 'RE-1' }
  const bodies = [
    {},
    { queries: [] },
    { queries: [{ ...one, id: '' }] },
    { queries: [{ ...one, amount: 'x' }] },
    { queries: [{ ...one, amount: true }] },
    { queries: [{ ...one, amount: 1, currency: 'eur' }] },
    { queries: [one], threshold: 2 },
    { queries: [one], limit: 11 },
    { queries: [one], limit: 1.5 },
  ]
  for (const body of bodies) {
    t.equal(isValid(body), false, JSON.stringify(body))
    t.throws(() => parse(body as BatchMatchRequest), { name: 'ApiError', status: 400 })
  }
})
