import { messageOf } from '../errors.js'

/** How long `kontor doctor` waits for one answer: a user gives up no later. */
export const DOCTOR_ANSWER_MS_MAX = 10_000

/** The reason for a missing answer. */
interface ConnectionFault {
  readonly observed: string
  readonly fix: string
}

/** Codes and messages of Node and OpenSSL -> their meaning. */
const FAULTS: readonly (readonly [code: RegExp, observed: string, fix: string])[] = [
  [
    /ECONNREFUSED/,
    'connection refused: nothing listens there',
    'Start kontor serve, and check that --host and --port match the base URL; behind a ' +
      'proxy, check that the proxy runs.',
  ],
  [
    /^bad port$/,
    'the port is blocked by browsers (https://fetch.spec.whatwg.org/#port-blocking)',
    'Use another port.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'the host name cannot be resolved',
    'Correct --base-url, or add the name to DNS.',
  ],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT/,
    'the host cannot be reached',
    'Check the firewall and routing between this machine and the host.',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    'the TLS certificate is not valid at this time',
    'Renew the certificate, and check the clocks of both machines.',
  ],
  [
    /ALTNAME_INVALID/,
    'the TLS certificate is for another host',
    'Use the host name of the certificate, or get a certificate for the host of the base URL.',
  ],
  [
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/,
    'the TLS certificate chain is incomplete',
    'Serve the whole chain: put the certificate and the intermediates into the --tls-cert file.',
  ],
  [
    /SELF_SIGNED_CERT/,
    'the TLS certificate is not signed by a trusted authority',
    'Get a certificate from a public authority (free with ACME), or add your own authority ' +
      'to every client and, for this command, to NODE_EXTRA_CA_CERTS.',
  ],
  [
    /WRONG_VERSION_NUMBER|EPROTO|PACKET_LENGTH|HTTP_REQUEST/,
    'the port does not speak TLS',
    'Use http in the base URL, or enable TLS: --tls-cert and --tls-key, or a proxy.',
  ],
  [
    /HPE_|UND_ERR_SOCKET|ECONNRESET|UND_ERR_HEADERS|other side closed/,
    'the connection ended without an HTTP answer',
    'If the port speaks TLS, use https in the base URL; otherwise check the log of the ' +
      'server that listens there.',
  ],
]

/** The cause of a failed fetch. @param error as thrown by fetch */
export function faultOfConnection(error: unknown, url: string): ConnectionFault {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return {
      observed: `no answer within ${DOCTOR_ANSWER_MS_MAX / 1000} seconds`,
      fix: `Check the log of the server, and proxies and firewalls in front of ${hostOf(url)}.`,
    }
  }
  const words = wordsOf(error)
  const known = FAULTS.find(([code]) => code.test(words))
  if (known !== undefined) return { observed: `${known[1]} (${words})`, fix: known[2] }
  return { observed: words, fix: `Check whether ${hostOf(url)} can be reached from this machine.` }
}

/** Codes and messages of an error and of its causes. */
function wordsOf(error: unknown): string {
  const words: string[] = []
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { readonly code?: unknown }
    const reason = typeof code === 'string' ? code : at.message
    if (reason !== '' && reason !== 'fetch failed') words.push(reason)
  }
  return words.length === 0 ? messageOf(error) : words.join(', ')
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
