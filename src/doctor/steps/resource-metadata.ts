import { ask } from '../ask.js'
import { type Finding, failed, ok } from '../finding.js'
import { unexpected } from '../unexpected.js'
import { urlDifference } from '../url-difference.js'
import type { Step, Walk } from '../walk.js'
import { appendedUrl, insertedUrl } from '../well-known.js'

const NAME = 'oauth-protected-resource'

/** What the MCP endpoint says of itself, at both places clients look (RFC 9728, 3). */
export const RESOURCE_METADATA_STEPS: readonly Step[] = [
  {
    id: 'resource-metadata',
    title: 'the resource metadata names the endpoint as it is typed, and its issuer',
    needs: ['server'],
    look: (walk) => lookAtResourceMetadata(walk, insertedUrl(NAME, walk.resource)),
  },
  {
    id: 'resource-metadata-appended',
    title: 'the same behind the endpoint, where some clients look',
    needs: ['server'],
    look: (walk) => lookAtResourceMetadata(walk, appendedUrl(NAME, walk.resource)),
  },
]

async function lookAtResourceMetadata(
  { resource, issuer, baseUrl }: Walk,
  url: string,
): Promise<Finding> {
  const reply = await ask(url)
  const { json } = reply
  if (reply.status !== 200 || json === undefined) return unexpected(reply, '200 with JSON')
  const difference = urlDifference(resource, json['resource'])
  if (difference !== undefined) {
    const mend =
      `Clients compare it with what was typed, character by character. Start the server with ` +
      `--base-url ${baseUrl}, or have clients use the address that it says.`
    return failed(`resource is ${String(json['resource'])}: ${difference}`, mend, reply.asked)
  }
  const issuers = json['authorization_servers']
  if (!Array.isArray(issuers) || !issuers.includes(issuer)) {
    const said = JSON.stringify(issuers) ?? 'missing'
    const mend = `It must name ${issuer}: start the server with --base-url ${baseUrl}.`
    return failed(`authorization_servers is ${said}`, mend, reply.asked)
  }
  return ok(`resource ${resource}`, reply.asked)
}
