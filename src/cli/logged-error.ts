import { AssertionError } from 'node:assert'
import { ApiError, CommandError } from '../errors.js'
import { StoreError } from '../store/store-error.js'

/** A thrown value in the log. */
export interface LoggedError {
  /** Name of its class; `string` and the like for a value that is no Error. */
  readonly type: string
  /** For example `ENOSPC` or `SQLITE_FULL`. */
  readonly code?: string
  readonly message: string
  /** Functions and places, one a line, without the message; absent when the message is enough. */
  readonly stack?: string
  readonly cause?: LoggedError
}

const MESSAGE_CHARS_MAX = 500
const CAUSES_MAX = 3

/** Replaces a message that may quote data. */
const WITHHELD = '(withheld: it may quote data)'

/**
 * Messages of V8 that consist of the program's own words. Its others, and those of Node.js, quote
 * values: `Unexpected token 'M', "Miete Mai"... is not valid JSON`.
 */
const V8_MESSAGES = [
  /^Cannot (?:read|set) properties of (?:undefined|null) \((?:read|sett)ing '[#a-z$][a-zA-Z]*'\)$/,
  /^[a-zA-Z_$#.()]+ is not (?:a function|iterable|defined|a constructor)$/,
  /^Invalid (?:array|typed array|string|array buffer) length/,
  /^Maximum call stack size exceeded$/,
]

/** Secrets by their prefix (docs/contract/credentials.md, "Authorization field"), and IBANs. */
const SECRET = /\b(sk|mcp|at|rt|ac|cs)-(?=[-\w]{16})[-\w]+/g
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}\b/g

/** An error as the log may show it: no message that may quote rows, queries or credentials. */
export function loggedError(thrown: unknown, depth = 0): LoggedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: WITHHELD }
  const code = codeOf(thrown)
  // Sentences for a person, with the remedy; a stack would not help.
  const isExpected = thrown instanceof StoreError || thrown instanceof CommandError
  const { cause } = thrown
  return {
    type: thrown.name,
    ...(code === undefined ? {} : { code }),
    message: shownMessage(thrown, code),
    ...(isExpected ? {} : { stack: framesOf(thrown) }),
    ...(cause === undefined || depth >= CAUSES_MAX ? {} : { cause: loggedError(cause, depth + 1) }),
  }
}

/** The reason of a failure, in one sentence for the log; see {@link loggedError}. */
export function reasonOf(thrown: unknown): string {
  return loggedError(thrown).message
}

/** A text for the log, with secrets and IBANs withheld, and truncated. */
export function shownText(text: string): string {
  const shown = text.replace(SECRET, '$1-(withheld)').replace(IBAN, '(IBAN withheld)')
  return shown.length > MESSAGE_CHARS_MAX ? `${shown.slice(0, MESSAGE_CHARS_MAX)}…` : shown
}

function shownMessage(error: Error, code: string | undefined): string {
  return isOfOwnWords(error, code) ? shownText(error.message) : WITHHELD
}

/** Whether a message is known not to quote data; false for unlisted classes. */
function isOfOwnWords(error: Error, code: string | undefined): boolean {
  if (error instanceof ApiError) return error.code === 'internal'
  if (error instanceof AssertionError) return !error.generatedMessage
  if (error instanceof StoreError || error instanceof CommandError) return true
  if (error.name === 'SqliteError' || 'syscall' in error) return true
  // Kontor's own errors, and those of other threads, which arrive without their class.
  if (error.name === 'Error') return code?.startsWith('ERR_') !== true
  return V8_MESSAGES.some((words) => words.test(error.message))
}

function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : undefined
}

/** Two expressions, each linear: in one, the name and the place could share characters. */
function isFrame(line: string): boolean {
  if (/^ {4}at [^"'`(]*\(.*\)$/.test(line)) return true
  return /^ {4}at [^"'`]*$/.test(line) && /:\d+:\d+$/.test(line)
}

/** The frames of a stack. V8 writes the message in front, which may have line breaks of its own. */
function framesOf({ stack = '', message }: Error): string {
  const at = stack.indexOf(message)
  return stack
    .slice(at === -1 ? 0 : at + message.length)
    .split('\n')
    .filter(isFrame)
    .map((line) => line.trim())
    .join('\n')
}
