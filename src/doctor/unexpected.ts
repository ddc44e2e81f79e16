import { type Finding, failed } from './finding.js'
import { type DoctorReply, shortly } from './request.js'

/**
 * An answer that no client can continue with.
 * @param wanted the expected answer: `200 with JSON`
 */
export function unexpected(reply: DoctorReply, wanted: string): Finding {
  return failed(`${shortly(reply)}; ${wanted} was expected`, fixOfStatus(reply), reply.request)
}

function fixOfStatus(reply: DoctorReply): string {
  const { status, isKontors } = reply
  if (status >= 300 && status < 400) return fixOfRedirect(reply)
  if (isKontors) return fixOfKontors(reply)
  const path = new URL(reply.url).pathname
  if (status === 404) {
    return (
      `Something in front of kontor has answered: let the proxy pass ${path} on, as it is. ` +
      `${wellKnownNote(path)}`
    ).trim()
  }
  if (status === 401 || status === 403) {
    return (
      `Something in front of kontor asks for a credential of its own: exempt ${path} from that, ` +
      'kontor checks who asks.'
    )
  }
  if (status === 413 || status === 415) {
    return 'Let the proxy pass bodies of up to 1 MB on, with their Content-Type.'
  }
  if (status >= 500) {
    return 'The proxy does not reach kontor, or kontor has a fault: look at the log of both.'
  }
  return (
    'Something in front of kontor has answered, or takes X-Request-Id away: let the proxy pass ' +
    'requests and answers on as they are.'
  )
}

function wellKnownNote(path: string): string {
  return path.startsWith('/.well-known/')
    ? 'The documents below /.well-known/ lie at the root of the host, not below the base URL.'
    : ''
}

function fixOfRedirect({ headers }: DoctorReply): string {
  return (
    `Clients that post a credential do not follow redirects. Give them the address where this ` +
    `leads to (${headers.get('location') ?? 'nowhere'}), serve with it as --base-url, or end the ` +
    'redirect.'
  )
}

function fixOfKontors({ status }: DoctorReply): string {
  switch (status) {
    case 404:
      return (
        'The server knows no active integration at this address: it serves another --data-dir, ' +
        'is older than the integration, or the proxy changes the path.'
      )
    case 401:
      return 'The server does not know the credential: it probably serves another --data-dir.'
    case 403:
      return (
        'The server refuses the Host or Origin of the request: let the proxy pass Host on, and ' +
        'serve with --base-url.'
      )
    case 429:
      return 'Too many requests came from one address: wait a minute and try again.'
    default:
      return 'Look at the log of the server, for the X-Request-Id that begins with doctor-.'
  }
}
