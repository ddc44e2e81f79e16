import type { Writable } from 'node:stream'
import { CommandError } from '../errors.js'
import type { EpochMs } from '../instant.js'
import { type Keyboard, keyboardOf } from './keyboard.js'

/** The output of a command. */
export interface Output {
  readonly isTerminal: boolean
  /** Resolves when the text is handed over: a caller that awaits it never runs ahead of a pipe. */
  write(text: string): Promise<void>
}

/** The process around a command, as the command sees it. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array>
  /** The keyboard at standard input; undefined = it is no terminal. */
  readonly keyboard: Keyboard | undefined
  readonly stdout: Output
  readonly stderr: Output
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: () => EpochMs
}

/** The terminal of this process. */
export function terminalOfProcess(): Terminal {
  const stderr = outputOf(process.stderr, process.stderr.isTTY === true)
  return {
    stdin: process.stdin,
    keyboard: process.stdin.isTTY ? keyboardOf(process.stdin, stderr) : undefined,
    stdout: outputOf(process.stdout, process.stdout.isTTY === true),
    stderr,
    environment: process.env,
    clock: Date.now,
  }
}

/**
 * Writes to a stream. A write without a reader rejects, see {@link isBrokenPipe}; any other fault,
 * such as a full disk, is a CommandError.
 */
function outputOf(stream: Writable, isTerminal: boolean): Output {
  // A stream without a listener would end the process; each write rejects for its own caller.
  stream.on('error', () => undefined)
  return {
    isTerminal,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(explained(error)) : resolve()))
      }),
  }
}

function explained(error: Error): Error {
  if (isBrokenPipe(error)) return error
  const text = `the output cannot be written (${error.message}); its changes, if any, may be made`
  return new CommandError('failed', text, { cause: error })
}

/** Whether an error only means that the reader of the output is gone (`kontor export | head`). */
export function isBrokenPipe(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
}
