import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'
import { type ParsedObject, request } from '../request.js'
import { unexpected } from '../unexpected.js'
import { urlDifference } from '../url-difference.js'
import { appendedUrl, insertedUrl } from '../well-known.js'

const OAUTH = 'oauth-authorization-server'
const OPENID = 'openid-configuration'

/** The metadata of the issuer, at each place clients look (RFC 8414, 3; MCP, "Discovery"). */
export const ISSUER_METADATA_STEPS: readonly DiagnosticStep[] = [
  {
    id: 'issuer-metadata',
    title: 'the issuer publishes its metadata',
    needs: ['server'],
    check: (run) => checkIssuerMetadata(run, insertedUrl(OAUTH, run.issuer)),
  },
  {
    id: 'issuer-metadata-appended',
    title: 'the same metadata below the issuer',
    needs: ['server'],
    check: (run) => checkIssuerMetadata(run, appendedUrl(OAUTH, run.issuer)),
  },
  {
    id: 'openid-configuration',
    title: 'the same metadata at the address of OpenID Connect',
    needs: ['server'],
    check: (run) => checkIssuerMetadata(run, insertedUrl(OPENID, run.issuer)),
  },
  {
    id: 'openid-configuration-appended',
    title: 'the same metadata at the address of OpenID Connect below the issuer',
    needs: ['server'],
    check: (run) => checkIssuerMetadata(run, appendedUrl(OPENID, run.issuer)),
  },
]

async function checkIssuerMetadata(run: DiagnosticRun, url: string): Promise<Finding> {
  const reply = await request(url)
  const { json } = reply
  if (reply.status !== 200 || json === undefined) return unexpected(reply, '200 with JSON')
  const wrong = wrongMember(run, json)
  if (wrong !== undefined) {
    const fix =
      'Clients reject such a document. Start the server with ' +
      `--base-url ${run.baseUrl}, and configure the proxy to forward the document unchanged.`
    return failed(wrong, fix, reply.request)
  }
  return ok(`issuer ${run.issuer}`, reply.request)
}

/** The first member that clients rely on and that is wrong, in words; undefined = none. */
function wrongMember(
  { issuer, integration }: DiagnosticRun,
  json: ParsedObject,
): string | undefined {
  const urls: readonly (readonly [name: string, url: string])[] = [
    ['issuer', issuer],
    ['authorization_endpoint', `${issuer}/authorize`],
    ['token_endpoint', `${issuer}/token`],
    ['revocation_endpoint', `${issuer}/revoke`],
    ...(integration.letsRegister ? [['registration_endpoint', `${issuer}/register`] as const] : []),
  ]
  for (const [name, url] of urls) {
    const difference = urlDifference(url, json[name])
    if (difference !== undefined) return `${name} is ${String(json[name])}: ${difference}`
  }
  const methods = json['code_challenge_methods_supported']
  const hasPkce = Array.isArray(methods) && methods.includes('S256')
  return hasPkce ? undefined : 'code_challenge_methods_supported does not include S256'
}
