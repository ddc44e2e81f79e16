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
    'The credential did not arrive: a proxy in front of kontor removes the Authorization header. ' +
    'Configure it to forward the header (in Apache, for example, with CGIPassAuth).'
  )
}
