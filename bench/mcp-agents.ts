// Agents that call without a pause, until SIGTERM; then prints {"callCount"}.
//   node mcp-agents.js FILE PORT COUNT
// FILE is JSON: the targets, requested in turn.
import { readFileSync } from 'node:fs'
import { Client, type Target } from './client.js'

const [path = '', port = '', agentCount = ''] = process.argv.slice(2)
const targets = JSON.parse(readFileSync(path, 'utf8')) as readonly Target[]
const client = new Client(Number(port))
let callCount = 0
let isStopped = false
process.once('SIGTERM', () => {
  isStopped = true
})
process.stdout.write(`${JSON.stringify({ url: 'http://127.0.0.1:0' })}\n`)
await Promise.all(Array.from({ length: Number(agentCount) }, call))
client.close()
process.stdout.write(`${JSON.stringify({ callCount })}\n`)

async function call(): Promise<void> {
  while (!isStopped) {
    const { status } = await client.ask(targets[callCount % targets.length]!) // below its length
    if (status !== 200) throw new Error(`a call is answered with ${status}`)
    callCount += 1
  }
}
