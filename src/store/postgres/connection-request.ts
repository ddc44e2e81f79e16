// The messages between a blocking connection and its thread: plain values.
import type { MessagePort } from 'node:worker_threads'
import { messageOf } from '../../errors.js'
import { StoreError, StoreUnavailableError } from '../store-error.js'
import type { ConnectionOptions, PostgresValue } from './connect.js'
import { codeOf } from './faults.js'

/** Options of the thread. */
export interface ThreadOptions {
  readonly url: string
  readonly options: ConnectionOptions
  readonly port: MessagePort
  /** One number in shared memory: the count of answers that the thread has sent. */
  readonly answerCount: Int32Array
}

/** A request to the thread; `close` has no answer. */
export type ConnectionRequest =
  | {
      readonly kind: 'query'
      readonly sql: string
      readonly values: readonly PostgresValue[] | undefined
    }
  | { readonly kind: 'copy'; readonly sql: string; readonly rows: Uint8Array }
  | { readonly kind: 'close' }

/** The rows of a statement, or its error. */
export type ConnectionAnswer = { readonly rows: readonly object[] } | ThreadFault

/** The name of the database, or the reason why the thread cannot connect. */
export type ConnectionOutcome = { readonly place: string } | ThreadFault

/** An error as a plain value. */
interface ThreadFault {
  readonly fault: {
    readonly kind: 'store' | 'unavailable' | 'other'
    readonly message: string
    /** SQLSTATE, or the code of Node.js. */
    readonly code: string | undefined
    readonly stack: string | undefined
  }
}

/** Converts an error to a plain value. */
export function faultOf(error: unknown): ThreadFault {
  const isStore = error instanceof StoreError
  const kind = error instanceof StoreUnavailableError ? 'unavailable' : isStore ? 'store' : 'other'
  const code = codeOf(isStore ? error.cause : error)
  const stack = error instanceof Error ? error.stack : undefined
  return { fault: { kind, message: messageOf(error), code, stack } }
}

/** Restores an error, with its class and its code. */
export function errorOf({ fault: { kind, message, code, stack } }: ThreadFault): Error {
  const cause = Object.assign(new Error(message), { stack }, code === undefined ? {} : { code })
  if (kind === 'unavailable') return new StoreUnavailableError(message, { cause })
  return kind === 'store' ? new StoreError(message, { cause }) : new Error(message, { cause })
}
