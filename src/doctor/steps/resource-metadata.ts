import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'
import { request } from '../request.js'
import { unexpected } from '../unexpected.js'
import { urlDifference } from '../url-difference.js'
import { appendedUrl, insertedUrl } from '../well-known.js'

const NAME = 'oauth-protected-resource'

/** The metadata of the MCP endpoint, at both places clients look (RFC 9728, 3). */
export const RESOURCE_METADATA_STEPS: readonly DiagnosticStep[] = [
  {
    id: 'resource-metadata',
    title: 'the resource metadata names the endpoint and its issuer',
    needs: ['server'],
    check: (run) => checkResourceMetadata(run, insertedUrl(NAME, run.resource)),
  },
  {
    id: 'resource-metadata-appended',
    title: 'the same metadata below the endpoint, where some clients look',
    needs: ['server'],
    check: (run) => checkResourceMetadata(run, appendedUrl(NAME, run.resource)),
  },
]

async function checkResourceMetadata(
  { resource, issuer, baseUrl }: DiagnosticRun,
  url: string,
): Promise<Finding> {
  const reply = await request(url)
  const { json } = reply
  if (reply.status !== 200 || json === undefined) return unexpected(reply, '200 with JSON')
  const difference = urlDifference(resource, json['resource'])
  if (difference !== undefined) {
    const fix =
      'Clients compare it with their configured address, character by character. Start the ' +
      `server with --base-url ${baseUrl}, or configure clients with the address that it ` +
      'names.'
    return failed(`resource is ${String(json['resource'])}: ${difference}`, fix, reply.request)
  }
  const issuers = json['authorization_servers']
  if (!Array.isArray(issuers) || !issuers.includes(issuer)) {
    const issuersText = JSON.stringify(issuers) ?? 'missing'
    const fix = `It must name ${issuer}: start the server with --base-url ${baseUrl}.`
    return failed(`authorization_servers is ${issuersText}`, fix, reply.request)
  }
  return ok(`resource ${resource}`, reply.request)
}
