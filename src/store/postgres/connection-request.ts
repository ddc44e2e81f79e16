// What a blocking connection and its thread send each other: plain values, which go to threads.
import type { MessagePort } from 'node:worker_threads'
import { messageOf } from '../../errors.js'
import { StoreAwayError, StoreError } from '../store-error.js'
import type { ConnectionOptions, PostgresValue } from './connect.js'
import { codeOf } from './faults.js'

/** What a thread connects with, and where it is asked. */
export interface ThreadOptions {
  readonly url: string
  readonly options: ConnectionOptions
  readonly port: MessagePort
  /** One number in shared memory: the answers that the thread has sent. */
  readonly answerCount: Int32Array
}

/** A request to a thread; the last one has no answer. */
export type ConnectionRequest =
  | {
      readonly kind: 'query'
      readonly sql: string
      readonly values: readonly PostgresValue[] | undefined
    }
  | { readonly kind: 'copy'; readonly sql: string; readonly rows: Uint8Array }
  | { readonly kind: 'close' }

/** The rows of a statement; for a new connection, where it leads. */
export type ConnectionAnswer = { readonly rows: readonly object[] } | ThreadFault

/** That a thread is connected, or why it is not. */
export type ConnectionOutcome = { readonly place: string } | ThreadFault

/** An error, without its class. */
interface ThreadFault {
  readonly fault: {
    readonly kind: 'store' | 'away' | 'other'
    readonly message: string
    /** SQLSTATE, or the code of Node.js. */
    readonly code: string | undefined
    readonly stack: string | undefined
  }
}

/** The fault of an error. */
export function faultOf(error: unknown): ThreadFault {
  const isStore = error instanceof StoreError
  const kind = error instanceof StoreAwayError ? 'away' : isStore ? 'store' : 'other'
  const code = codeOf(isStore ? error.cause : error)
  const stack = error instanceof Error ? error.stack : undefined
  return { fault: { kind, message: messageOf(error), code, stack } }
}

/** The error of a fault: of its class, with its code. */
export function errorOf({ fault: { kind, message, code, stack } }: ThreadFault): Error {
  const cause = Object.assign(new Error(message), { stack }, code === undefined ? {} : { code })
  if (kind === 'away') return new StoreAwayError(message, { cause })
  return kind === 'store' ? new StoreError(message, { cause }) : new Error(message, { cause })
}
