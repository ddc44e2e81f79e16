import type { Demo } from './demo.js'
import type { Output } from './terminal.js'

/** Facts about a service that has begun to listen. */
export interface StartedService {
  readonly url: string
  /** The URL from outside. */
  readonly tryUrl: string
  /** The demo of this start; undefined = none was created. */
  readonly demo: Demo | undefined
  /** The link that creates the first operator; undefined = an operator exists. */
  readonly firstRunUrl: string | undefined
  /** The flags with which a command finds the same store; `''` = none are needed. */
  readonly storeFlags: string
}

/**
 * Prints the address of the service, and how to sign in. The link that creates the first operator
 * opens everything, so output that is no terminal, such as the journal of systemd or the log of a
 * container, names the command instead.
 */
export async function writeListening(
  stdout: Output,
  { url, tryUrl, demo, firstRunUrl, storeFlags }: StartedService,
): Promise<void> {
  // Loaded only when it has something to print, see serve.ts.
  if (demo !== undefined) await (await import('./demo.js')).writeDemoHint(stdout, demo, tryUrl)
  if (firstRunUrl !== undefined) {
    const how = stdout.isTerminal
      ? `create the first operator at\n  ${firstRunUrl}`
      : `create the first operator with\n  kontor operators create NAME${storeFlags}`
    await stdout.write(`There is no operator yet; ${how}\n`)
  }
  await stdout.write(`kontor listens on ${url}\n`)
}

/** The same for programs: one line of JSON, with the link. */
export async function writeListeningJson(
  stdout: Output,
  { url, demo, firstRunUrl }: StartedService,
): Promise<void> {
  await stdout.write(`${JSON.stringify({ url, firstRunUrl, ...demo })}\n`)
}
