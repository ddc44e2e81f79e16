import { ask, type JsonObject } from '../ask.js'
import { type Finding, failed, ok } from '../finding.js'
import { unexpected } from '../unexpected.js'
import { urlDifference } from '../url-difference.js'
import type { Step, Walk } from '../walk.js'
import { appendedUrl, insertedUrl } from '../well-known.js'

const OAUTH = 'oauth-authorization-server'
const OPENID = 'openid-configuration'

/** What the issuer says of itself, at each place clients look (RFC 8414, 3; MCP, "Discovery"). */
export const ISSUER_METADATA_STEPS: readonly Step[] = [
  {
    id: 'issuer-metadata',
    title: 'the issuer says where its endpoints are',
    needs: ['server'],
    look: (walk) => lookAtIssuerMetadata(walk, insertedUrl(OAUTH, walk.issuer)),
  },
  {
    id: 'issuer-metadata-appended',
    title: 'the same behind the issuer',
    needs: ['server'],
    look: (walk) => lookAtIssuerMetadata(walk, appendedUrl(OAUTH, walk.issuer)),
  },
  {
    id: 'openid-configuration',
    title: 'the same as clients of OpenID Connect look for it',
    needs: ['server'],
    look: (walk) => lookAtIssuerMetadata(walk, insertedUrl(OPENID, walk.issuer)),
  },
  {
    id: 'openid-configuration-appended',
    title: 'the same, behind the issuer',
    needs: ['server'],
    look: (walk) => lookAtIssuerMetadata(walk, appendedUrl(OPENID, walk.issuer)),
  },
]

async function lookAtIssuerMetadata(walk: Walk, url: string): Promise<Finding> {
  const reply = await ask(url)
  const { json } = reply
  if (reply.status !== 200 || json === undefined) return unexpected(reply, '200 with JSON')
  const wrong = wrongMember(walk, json)
  if (wrong !== undefined) {
    const mend =
      'Clients refuse such a document. Start the server with ' +
      `--base-url ${walk.baseUrl}, and let the proxy pass the document on as it is.`
    return failed(wrong, mend, reply.asked)
  }
  return ok(`issuer ${walk.issuer}`, reply.asked)
}

/** What clients rely on and is not so, in words. */
function wrongMember({ issuer, integration }: Walk, json: JsonObject): string | undefined {
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
  return hasPkce ? undefined : 'code_challenge_methods_supported does not name S256'
}
