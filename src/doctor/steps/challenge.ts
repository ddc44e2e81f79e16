import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'
import { initialization, postMcp } from '../mcp-message.js'
import { type DoctorReply, request, shortly } from '../request.js'
import { unexpected } from '../unexpected.js'
import { urlDifference } from '../url-difference.js'
import { insertedUrl } from '../well-known.js'

/** The challenge of the MCP endpoint: it demands a token, and names the resource metadata. */
export const MCP_CHALLENGE_STEP: DiagnosticStep = {
  id: 'challenge',
  title: 'the endpoint answers 401 and names its metadata',
  needs: ['server'],
  check: checkMcpChallenge,
}

/** The same for the REST operations (RFC 6750, 3). */
export const REST_CHALLENGE_STEP: DiagnosticStep = {
  id: 'challenge',
  title: 'the REST operations answer 401 without a credential',
  needs: ['server'],
  check: checkRestChallenge,
}

async function checkMcpChallenge({ resource }: DiagnosticRun): Promise<Finding> {
  const reply = await postMcp(resource, initialization(), { note: 'without a credential' })
  const fault = faultOfChallenge(reply)
  if (fault !== undefined) return fault
  const challenge = challengeOf(reply)
  const metadataUrl = /resource_metadata="([^"]*)"/.exec(challenge)?.[1]
  const difference = urlDifference(insertedUrl('oauth-protected-resource', resource), metadataUrl)
  if (difference !== undefined) {
    const fix =
      'Start the server with the base URL that clients use, and configure the proxy to forward ' +
      'WWW-Authenticate unchanged.'
    return failed(
      `resource_metadata is ${metadataUrl ?? 'missing'}: ${difference}`,
      fix,
      reply.request,
    )
  }
  return ok(`401 with ${challenge}`, reply.request)
}

async function checkRestChallenge({ resource }: DiagnosticRun): Promise<Finding> {
  const reply = await request(`${resource}/key/scope`, { note: 'without a credential' })
  return faultOfChallenge(reply) ?? ok(`401 with ${challengeOf(reply)}`, reply.request)
}

function faultOfChallenge(reply: DoctorReply): Finding | undefined {
  if (reply.status === 200) {
    const fix =
      'Requests without a credential must be rejected: remove the Authorization header that ' +
      'the proxy adds to every request.'
    return failed(`${shortly(reply)}, although no credential was sent`, fix, reply.request)
  }
  if (reply.status !== 401) return unexpected(reply, '401 with a Bearer challenge')
  const challenge = challengeOf(reply)
  if (/^bearer\b/i.test(challenge)) return undefined
  if (challenge === '') {
    const fix =
      'Configure the proxy to forward WWW-Authenticate: without it clients cannot find the ' +
      'metadata.'
    return failed('401 without WWW-Authenticate', fix, reply.request)
  }
  return unexpected({ ...reply, isKontors: false }, '401 with a Bearer challenge')
}

function challengeOf({ headers }: DoctorReply): string {
  return headers.get('www-authenticate') ?? ''
}
