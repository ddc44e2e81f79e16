import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { BodyBudget } from '../../../src/http/engine/body-budget.js'
import { BodyParts } from '../../../src/http/engine/body-parts.js'
import { RequestHead } from '../../../src/http/engine/request-head.js'
import { assertProperty } from '../../fixtures/assert-property.js'

function chunkedHead(): RequestHead {
  const head = new RequestHead()
  head.take('transfer-encoding', 'chunked')
  return head
}

test('parts become one body, and may be overwritten once taken', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 })), async (parts) => {
      const expected = Buffer.concat(parts)
      const body = new BodyParts(expected.length, chunkedHead(), new BodyBudget())
      for (const part of parts) {
        const shared = new Uint8Array(part)
        body.take(shared)
        shared.fill(0)
      }
      body.end()
      assert.ok(expected.equals(await body.whole))
      return body.settled && body.complete
    }),
  )
})

test('a request without a body has an empty one at once', async (t) => {
  const body = new BodyParts(10, new RequestHead(), new BodyBudget())
  t.ok(body.complete)
  t.equal((await body.whole).length, 0)
})

test('a body past the limit rejects at the first byte too many, or by its length', async (t) => {
  const counted = new BodyParts(10, chunkedHead(), new BodyBudget())
  counted.take(new Uint8Array(10))
  t.notOk(counted.settled, 'exactly the limit is fine')
  counted.take(new Uint8Array(1))
  await t.rejects(counted.whole, { code: 'body_too_large', status: 413 })
  counted.take(new Uint8Array(1))
  counted.end()
  t.notOk(counted.complete, 'it was never read to its end')

  const head = new RequestHead()
  head.take('content-length', '11')
  await t.rejects(new BodyParts(10, head, new BodyBudget()).whole, { code: 'body_too_large' })
})

test('an abort rejects with its reason, and changes nothing once the body is whole', async (t) => {
  const reason = new Error('gone')
  const cut = new BodyParts(10, chunkedHead(), new BodyBudget())
  cut.take(new Uint8Array(3))
  cut.abort(reason)
  await t.rejects(cut.whole, reason)
  t.notOk(cut.complete)
  const whole = new BodyParts(10, chunkedHead(), new BodyBudget())
  whole.end()
  whole.abort(reason)
  t.equal((await whole.whole).length, 0)
})

test('among bodies that arrive together the oldest is evicted', async (t) => {
  const budget = new BodyBudget(25)
  const arriving = (): BodyParts => new BodyParts(20, chunkedHead(), budget)
  const [oldest, older, newest] = [arriving(), arriving(), arriving()]
  oldest.take(new Uint8Array(10))
  older.take(new Uint8Array(10))
  newest.take(new Uint8Array(5))
  t.notOk(oldest.settled)
  newest.take(new Uint8Array(6))
  await t.rejects(oldest.whole, { code: 'budget_exceeded', message: /in a moment/ })
  older.abort(new Error('gone'))
  await t.rejects(older.whole, { message: 'gone' })
  newest.end()
  t.equal((await newest.whole).length, 11)
  const last = arriving()
  last.take(new Uint8Array(20))
  last.end()
  t.equal((await last.whole).length, 20, 'complete and rejected bodies are no longer held')
})
