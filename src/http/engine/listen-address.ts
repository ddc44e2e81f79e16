import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { CommandError, messageOf } from '../../errors.js'

/**
 * The address to bind for `host`. A name is looked up once, IPv4 preferred, so that both engines
 * bind the same address of `localhost`. Rejects with CommandError `failed` for an unknown name.
 */
export async function addressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) return host
  try {
    return (await lookup(host, { verbatim: false })).address
  } catch (error) {
    throw listenFault(error, host, 0)
  }
}

/**
 * The reason why listening failed, as one sentence with the remedy.
 * @param error from the system
 */
export function listenFault(error: unknown, host: string, port: number): CommandError {
  const cause = { cause: error }
  const at = `${host.includes(':') ? `[${host}]` : host}:${port}`
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CommandError(
        'failed',
        `port ${port} on ${host} is in use: stop the other program or choose another --port`,
        cause,
      )
    case 'EACCES':
    case 'EPERM':
      return new CommandError(
        'failed',
        `not permitted to listen on ${at}: choose a --port above 1023`,
        cause,
      )
    case 'EADDRNOTAVAIL':
      return new CommandError(
        'failed',
        `${host} is not an address of this machine: choose another --host`,
        cause,
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandError(
        'failed',
        `${host} cannot be resolved: set --host to an address, such as 127.0.0.1`,
        cause,
      )
    default:
      return new CommandError('failed', `cannot listen on ${at}: ${messageOf(error)}`, cause)
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
