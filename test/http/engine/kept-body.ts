import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'tap'
import { ApiError } from '../../../src/errors.js'
import { BodyBudget } from '../../../src/http/engine/body-budget.js'
import { KeptBody } from '../../../src/http/engine/kept-body.js'
import { ask, errorOf, replyText, requestText, rigs } from '../../fixtures/http-rig.js'

/** Notes what a body and its client are told. */
function noted() {
  const notes: string[] = []
  const valve = { pause: () => notes.push('pause'), resume: () => notes.push('resume') }
  const sink = {
    take: (part: Uint8Array) => notes.push(`take ${part.length}`),
    end: () => notes.push('end'),
    abort: (reason: unknown) => notes.push(reason instanceof ApiError ? reason.code : 'abort'),
  }
  return { notes, valve, sink }
}

test('parts wait in order, and later ones are passed on', async (t) => {
  const { notes, valve, sink } = noted()
  const body = new KeptBody(new BodyBudget(), valve)
  const shared = new Uint8Array([1, 2])
  body.take(shared)
  body.take(new Uint8Array(3))
  body.passTo(sink)
  body.take(new Uint8Array(4))
  body.end()
  t.same(notes, ['take 2', 'take 3', 'take 4', 'end'], 'a short body pauses nothing')
})

test('a long body pauses its client until it is read, or answered if complete', async (t) => {
  const one = noted()
  const arriving = new KeptBody(new BodyBudget(), one.valve)
  arriving.take(new Uint8Array(65_537))
  arriving.take(new Uint8Array(1))
  arriving.passTo(one.sink)
  t.same(one.notes, ['pause', 'resume', 'take 65537', 'take 1'])
  const other = noted()
  const complete = new KeptBody(new BodyBudget(), other.valve)
  complete.take(new Uint8Array(65_537))
  complete.end()
  complete.passTo(other.sink)
  t.same(other.notes, ['pause', 'take 65537', 'end'])
  complete.resume()
  complete.resume()
  t.same(other.notes.slice(3), ['resume'])
})

test('a kept body counts among arriving ones, and is refused if they need its room', async (t) => {
  const budget = new BodyBudget(10)
  const { notes, valve, sink } = noted()
  const old = new KeptBody(budget, valve)
  old.take(new Uint8Array(6))
  const young = noted()
  const next = new KeptBody(budget, young.valve)
  next.take(new Uint8Array(6))
  old.take(new Uint8Array(1))
  old.passTo(sink)
  t.same(notes, ['budget_exceeded'])
  next.passTo(young.sink)
  t.same(young.notes, ['take 6'])
  const last = new KeptBody(budget, valve)
  last.take(new Uint8Array(10))
  last.passTo(sink)
  t.same(notes.slice(1), ['take 10'], 'the room is free again')
})

function postText(path: string, length: number): string {
  const head = requestText('POST', path, `Content-Length: ${length}\r\n`)
  return head + 'x'.repeat(length)
}

for (const rig of rigs) {
  test(`${rig.name}: a body that was kept is read after a wait, in one or in parts`, async (t) => {
    const { port } = await rig.listen(t, async (exchange) => {
      exchange.keepBody()
      await wait(20)
      exchange.keepBody()
      if (exchange.path === '/unread') return replyText(exchange, 'unread')
      if (exchange.path === '/whole') {
        const bytes = await exchange.body(1_000_000)
        return replyText(exchange, `${bytes.length}`)
      }
      let count = 0
      await exchange.bodyTo(1_000_000, async (part) => {
        count += part.length
      })
      replyText(exchange, `${count}`)
    })
    for (const length of [0, 5, 100_000, 900_000]) {
      for (const path of ['/whole', '/parts']) {
        const reply = await ask(port, postText(path, length))
        t.equal(reply.body.toString(), `${length}`, `${path} ${length}`)
      }
    }
    const unread = await ask(port, postText('/unread', 10))
    t.equal(unread.body.toString(), 'unread')
    const long = await ask(port, postText('/whole', 1_000_001))
    t.equal(errorOf(long).error, 'body_too_large')
  })
}
