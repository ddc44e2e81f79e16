// The floor: the bare engine with prebuilt answers, which no service on the engine can outrun.
//   node floor-server.js FOLDER
// Ignores the request and sends one of the prebuilt bodies at random. The engine is uWebSockets.js
// where it loads, otherwise node:http, as with kontor.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { loadUws, type UwsModule } from '../src/http/engine/engine-uws.js'
import type { FloorHead } from './floor.js'

/** The engine's own calls for the head of a response, which kontor does not use. */
interface BareResponse {
  writeStatus(status: string): BareResponse
  writeHeader(name: string, value: string): BareResponse
  end(body: Uint8Array): BareResponse
}

interface BareApp {
  any(pattern: string, callback: (response: BareResponse) => void): BareApp
  listen(host: string, port: number, callback: (socket: object | false) => void): BareApp
}

const folder = process.argv[2] ?? ''
const { status, fields, bodyBytes } = JSON.parse(
  readFileSync(join(folder, 'head.json'), 'utf8'),
) as FloorHead
const allBytes = readFileSync(join(folder, 'bodies.bin'))
let end = 0
const bodies = bodyBytes.map((length) => {
  end += length
  // A separate buffer for each body: the engine gets whole buffers, as in its own examples.
  return new Uint8Array(allBytes.subarray(end - length, end))
})

function pickBody(): Uint8Array {
  return bodies[Math.floor(Math.random() * bodies.length)]! // below its length
}

function tellPort(port: number): void {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
}

function listenUws(module: UwsModule): void {
  // Like kontor, leaves out the engine's own header field.
  module._cfg?.('silent')
  // uWebSockets.js has all of these methods; kontor declares only those that it calls.
  const app = module.App() as unknown as BareApp
  app
    .any('/*', (response) => {
      response.writeStatus(status)
      for (const [name, value] of fields) response.writeHeader(name, value)
      response.end(pickBody())
    })
    .listen('127.0.0.1', 0, (socket) => {
      if (socket === false) throw new Error('the floor cannot listen')
      tellPort(module.us_socket_local_port(socket))
    })
}

function listenNode(): void {
  const head = fields.flat()
  const server = createServer((_, response) => {
    const body = pickBody()
    response.writeHead(Number.parseInt(status, 10), [...head, 'Content-Length', `${body.length}`])
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => tellPort((server.address() as AddressInfo).port))
}

const module = await loadUws()
if (module === undefined) listenNode()
else listenUws(module)
