// Regression: requests pipelined behind a waiting one were all read and kept until it was answered:
// 8 MB of them took 460 MB of memory. (uws closes such a connection, see
// http/contract/connections.ts.)
import { test } from 'tap'
import { replyText, requestText, rigs, WireClient } from '../fixtures/http-rig.js'

/** More than the buffers of the system hold, in both directions together. */
const SENT_BYTES = 40_000_000
const FIELDS = `X-Filler: ${'x'.repeat(8_000)}\r\n`

const node = rigs.filter(({ name }) => name === 'node')

/** Responses that node writes whole, in two chunks, and without a body. */
const BODIES = { short: 'ok', long: 'x'.repeat(9_000), none: '' }

for (const rig of node) {
  test(`${rig.name}: requests pipelined behind a waiting one are not read`, async (t) => {
    let answerFirst = (): void => undefined
    const { port, seen } = await rig.listen(t, async (exchange) => {
      if (exchange.path === '/first') {
        await new Promise<void>((resolve) => {
          answerFirst = resolve
        })
      }
      replyText(exchange, 'ok')
    })
    const client = await WireClient.connect(port)
    client.write(requestText('GET', '/first'))
    const next = requestText('GET', '/next', FIELDS)
    const count = Math.ceil(SENT_BYTES / next.length)
    for (let i = 0; i < count; i++) client.write(next)
    // Unread bytes stay with the client, however long it waits.
    let unsent = client.socket.writableLength
    for (let still = 0; still < 20; ) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      still = client.socket.writableLength === unsent ? still + 1 : 0
      unsent = client.socket.writableLength
    }
    t.ok(unsent > SENT_BYTES / 4, `${unsent} of ${SENT_BYTES} bytes were not read`)
    t.same(seen, ['GET /first'])
    answerFirst()
    const replies = await client.replies(count + 1)
    t.equal(replies.length, count + 1, 'and each is answered once they are')
    t.ok(replies.every(({ status }) => status === 200))
    client.socket.destroy()
  })
}

for (const [kind, body] of Object.entries(BODIES)) {
  for (const rig of node) {
    test(`${rig.name}: a paused connection goes on after responses: ${kind}`, async (t) => {
      let answerFirst = (): void => undefined
      const { port } = await rig.listen(t, async (exchange) => {
        if (exchange.path === '/first') {
          await new Promise<void>((resolve) => {
            answerFirst = resolve
          })
        }
        if (body === '') exchange.reply(204, [], new Uint8Array(0))
        else replyText(exchange, body)
      })
      const client = await WireClient.connect(port)
      const count = 200
      client.write(requestText('GET', '/first'))
      for (let i = 0; i < count; i++) client.write(requestText('GET', '/next', FIELDS))
      await new Promise((resolve) => setTimeout(resolve, 200))
      answerFirst()
      t.equal((await client.replies(count + 1)).length, count + 1)
      client.socket.destroy()
    })
  }
}
