import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Installation } from './installation.js'

/** A running `kontor serve`. */
export interface RunningService {
  readonly url: string
  readonly pid: number
  /** Resolves with the exit code, or with the signal that ended it. */
  readonly ended: Promise<number | string>
  /** The log so far. */
  log(): string
  /** Sends a signal and resolves with the exit code, or with the signal that ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string>
}

/** The installed command over one data directory. */
export class Kontor {
  constructor(
    private readonly installation: Pick<Installation, 'command' | 'environment' | 'folder'>,
    readonly dataName: string,
  ) {}

  /**
   * Runs a command to its end. @param input its standard input
   * @returns its standard output @throws Error with its standard error when it fails
   */
  async run(words: readonly string[], input = ''): Promise<string> {
    const child = this.#spawn(words)
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', (piece: Buffer) => {
      stdout += piece.toString('utf8')
    })
    child.stderr?.on('data', (piece: Buffer) => {
      stderr += piece.toString('utf8')
    })
    child.stdin?.end(input)
    const [code] = await once(child, 'close')
    if (code === 0) return stdout
    throw new Error(`kontor ${words.join(' ')} ended with ${code}: ${stderr.trim()}`)
  }

  /** Runs a command with `--json`. @returns the parsed output */
  async json(words: readonly string[], input = ''): Promise<unknown> {
    return JSON.parse(await this.run([...words, '--json'], input))
  }

  /**
   * Starts the service on a free port. @param flags further ones of `kontor serve`
   * @throws Error when it ends before it listens
   */
  async serve(flags: readonly string[] = []): Promise<RunningService> {
    const child = this.#spawn(['serve', '--port', '0', '--json', ...flags])
    const ended = once(child, 'close').then(([code, signal]) => String(code ?? signal))
    let log = ''
    child.stderr?.on('data', (piece: Buffer) => {
      log += piece.toString('utf8')
    })
    if (child.stdout === null) throw new Error('standard output is a pipe')
    const lines = createInterface({ input: child.stdout })
    const first = await Promise.race([
      once(lines, 'line').then(([line]) => String(line)),
      ended.then((how) => {
        throw new Error(`kontor serve ended with ${how}: ${log.trim()}`)
      }),
    ])
    const { url } = JSON.parse(first) as { url: string }
    const end: RunningService['end'] = (signal) => {
      child.kill(signal)
      return ended
    }
    return { url, pid: child.pid ?? 0, ended, log: () => log, end }
  }

  #spawn(words: readonly string[]): ChildProcess {
    const { command, environment, folder } = this.installation
    const data = words.includes('--version') ? {} : { KONTOR_DATA_DIR: join(folder, this.dataName) }
    return spawn(command, words, { cwd: folder, env: { ...environment, ...data } })
  }
}
