import { type DestinationStream, type Logger, pino } from 'pino'
import { type EpochMs, formatInstant } from '../instant.js'
import type { SnapshotEvent } from '../snapshot/workspace-cache.js'
import { LogBuffer } from './log-buffer.js'
import { type LogFields, textLine } from './log-text.js'
import { loggedError, reasonOf, shownText } from './logged-error.js'
import type { Output } from './terminal.js'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export const LOG_FORMATS = ['text', 'json'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]
export type LogFormat = (typeof LOG_FORMATS)[number]

/** The part of the service that an event is about. */
type LogComponent =
  | ('service' | 'workspaces' | 'control' | 'database')
  | ('http' | 'access' | 'metrics' | 'inbox')

/** Logs one event. @param message plain English, the same for every event of its kind */
export type Log = (
  level: LogLevel,
  component: LogComponent,
  message: string,
  fields?: LogFields,
) => void

/** A log that is being written. */
export interface OpenLog {
  readonly log: Log
  /**
   * Writes the buffered lines now, as far as the reader accepts them: for the end of the process.
   */
  flush(): void
  /** Resolves when everything is written, or its reader is gone. */
  end(): Promise<void>
}

/** Options of a log. */
export interface LogOptions {
  readonly format: LogFormat
  /** The least severe level that is written. */
  readonly level: LogLevel
  readonly clock: () => EpochMs
}

/** Opens a log with one event a line. A missing reader does not stop the service. */
export function openLog(output: Output, { format, level, clock }: LogOptions): OpenLog {
  const buffer = new LogBuffer(output, (droppedCount) => {
    log('warn', 'service', 'log lines dropped because the reader is too slow', {
      droppedCount,
    })
  })
  const destination: DestinationStream = {
    write: (json) => buffer.write(format === 'json' ? oneLine(json) : textLine(json)),
  }
  const root = pino(
    {
      base: null,
      level,
      timestamp: timestampOf(clock),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: loggedError },
    },
    destination,
  )
  const children = new Map<LogComponent, Logger>()
  const log: Log = (at, component, message, fields = NO_FIELDS) => {
    let child = children.get(component)
    if (child === undefined) {
      child = root.child({ component })
      children.set(component, child)
    }
    child[at](fields, message)
  }
  return { log, flush: () => buffer.flush(), end: () => buffer.end() }
}

const NO_FIELDS: LogFields = {}

/** The instant as a part of pino's JSON; formatting costs more than all else, so once a ms. */
function timestampOf(clock: () => EpochMs): () => string {
  let lastMs = Number.NaN
  let text = ''
  return () => {
    const nowMs = clock()
    if (nowMs !== lastMs) {
      lastMs = nowMs
      text = `,"time":"${formatInstant(nowMs)}"`
    }
    return text
  }
}

/** JSON escapes the ASCII line breaks; some readers also break lines at these characters. */
function oneLine(json: string): string {
  return json.replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu, unicodeEscape)
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Logs an event of a workspace's snapshot. */
export function logEvent(log: Log, event: SnapshotEvent): void {
  const { kind, workspaceId, transactionCount, durationMs, from, error } = event
  const reason = event.reason === undefined ? undefined : shownText(event.reason)
  if (kind === 'failed') {
    const why = error === undefined ? reason : reasonOf(error)
    log('error', 'workspaces', 'workspace cannot be loaded', { workspaceId, reason: why })
  } else if (kind === 'cache-failed') {
    log('warn', 'workspaces', 'cannot write the cache of a workspace', { workspaceId, reason })
  } else if (kind === 'behind') {
    log('warn', 'workspaces', 'commits to a workspace cannot be read', { workspaceId, reason })
  } else if (kind === 'caught-up') {
    log('info', 'workspaces', 'commits to a workspace are read again', { workspaceId, durationMs })
  } else if (kind === 'dropped' || kind === 'evicted') {
    log('info', 'workspaces', 'workspace removed from memory', { workspaceId, reason })
  } else {
    const counts = { workspaceId, transactionCount, durationMs, source: from }
    log('info', 'workspaces', `workspace ${kind}`, { ...counts, cacheRefusal: reason })
  }
}
