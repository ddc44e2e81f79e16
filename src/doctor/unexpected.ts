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
      `The response is not from kontor: configure the proxy to forward ${path} unchanged. ` +
      `${wellKnownNote(path)}`
    ).trim()
  }
  if (status === 401 || status === 403) {
    return (
      `A proxy in front of kontor requires its own credential: exempt ${path}, because ` +
      'kontor authenticates requests itself.'
    )
  }
  if (status === 413 || status === 415) {
    return 'Configure the proxy to forward bodies of up to 1 MB with their Content-Type.'
  }
  if (status >= 500) {
    return 'The proxy cannot reach kontor, or kontor failed: check both logs.'
  }
  return (
    'The response is not from kontor, or a proxy removes X-Request-Id: configure it to forward ' +
    'requests and responses unchanged.'
  )
}

function wellKnownNote(path: string): string {
  return path.startsWith('/.well-known/')
    ? 'The paths below /.well-known/ are at the root of the host, not below the base URL.'
    : ''
}

function fixOfRedirect({ headers }: DoctorReply): string {
  return (
    `Clients that post a credential do not follow redirects. Give them the address that it ` +
    `leads to (${headers.get('location') ?? 'none'}), use that as --base-url, or remove the ` +
    'redirect.'
  )
}

function fixOfKontors({ status }: DoctorReply): string {
  switch (status) {
    case 404:
      return (
        'The server has no active integration at this address: it serves another --data-dir, ' +
        'was started before the integration was created, or the proxy changes the path.'
      )
    case 401:
      return 'The server does not know the credential: it probably serves another --data-dir.'
    case 403:
      return (
        'The server rejects the Host or Origin of the request: configure the proxy to ' +
        'forward Host, and start kontor with --base-url.'
      )
    case 429:
      return 'Too many requests came from one address: wait a minute and try again.'
    default:
      return 'Check the log of the server for the X-Request-Id that begins with doctor-.'
  }
}
