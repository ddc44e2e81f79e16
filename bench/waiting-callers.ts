// Callers that wait for changes, a connection each, and ask for the next one as soon as they are
// answered. On SIGUSR2 one row is updated; when all callers have the change, the script prints the
// milliseconds from the commit to the answer of each, {"toldMs":[…]}. SIGTERM ends the process.
//   node waiting-callers.js PORT TARGET KEY CURSOR COUNT FILE
// TARGET is the path of the changes, with a query to which the cursor is appended. Requests and
// answers are bytes of a socket: with node:http a thousand callers in one process would need more
// processor time than the server, and the figures would be theirs.
import { strict as assert } from 'node:assert'
import { connect, type Socket } from 'node:net'
import type { TransactionChanges } from '../src/domain/transaction-change.js'
import { openWriter } from './until-shown.js'

/** A change for which all callers wait. */
interface Round {
  readonly committedMs: number
  readonly toldMs: number[]
  /** Of the first answer: all are sent the same. */
  body: string
}

const [port = '', target = '', key = '', first = '', count = '', path = ''] = process.argv.slice(2)
const callerCount = Number(count)
const connection = openWriter(path)
const update = connection.prepare(
  'UPDATE transactions SET amount_unscaled = ? WHERE id = (SELECT max(id) FROM transactions)',
)
let amount = 0
let round: Round | undefined
let request = requestOf(first)
process.on('SIGUSR2', begin)
process.once('SIGTERM', () => process.exit())
await Promise.all(Array.from({ length: callerCount }, call))
process.stdout.write(`${JSON.stringify({ url: 'http://127.0.0.1:0' })}\n`)

function requestOf(cursor: string): string {
  const fields = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}`
  return `GET ${target}${cursor} HTTP/1.1\r\n${fields}\r\n\r\n`
}

function begin(): void {
  amount += 1
  update.run(amount)
  round = { committedMs: performance.now(), toldMs: [], body: '' }
}

/** Connects one caller, which then waits. */
async function call(): Promise<void> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
  let text = ''
  socket.on('data', (piece: Buffer) => {
    text += piece.toString('latin1')
    const body = bodyOf(text)
    if (body === undefined) return
    text = ''
    take(socket, body)
  })
  await new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', resolve)
  })
  socket.write(request)
}

/** The body of a complete answer, in Latin-1. @throws AssertionError for another status than 200 */
function bodyOf(text: string): string | undefined {
  const start = text.indexOf('\r\n\r\n') + 4
  if (start < 4) return undefined
  assert(text.startsWith('HTTP/1.1 200 '), text)
  const length = Number(/^content-length: (\d+)\r$/im.exec(text.slice(0, start))?.[1])
  return text.length < start + length ? undefined : text.slice(start)
}

/** Counts an answer, and asks again. */
function take(socket: Socket, body: string): void {
  // Without a change, the time to wait was over.
  if (body.startsWith('{"changes":[]')) {
    socket.write(request)
    return
  }
  assert(round !== undefined, `a change of no round: ${body}`)
  round.toldMs.push(performance.now() - round.committedMs)
  if (round.body === '') {
    const { changes, cursor } = JSON.parse(body) as TransactionChanges
    assert.equal(changes.length, 1)
    round.body = body
    request = requestOf(cursor)
  }
  assert.equal(body, round.body, 'all are sent the same')
  socket.write(request)
  if (round.toldMs.length < callerCount) return
  process.stdout.write(`${JSON.stringify({ toldMs: round.toldMs })}\n`)
  round = undefined
}
