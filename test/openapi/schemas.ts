import { test } from 'tap'
import { ERROR_STATUS } from '../../src/errors.js'
import { isJsonObject, type Json } from '../../src/openapi/openapi.js'
import { resourceSchemas } from '../../src/openapi/schemas.js'

const schemas = resourceSchemas()

/** Every object in the schemas, the outermost first. */
function* objectsIn(value: Json | undefined): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(value)) for (const inner of value) yield* objectsIn(inner)
  if (!isJsonObject(value)) return
  yield value
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

test('the error codes are the closed list', async (t) => {
  t.match(schemas['Error'], {
    required: ['error', 'message'],
    properties: { error: { enum: Object.keys(ERROR_STATUS) } },
  })
})

test('a reference has no siblings, and required is not empty', async (t) => {
  for (const object of objectsIn(schemas)) {
    if (typeof object['$ref'] === 'string') t.same(Object.keys(object), ['$ref'])
    if (Array.isArray(object['required'])) t.not(object['required'].length, 0)
  }
})

test('required fields, formats and limits come from the types', async (t) => {
  t.same(schemas['Account']?.['required'], ['id', 'currency', 'createdAt', 'updatedAt'])
  t.match(schemas['ResourceId'], { type: 'integer', minimum: 1, maximum: 2 ** 53 - 1 })
  t.match(schemas['InstantText'], { format: 'date-time', pattern: /T/ })
  t.match(schemas['KeyScope'], { properties: { accounts: { nullable: true } } })
})

test('every field of a resource has a description for callers', async (t) => {
  for (const name of ['Account', 'Transaction', 'KeyScope', 'PayPal']) {
    const properties = schemas[name]?.['properties']
    if (!isJsonObject(properties)) throw new Error(`${name} has no properties`)
    const silent = Object.entries(properties)
      .filter(([, field]) => isJsonObject(field) && field['description'] === undefined)
      .map(([field]) => field)
    const clear = ['id', 'currency', 'balance', 'workspaceId', 'scopes', 'createdAt']
    t.same(
      silent.filter((field) => !clear.includes(field)),
      [],
      name,
    )
  }
  t.notMatch(JSON.stringify(schemas), /\(contract|\(decisions/)
})
