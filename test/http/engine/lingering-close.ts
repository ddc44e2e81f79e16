import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Test, test } from 'tap'
import { closeLingering } from '../../../src/http/engine/lingering-close.js'

const REPLY = Buffer.alloc(1_000_000, 'x')

/** A connection of which the server has read nothing. */
async function connectionOf(t: Test): Promise<{ client: Socket; served: Socket }> {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  // Whether the connection ends by a reset shows in what arrives before.
  client.on('error', () => undefined)
  const [served] = (await once(server, 'connection')) as [Socket]
  t.teardown(() => {
    for (const each of [client, served, server]) each.removeAllListeners()
    client.destroy()
    served.destroy()
    server.close()
  })
  return { client, served }
}

test('a client that has sent more than was read gets the whole reply', async (t) => {
  const { client, served } = await connectionOf(t)
  await new Promise<void>((resolve) => client.write(Buffer.alloc(300_000), () => resolve()))
  served.write(REPLY)
  closeLingering(served)
  let receivedBytes = 0
  client.on('data', (part: Buffer) => {
    receivedBytes += part.length
    // Each of these would be answered by a reset if the connection were closed.
    client.write('x')
  })
  await once(client, 'end')
  t.equal(receivedBytes, REPLY.length)
  // The client's side has ended as well: allowHalfOpen is false there.
  if (!served.destroyed) await once(served, 'close')
  t.ok(served.bytesRead > 300_000, 'and its bytes were read')
})

test('a client that goes on sending is disconnected', async (t) => {
  const { client, served } = await connectionOf(t)
  closeLingering(served)
  client.resume()
  client.allowHalfOpen = true
  const sendOn = (): void => {
    if (client.write(Buffer.alloc(65_536))) setImmediate(sendOn)
    else client.once('drain', sendOn)
  }
  sendOn()
  await once(served, 'close')
  t.ok(served.bytesRead <= 2 ** 20, `after ${served.bytesRead} bytes`)
})

test('a client that neither sends nor closes is disconnected', async (t) => {
  const { client, served } = await connectionOf(t)
  client.allowHalfOpen = true
  closeLingering(served)
  await once(served, 'close')
  t.equal(served.bytesRead, 0)
})

test('a client that has already disconnected needs no second close', async (t) => {
  const { client, served } = await connectionOf(t)
  client.destroy()
  served.resume()
  closeLingering(served)
  if (!served.destroyed) await once(served, 'close')
  t.ok(served.destroyed)
})
