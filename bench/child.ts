import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

const COMPILED = resolve(import.meta.dirname, '..')

/** V8 flags of `kontor serve` (bin/kontor.mjs): for it alone, no contender gets them. */
const KONTOR_FLAGS = startFlags()
const KONTOR_SCRIPTS = /^(program\/main|bench\/(live|bare|loading)-server)\.js$/

/** A server as a child process. */
export interface ServerProcess {
  readonly pid: number
  readonly port: number
  /** From the process's start to the line that says it listens. */
  readonly startMs: number
  /** The next line of stdout. @throws Error when the process ends instead */
  nextLine(): Promise<string>
  /** Sends the signal to end and waits for the exit. */
  stop(): Promise<void>
}

/**
 * Starts a script of this project that prints `{"url":…}` when it listens.
 * @param script path below the compiled root, such as `program/main.js`
 * @param runner words of a program that runs it
 * @throws Error when it ends before it listens
 */
export async function startServer(
  script: string,
  parameters: readonly string[],
  runner: readonly string[] = [],
): Promise<ServerProcess> {
  const startedMs = performance.now()
  const flags = KONTOR_SCRIPTS.test(script) ? KONTOR_FLAGS : []
  const child = spawnScript(script, parameters, [...runner, process.execPath, ...flags])
  return serverOf(child, script, startedMs)
}

async function serverOf(child: Child, name: string, startedMs: number): Promise<ServerProcess> {
  const ended = endOf(child)
  const lines = createInterface({ input: child.stdout! })
  const nextLine = (): Promise<string> =>
    Promise.race([
      new Promise<string>((take) => lines.once('line', take)),
      ended.then((code) => {
        throw new Error(`${name} ended with ${code}:\n${child.errorText()}`)
      }),
    ])
  const line = await nextLine()
  const startMs = performance.now() - startedMs
  const { url } = JSON.parse(line) as { url: string }
  const stop = async (): Promise<void> => {
    child.end('SIGTERM')
    await ended
  }
  return { pid: child.pid ?? 0, port: Number(new URL(url).port), startMs, nextLine, stop }
}

/**
 * Starts kontor by a command from the documents, in a process group of its own, because npm and a
 * shell stand between. @param words the command, which prints `{"url":…}`
 * @throws Error when it ends before it listens
 */
export async function startCommand(words: readonly string[]): Promise<ServerProcess> {
  const startedMs = performance.now()
  const [program = '', ...rest] = words
  return serverOf(watched(program, rest, true), words.join(' '), startedMs)
}

/**
 * Starts a script that sends requests without a pause. Callers would have machines of their own:
 * here they only use CPU time that the server and its readers leave idle (SCHED_IDLE, sched(7)),
 * where `chrt` exists; {@link callersPriority} reports which.
 */
export function startCallers(
  script: string,
  parameters: readonly string[],
): Promise<ServerProcess> {
  return startServer(script, parameters, hasChrt() ? ['chrt', '--idle', '0'] : [])
}

/** How the callers of {@link startCallers} are scheduled, for reports. */
export function callersPriority(): string {
  return hasChrt()
    ? 'Callers without a pause run at idle priority, as if on machines of their own.'
    : 'Callers without a pause run at the priority of the server.'
}

function hasChrt(): boolean {
  return spawnSync('chrt', ['--idle', '0', 'true']).status === 0
}

/** Exit of a program. */
export interface Ended {
  readonly stdout: string
  readonly seconds: number
}

/**
 * Runs a script of this project to its end.
 * @param watch called at intervals with the process id while the script runs
 * @throws Error with the output on stderr when the script fails
 */
export async function runToEnd(
  script: string,
  parameters: readonly string[],
  watch: (pid: number) => void = () => {},
): Promise<Ended> {
  const startedMs = performance.now()
  const child = spawnScript(script, parameters)
  const timer = setInterval(() => watch(child.pid ?? 0), 50)
  let stdout = ''
  child.stdout?.on('data', (piece: Buffer) => {
    stdout += piece.toString('utf8')
  })
  const code = await endOf(child)
  clearInterval(timer)
  const seconds = (performance.now() - startedMs) / 1000
  if (code === 0) return { stdout, seconds }
  throw new Error(`${script} ${parameters.join(' ')} ended with ${code}:\n${child.errorText()}`)
}

type Child = ChildProcess & {
  errorText(): string
  /** Signals the process, or its process group when it leads one. */
  end(signal: NodeJS.Signals): void
}

function startFlags(): readonly string[] {
  const launcher = readFileSync(resolve(COMPILED, '../bin/kontor.mjs'), 'utf8')
  const [, flags] = /exec node ((?:--\S+ )+)"\$0"/.exec(launcher) ?? []
  if (flags === undefined) throw new Error('bin/kontor.mjs gives node no flags for serve')
  return flags.trim().split(' ')
}

function spawnScript(
  script: string,
  parameters: readonly string[],
  [program = '', ...words]: readonly string[] = [process.execPath],
): Child {
  const all = [...words, resolve(COMPILED, script), ...parameters]
  return watched(program, all, false)
}

function watched(program: string, words: readonly string[], detached: boolean): Child {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], detached })
  let text = ''
  child.stderr.on('data', (piece: Buffer) => {
    text = (text + piece.toString('utf8')).slice(-4_000)
  })
  return Object.assign(child, {
    errorText: () => text,
    end: (signal: NodeJS.Signals) => {
      if (detached && child.pid !== undefined) process.kill(-child.pid, signal)
      else child.kill(signal)
    },
  })
}

function endOf(child: ChildProcess): Promise<number | string> {
  return new Promise((take, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => take(code ?? signal ?? 'nothing'))
  })
}
