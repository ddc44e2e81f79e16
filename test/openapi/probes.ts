import { test } from 'tap'
import { UNREADY_REASONS } from '../../src/domain/probes.js'
import { isJsonObject, type Json } from '../../src/openapi/openapi.js'
import { PROBES, PROBES_TAG } from '../../src/openapi/probes.js'

function at(json: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = json
  for (const name of path) found = isJsonObject(found) ? found[name] : undefined
  return found
}

test('a probe needs no credential, and has its own tag', async (t) => {
  t.same(Object.keys(PROBES), ['/livez', '/readyz'])
  for (const { security, tags, parameters } of Object.values(PROBES)) {
    t.same(
      { security, tags, parameters },
      { security: [], tags: [PROBES_TAG.name], parameters: [] },
    )
  }
})

test('every reason of a service is listed, and one is an example', async (t) => {
  const unready = PROBES['/readyz']?.responses['503']
  const content = at(unready, 'content', 'application/json')
  t.same(at(content, 'schema', 'properties', 'reasons', 'items', 'enum'), UNREADY_REASONS)
  t.same(at(content, 'example'), { status: 'unavailable', reasons: ['stopping'] })
  t.ok(at(unready, 'headers', 'Retry-After'))
})
