import { CommandError } from '../errors.js'
import type { EpochMs } from '../instant.js'
import { type Log, type LogFormat, type LogLevel, type OpenLog, openLog } from './log.js'
import type { Output } from './terminal.js'

/** Time that the end of the process waits for the reader of its log. */
const LOG_END_MS_MAX = 1_000

/** The part of a command's context that the log needs. */
interface ServiceLogContext {
  readonly stderr: Output
  readonly clock: () => EpochMs
  readonly flags: {
    readonly log: string
    readonly 'log-level': string
    readonly 'access-log': boolean
  }
}

/**
 * A command's `run` that has a log. Buffered lines are written when the command ends or fails, and
 * when the process ends for any reason that JavaScript sees. A blocked reader delays the end by
 * {@link LOG_END_MS_MAX} at most; the process is then ended.
 */
export function withServiceLog<C extends ServiceLogContext>(
  run: (context: C, log: Log) => Promise<void>,
): (context: C) => Promise<void> {
  return async (context) => {
    const { log, flush, end } = openServiceLog(context)
    process.once('exit', flush)
    let exitCode = 1
    try {
      await run(context, log)
      exitCode = 0
    } finally {
      const timer = setTimeout(() => process.exit(exitCode), LOG_END_MS_MAX)
      await end()
      clearTimeout(timer)
      process.off('exit', flush)
    }
  }
}

/** @throws CommandError `usage` */
function openServiceLog({ stderr, clock, flags }: ServiceLogContext): OpenLog {
  // The choices of the flags.
  const format = flags.log as LogFormat
  const level = flags['log-level'] as LogLevel
  if (flags['access-log'] && level !== 'info' && level !== 'debug') {
    const message = `--access-log logs at level info, which --log-level ${level} excludes`
    throw new CommandError('usage', `${message}; remove one of the two flags`)
  }
  return openLog(stderr, { format, level, clock })
}
