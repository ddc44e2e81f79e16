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
    'nothing listens there',
    'Start kontor serve, and look whether --host and --port are those of the base URL; behind a ' +
      'proxy, whether the proxy runs.',
  ],
  [
    /^bad port$/,
    'the port is one that browsers refuse to use (https://fetch.spec.whatwg.org/#port-blocking)',
    'Serve on another port.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'the name of the host is not known',
    'Correct --base-url, or give the name an address in DNS.',
  ],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT/,
    'the host cannot be reached',
    'Look at firewall and routing between this machine and the host.',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    'the TLS certificate is not valid at this time',
    'Renew the certificate, and look at the clocks of both machines.',
  ],
  [
    /ALTNAME_INVALID/,
    'the TLS certificate is for another host',
    'Use the host that the certificate names, or have one issued for the host of the base URL.',
  ],
  [
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/,
    'the TLS certificate comes without those that lead to a known authority',
    'Serve the whole chain: --tls-cert takes the certificate and those between in one file.',
  ],
  [
    /SELF_SIGNED_CERT/,
    'the TLS certificate is signed by nobody whom clients know',
    'Have one issued by a public authority (ACME costs nothing), or let every client, and here ' +
      'NODE_EXTRA_CA_CERTS, name your own authority.',
  ],
  [
    /WRONG_VERSION_NUMBER|EPROTO|PACKET_LENGTH|HTTP_REQUEST/,
    'the port does not speak TLS',
    'Use http in the base URL, or end TLS there: --tls-cert and --tls-key, or a proxy.',
  ],
  [
    /HPE_|UND_ERR_SOCKET|ECONNRESET|UND_ERR_HEADERS|other side closed/,
    'the connection ended without an HTTP answer',
    'Look whether the port speaks TLS (then use https in the base URL), and at the log of what ' +
      'listens there.',
  ],
]

/** The cause of a failed fetch. @param error as thrown by fetch */
export function faultOfConnection(error: unknown, url: string): ConnectionFault {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return {
      observed: `no answer within ${DOCTOR_ANSWER_MS_MAX / 1000} seconds`,
      fix: `Look at the log of the server, and at what stands between here and ${hostOf(url)}.`,
    }
  }
  const words = wordsOf(error)
  const known = FAULTS.find(([code]) => code.test(words))
  if (known !== undefined) return { observed: `${known[1]} (${words})`, fix: known[2] }
  return { observed: words, fix: `Look whether ${hostOf(url)} can be reached from this machine.` }
}

/** Codes and messages of an error and of its causes. */
function wordsOf(error: unknown): string {
  const words: string[] = []
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { readonly code?: unknown }
    const said = typeof code === 'string' ? code : at.message
    if (said !== '' && said !== 'fetch failed') words.push(said)
  }
  return words.length === 0 ? messageOf(error) : words.join(', ')
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
