import { test } from 'tap'
import { isFromOurPages } from '../../src/browser/same-site.js'
import type { RequestFieldName } from '../../src/http/engine/exchange.js'

function judged(fields: Partial<Record<RequestFieldName, string>>): boolean {
  const exchange = { field: (name: RequestFieldName) => fields[name] ?? '' }
  return isFromOurPages(exchange, 'https://bank.example.org/kontor')
}

test("a form's origin is checked by the fields that browsers send", async (t) => {
  const host = 'localhost:8080'
  t.ok(judged({}), 'without such fields the token alone decides')
  t.ok(judged({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }))
  t.ok(judged({ 'sec-fetch-site': 'none' }))
  t.notOk(judged({ 'sec-fetch-site': 'same-site', origin: 'https://bank.example.org' }))
  t.notOk(judged({ 'sec-fetch-site': 'cross-site' }))
  t.ok(judged({ origin: 'https://bank.example.org' }))
  t.notOk(judged({ origin: 'http://bank.example.org' }), 'not over https')
  t.ok(judged({ origin: 'http://localhost:8080', host }), 'from another name of the service')
  t.notOk(judged({ origin: 'http://localhost:8081', host }))
  t.ok(judged({ origin: 'null' }))
  t.notOk(judged({ origin: 'nonsense' }))
})
