// Thread entry: answers the requests of a blocking connection, whose thread is blocked meanwhile.
import { parentPort, workerData } from 'node:worker_threads'
import { PostgresConnection } from '../connect.js'
import {
  type ConnectionAnswer,
  type ConnectionOutcome,
  type ConnectionRequest,
  faultOf,
  type ThreadOptions,
} from '../connection-request.js'
import { copyIn } from '../copy-in.js'

const { url, options, port, answerCount }: ThreadOptions = workerData

function send(answer: ConnectionAnswer): void {
  port.postMessage(answer)
  Atomics.add(answerCount, 0, 1)
  Atomics.notify(answerCount, 0)
}

async function connect(): Promise<ConnectionOutcome> {
  try {
    const connection = await PostgresConnection.open(url, options)
    port.on('message', (request: ConnectionRequest) => void answer(connection, request))
    // Without an answer, the requesting thread would wait forever.
    process.on('uncaughtException', (error) => send(faultOf(error)))
    return { place: connection.place }
  } catch (error) {
    return faultOf(error)
  }
}

async function answer(connection: PostgresConnection, request: ConnectionRequest): Promise<void> {
  if (request.kind === 'close') {
    port.close()
    await connection.close()
    return
  }
  try {
    send({ rows: await rowsOf(connection, request) })
  } catch (error) {
    send(faultOf(error))
  }
}

async function rowsOf(
  connection: PostgresConnection,
  request: Exclude<ConnectionRequest, { kind: 'close' }>,
): Promise<readonly object[]> {
  if (request.kind === 'query') return connection.query(request.sql, request.values)
  const { buffer, byteOffset, byteLength } = request.rows
  await copyIn(connection, request.sql, Buffer.from(buffer, byteOffset, byteLength))
  return []
}

parentPort?.postMessage(await connect())
