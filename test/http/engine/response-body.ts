// Bodies of every size arrive as they were at the call, though the caller overwrites them at once,
// clients read late, and connections close in the middle.
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'tap'
import { endWith } from '../../../src/http/engine/response-body.js'

/** Lengths on both sides of each bound, and one that no socket takes at once. */
const LENGTHS = [1, 8_191, 8_192, 8_193, 60_000, 131_071, 131_072, 131_073, 3_000_000]

/** Bytes of every value, also such as no text has, that differ from those of other seeds. */
function bodyOf(length: number, seed: number): Buffer {
  const key = `${length}/${seed}`
  const body = bodies.get(key) ?? Buffer.alloc(length)
  if (!bodies.has(key)) {
    for (let i = 0; i < length; i++) body[i] = (i * 31 + seed * 7 + (i >> 8)) & 0xff
    bodies.set(key, body)
  }
  return body
}

const bodies = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const [length = 0, seed = 0] = (request.url ?? '').slice(1).split('/').map(Number)
  const bytes = new Uint8Array(bodyOf(length, seed))
  response.writeHead(200, ['Content-Length', String(length)])
  endWith(response, bytes)
  bytes.fill(0)
})

async function bodyAt(port: number, path: string, waitMs: number): Promise<Buffer> {
  const request = get({ port, path, agent: false })
  const [response] = await once(request, 'response')
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return Buffer.concat(parts)
}

test('bodies arrive whole and unchanged, also at clients that read late', async (t) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (let round = 0; round < 3; round++) {
    const gone = connect(port, '127.0.0.1')
    gone.write('GET /3000000/1 HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(gone, 'data')
    gone.destroy()
    const asked = LENGTHS.flatMap((length) => [0, 1, 2, 3].map((each) => ({ length, each })))
    await Promise.all(
      asked.map(async ({ length, each }) => {
        const seed = round * 4 + each
        const body = await bodyAt(port, `/${length}/${seed}`, each * 5)
        t.ok(body.equals(bodyOf(length, seed)), `${length} bytes, round ${round}, ${each}`)
      }),
    )
  }
})

test('bodies arrive unchanged while many clients read nothing', async (t) => {
  const { port } = server.address() as AddressInfo
  // Each leaves replies of 60 kB in its socket, more than there are buffers to use again.
  const idle = Array.from({ length: 70 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.write('GET /60000/1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100))
    return socket
  })
  for (let seed = 0; seed < 50; seed++) {
    t.ok((await bodyAt(port, `/60000/${seed}`, 0)).equals(bodyOf(60_000, seed)), `${seed}`)
  }
  for (const socket of idle) socket.destroy()
  t.ok((await bodyAt(port, '/60000/9', 0)).equals(bodyOf(60_000, 9)), 'and after they left')
  server.close()
  server.closeAllConnections()
})
