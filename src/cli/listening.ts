import type { Demo } from './demo.js'
import type { Output } from './terminal.js'

/** What is to be known when the service listens. */
export interface Listening {
  readonly url: string
  /** How others reach it. */
  readonly tryUrl: string
  /** The demo that was made. */
  readonly demo: Demo | undefined
  /** Where the first operator is made; undefined = there is one. */
  readonly firstRunUrl: string | undefined
}

/**
 * Says where the service listens, and how somebody may sign in. The link that makes the first
 * operator opens everything, so text that goes elsewhere than to a terminal, such as the journal of
 * systemd or the log of a container, names the command instead.
 */
export async function writeListening(
  stdout: Output,
  { url, tryUrl, demo, firstRunUrl }: Listening,
): Promise<void> {
  // Loaded only where there is something to say of it, see serve.ts.
  if (demo !== undefined) await (await import('./demo.js')).writeDemoHint(stdout, demo, tryUrl)
  if (firstRunUrl !== undefined) {
    const how = stdout.isTerminal
      ? `choose a name once at\n  ${firstRunUrl}`
      : 'make the first operator with\n  kontor operators create NAME'
    await stdout.write(`Nobody can sign in yet; ${how}\n`)
  }
  await stdout.write(`kontor listens on ${url}\n`)
}

/** The same for a program: one line of JSON, with the link. */
export async function writeListeningJson(
  stdout: Output,
  { url, demo, firstRunUrl }: Listening,
): Promise<void> {
  await stdout.write(`${JSON.stringify({ url, firstRunUrl, ...demo })}\n`)
}
