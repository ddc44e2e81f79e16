import type { DoctorReply } from './request.js'

/**
 * The fix for a valid credential that did not arrive, as sentences; undefined for any other reply.
 * A challenge that names no error answers a request without any credential (RFC 6750, 3.1): it was
 * lost on the way.
 */
export function fixOfRefusal({ status, headers }: DoctorReply): string | undefined {
  if (status !== 401) return undefined
  const challenge = headers.get('www-authenticate') ?? ''
  if (!/^bearer\b/i.test(challenge) || challenge.includes('error=')) return undefined
  return (
    'The credential did not arrive: something in front of kontor takes the Authorization field ' +
    'away. Let the proxy pass it on (for some that has to be said, such as CGIPassAuth in Apache).'
  )
}
