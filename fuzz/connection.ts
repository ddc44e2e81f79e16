import { connect, type Socket } from 'node:net'
import type { Shot } from './shot.js'

/** Replies to a shot. */
export interface Outcome {
  /** Statuses of the whole replies, in order. */
  readonly statuses: readonly number[]
  /** A whole request had no reply within {@link REPLY_MS_MAX}. */
  readonly isLate: boolean
}

/** Time limit for the reply to a whole request: a match has its budget, a page may be long. */
const REPLY_MS_MAX = 20_000

/** Wait for a first reply where perhaps none comes. */
const SILENT_MS = 120

/** Wait for each further reply. */
const QUIET_MS = 8

/** Sends shots one after the other: whole requests over one connection, others over one each. */
export class Gun {
  #open: Socket | undefined

  constructor(private readonly port: number) {}

  async fire({ bytes, isWhole }: Shot): Promise<Outcome> {
    if (!isWhole) return exchange(this.#connect(), bytes, { waitMs: SILENT_MS, isWhole })
    const socket = this.#open ?? this.#connect()
    this.#open = socket
    const outcome = await exchange(socket, bytes, { waitMs: REPLY_MS_MAX, isWhole })
    if (socket.destroyed) this.#open = undefined
    return outcome
  }

  close(): void {
    this.#open?.destroy()
  }

  #connect(): Socket {
    const socket = connect(this.port, '127.0.0.1')
    socket.setNoDelay()
    // The bytes received show how the connection ended.
    socket.on('error', () => undefined)
    return socket
  }
}

interface Waiting {
  readonly waitMs: number
  /** One reply is enough, and the connection stays open afterwards. */
  readonly isWhole: boolean
}

function exchange(socket: Socket, bytes: Buffer, { waitMs, isWhole }: Waiting): Promise<Outcome> {
  return new Promise((resolve) => {
    const isHead = bytes.subarray(0, 5).toString('latin1') === 'HEAD '
    const statuses: number[] = []
    let arrived: Buffer = Buffer.alloc(0)
    let isLate = false
    const finish = (keepsOpen: boolean): void => {
      clearTimeout(timer)
      socket.off('data', take)
      socket.off('close', closed)
      if (!keepsOpen) socket.destroy()
      resolve({ statuses, isLate })
    }
    const closed = (): void => finish(false)
    const take = (part: Buffer): void => {
      arrived = arrived.length === 0 ? part : Buffer.concat([arrived, part])
      for (;;) {
        const reply = replyIn(arrived, isHead)
        if (reply === undefined) break
        if (reply.status >= 200) statuses.push(reply.status)
        arrived = arrived.subarray(reply.end)
        if (isWhole && reply.status >= 200) {
          finish(!reply.isLast)
          return
        }
      }
      if (isWhole) return
      clearTimeout(timer)
      timer = setTimeout(giveUp, QUIET_MS)
    }
    const giveUp = (): void => {
      isLate = isWhole
      finish(false)
    }
    let timer = setTimeout(giveUp, waitMs)
    socket.on('data', take)
    socket.on('close', closed)
    if (socket.destroyed) finish(false)
    else socket.write(bytes)
  })
}

interface Reply {
  readonly status: number
  /** Offset of its end. */
  readonly end: number
  /** The connection closes after it. */
  readonly isLast: boolean
}

/** The first reply, once it is complete. */
function replyIn(bytes: Buffer, isHead: boolean): Reply | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd).trimStart()
  const status = Number(head.slice(9, 12))
  const isLast = /\r\nconnection: *close/i.test(head)
  const isBodiless = isHead || status < 200 || status === 204 || status === 304
  if (isBodiless) return { status, end: headEnd + 4, isLast }
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const last = bytes.indexOf('0\r\n\r\n', headEnd + 4)
    return last === -1 ? undefined : { status, end: last + 5, isLast }
  }
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  const end = headEnd + 4 + length
  return end > bytes.length ? undefined : { status, end, isLast }
}
