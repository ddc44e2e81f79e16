// Thousands of requests pipelined on one connection or on ten, and one on each of hundreds.
// Regression: all requests of one read, up to 13,000, were answered before the next request of any
// other connection.
import { test } from 'tap'
import { replyText, requestText, rigs, WireClient } from '../fixtures/http-rig.js'

const BURST_COUNT = 10_000

/** Requests of a burst that may begin before a later request of another connection. */
const BEGUN_BEFORE_MAX = 200

/** Requests of a burst that begin in any case; uws may lose their replies at the close. */
const BEGUN_MIN = 8

/** Replies of this size do not fit in the buffers of the system. */
const BODY = 'x'.repeat(100_000)

for (const rig of rigs) {
  test(`${rig.name}: a request next to a burst of ${BURST_COUNT} is answered`, async (t) => {
    let nowMs = 0
    let burstCount = 0
    let begunBefore = Number.NaN
    const engine = await rig.open({
      // Each look at the clock takes a millisecond, so every turn soon has no time left.
      ticks: () => {
        nowMs += 1
        return nowMs
      },
      answer: (exchange) => {
        if (exchange.path === '/honest') begunBefore = burstCount
        else burstCount += 1
        replyText(exchange, exchange.path)
      },
    })
    t.teardown(() => engine.stop(0))
    const [hostile, honest] = [
      await WireClient.connect(engine.port),
      await WireClient.connect(engine.port),
    ]
    const burst = Array.from({ length: BURST_COUNT }, (_, i) => requestText('GET', `/${i}`))
    hostile.write(burst.join(''))
    honest.write(requestText('GET', '/honest'))
    t.equal((await honest.reply()).body.toString(), '/honest')
    t.ok(begunBefore <= BEGUN_BEFORE_MAX, `${begunBefore} of the burst began before it`)
    const replies = await hostile.replies(BURST_COUNT)
    t.ok(replies.length < BURST_COUNT, 'the connection closes before all are answered')
    t.ok(
      replies.every(({ body }, i) => body.toString() === `/${i}`),
      'in order',
    )
    await hostile.closed()
    t.ok(burstCount >= BEGUN_MIN, `${burstCount} of the burst began`)
    t.ok(burstCount <= BEGUN_BEFORE_MAX, 'and no more before the connection was closed')
    honest.socket.destroy()
  })

  test(`${rig.name}: replies to a burst are whole, and precede the close`, async (t) => {
    let nowMs = 0
    let begunCount = 0
    const engine = await rig.open({
      ticks: () => {
        nowMs += 1
        return nowMs
      },
      answer: (exchange) => {
        begunCount += 1
        replyText(exchange, BODY)
      },
    })
    t.teardown(() => engine.stop(0))
    const client = await WireClient.connect(engine.port)
    client.write(requestText('GET', '/').repeat(BURST_COUNT))
    const replies = await client.replies(BURST_COUNT)
    await client.closed()
    t.ok(replies.every(({ body }) => body.length === BODY.length))
    t.ok(begunCount >= BEGUN_MIN && begunCount < BURST_COUNT, `${begunCount} requests began`)
    // The uws binary closes at once, and drops what the client has not read.
    if (rig.name === 'uws') return
    t.equal(replies.length, begunCount, 'each request that began is answered')
    t.equal(replies.at(-1)?.fields['connection'], 'close')
  })
}

const FLOODS = [
  { what: 'ten connections that pipeline', connectionCount: 10, perConnection: 1_000, fields: '' },
  {
    what: 'a token on 300 connections',
    connectionCount: 300,
    perConnection: 1,
    fields: 'Authorization: Bearer sk-hostile\r\n',
  },
] as const

for (const rig of rigs) {
  for (const { what, connectionCount, perConnection, fields } of FLOODS) {
    test(`${rig.name}: a request next to ${what} is answered`, async (t) => {
      let nowMs = 0
      let hostileCount = 0
      let begunBefore = Number.NaN
      const engine = await rig.open({
        ticks: () => {
          nowMs += 1
          return nowMs
        },
        answer: (exchange) => {
          if (exchange.path === '/honest') begunBefore = hostileCount
          else hostileCount += 1
          replyText(exchange, 'ok')
        },
      })
      t.teardown(() => engine.stop(0))
      const hostile = await Promise.all(
        Array.from({ length: connectionCount }, () => WireClient.connect(engine.port)),
      )
      const honest = await WireClient.connect(engine.port)
      // Each connection has been accepted once the last one is answered.
      honest.write(requestText('GET', '/honest'))
      await honest.reply()
      for (const client of hostile) {
        client.write(requestText('GET', '/hostile', fields).repeat(perConnection))
      }
      honest.write(requestText('GET', '/honest', 'Authorization: Bearer sk-honest\r\n'))
      await honest.reply()
      t.ok(begunBefore <= BEGUN_BEFORE_MAX, `${begunBefore} of the flood began before it`)
      for (const client of [...hostile, honest]) client.socket.destroy()
    })
  }
}
