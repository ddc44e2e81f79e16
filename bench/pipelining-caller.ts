// Pipelines requests without a credential on some connections without a pause, until SIGTERM, and
// connects again when the server closes; then prints the number of answers by status.
//   node pipelining-caller.js PORT PATH CONNECTIONS
import { connect } from 'node:net'

/** Requests of one write: about 64 KiB. */
const BURST_COUNT = 1_500

/** Pause before a connection is opened again. */
const AGAIN_MS = 1

const [port, path, connections] = process.argv.slice(2)
const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
const burst = Buffer.from(request.repeat(BURST_COUNT))
const answers: Record<string, number> = { closed: 0 }
let isStopped = false

/** Counts the status lines of a piece; one that two pieces share is not counted. */
function countAnswers(piece: Buffer): void {
  const text = piece.toString('latin1')
  for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
    answers[status] = (answers[status] ?? 0) + 1
  }
}

function pipeline(): void {
  if (isStopped) return
  const socket = connect(Number(port), '127.0.0.1')
  const sendOn = (): void => {
    if (isStopped || socket.destroyed) socket.destroy()
    else if (socket.write(burst)) setImmediate(sendOn)
    else socket.once('drain', sendOn)
  }
  socket.once('connect', sendOn)
  socket.on('data', countAnswers)
  // A reset is one of the ways in which the server closes.
  socket.on('error', () => undefined)
  socket.once('close', () => {
    answers['closed'] = (answers['closed'] ?? 0) + 1
    setTimeout(pipeline, AGAIN_MS)
  })
}

process.once('SIGTERM', () => {
  isStopped = true
  process.stdout.write(`${JSON.stringify({ answers })}\n`, () => process.exit())
})
process.stdout.write(`${JSON.stringify({ url: 'http://127.0.0.1:0' })}\n`)
for (let i = 0; i < Number(connections); i++) pipeline()
