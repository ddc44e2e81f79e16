// Matches or lists with one key on many connections without a pause, until SIGTERM; then prints the
// number of answers by status.   node hostile-caller.js PORT match|list KEY WORKSPACE CONNECTIONS
import { Client } from './client.js'

const SOCKETS_OF_CLIENT = 16

const [port, kind, key, workspaceId, connections] = process.argv.slice(2)
const query = encodeURIComponent('RE-2025-000…')
const wanted = kind === 'list' ? '?limit=250' : `/match?threshold=0&query=${query}`
const path = `/v1/${workspaceId}/transactions${wanted}`
const target = { path, fields: { Authorization: `Bearer ${key}` } }
const answers: Record<string, number> = {}
let isStopped = false
process.once('SIGTERM', () => {
  isStopped = true
})
process.stdout.write(`${JSON.stringify({ url: 'http://127.0.0.1:0' })}\n`)

async function askOnAndOn(client: Client): Promise<void> {
  while (!isStopped) {
    const outcome = await client.ask(target).then(({ status }) => String(status), resetOf)
    answers[outcome] = (answers[outcome] ?? 0) + 1
  }
}

/** At idle priority it may send on a connection that the server has just closed as idle. */
function resetOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return 'reset'
  throw error
}

const count = Number(connections)
const clients = Array.from({ length: Math.ceil(count / SOCKETS_OF_CLIENT) }, () => {
  return new Client(Number(port))
})
await Promise.all(
  Array.from({ length: count }, (_, i) => {
    const client = clients[i % clients.length]
    return client === undefined ? undefined : askOnAndOn(client)
  }),
)
for (const client of clients) client.close()
process.stdout.write(`${JSON.stringify({ answers })}\n`)
