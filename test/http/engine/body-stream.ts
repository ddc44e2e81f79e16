import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { BodyStream } from '../../../src/http/engine/body-stream.js'
import { RequestHead } from '../../../src/http/engine/request-head.js'
import { assertProperty } from '../../fixtures/assert-property.js'

function chunkedHead(): RequestHead {
  const head = new RequestHead()
  head.take('transfer-encoding', 'chunked')
  return head
}

/** A valve that counts its closings. */
class CountedValve {
  isOpen = true
  pauseCount = 0

  pause(): void {
    this.isOpen = false
    this.pauseCount += 1
  }

  resume(): void {
    this.isOpen = true
  }
}

test('parts are taken one after the other, in order, whenever they arrive', async () => {
  const steps = fc.array(fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.constant('go')))
  await assertProperty(
    fc.asyncProperty(steps, async (all) => {
      const valve = new CountedValve()
      const taken: Uint8Array[] = []
      let release = (): void => undefined
      let isBusy = false
      const take = async (part: Uint8Array): Promise<void> => {
        assert.ok(!isBusy, 'one at a time')
        assert.ok(!valve.isOpen, 'and the rest is paused')
        isBusy = true
        await new Promise<void>((resolve) => {
          release = resolve
        })
        isBusy = false
        taken.push(part)
      }
      const body = new BodyStream(1_000_000, chunkedHead(), take, valve)
      const parts = all.filter((step) => typeof step !== 'string')
      for (const step of all) {
        if (typeof step === 'string') {
          release()
          await new Promise((resolve) => setImmediate(resolve))
          continue
        }
        const shared = new Uint8Array(step)
        body.take(shared)
        shared.fill(0)
      }
      body.end()
      for (let i = 0; i < parts.length; i++) {
        release()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await body.whole
      assert.ok(Buffer.concat(taken).equals(Buffer.concat(parts)))
      return valve.isOpen && body.complete && body.settled
    }),
    { numRuns: 50 },
  )
})

test('a body past the limit, an unwanted one, and one whose client has disconnected', async (t) => {
  const valve = new CountedValve()
  const nothing = async (): Promise<void> => undefined
  const long = new BodyStream(3, chunkedHead(), nothing, valve)
  long.take(new Uint8Array(4))
  await t.rejects(long.whole, { code: 'body_too_large' })
  long.end()
  t.notOk(long.complete)
  const head = new RequestHead()
  head.take('content-length', '4')
  await t.rejects(new BodyStream(3, head, nothing, valve).whole, { code: 'body_too_large' })
  const fault = new Error('the disk is full')
  const unwanted = new BodyStream(9, chunkedHead(), () => Promise.reject(fault), valve)
  unwanted.take(new Uint8Array(1))
  unwanted.take(new Uint8Array(1))
  await t.rejects(unwanted.whole, fault)
  t.ok(valve.isOpen)
  const gone = new Error('gone')
  const cut = new BodyStream(9, chunkedHead(), nothing, valve)
  cut.abort(gone)
  await t.rejects(cut.whole, gone)
  const empty = new BodyStream(9, new RequestHead(), nothing, valve)
  await empty.whole
  t.ok(empty.complete)
})
