import { ask, type Reply, shortly } from '../ask.js'
import { type Finding, failed, ok } from '../finding.js'
import { initialization, postMcp } from '../mcp-message.js'
import { unexpected } from '../unexpected.js'
import { urlDifference } from '../url-difference.js'
import type { Step, Walk } from '../walk.js'
import { insertedUrl } from '../well-known.js'

/** How a client of the MCP endpoint learns that it needs a token, and where to look. */
export const MCP_CHALLENGE_STEP: Step = {
  id: 'challenge',
  title: 'the endpoint asks who is there, and says where to find out',
  needs: ['server'],
  look: lookAtMcpChallenge,
}

/** The same of the REST operations (RFC 6750, 3). */
export const REST_CHALLENGE_STEP: Step = {
  id: 'challenge',
  title: 'the operations ask who is there',
  needs: ['server'],
  look: lookAtRestChallenge,
}

async function lookAtMcpChallenge({ resource }: Walk): Promise<Finding> {
  const reply = await postMcp(resource, initialization(), { note: 'without a credential' })
  const fault = faultOfChallenge(reply)
  if (fault !== undefined) return fault
  const challenge = challengeOf(reply)
  const said = /resource_metadata="([^"]*)"/.exec(challenge)?.[1]
  const difference = urlDifference(insertedUrl('oauth-protected-resource', resource), said)
  if (difference !== undefined) {
    const mend =
      'Start the server with the base URL that clients use, and let the proxy pass ' +
      'WWW-Authenticate on as it is.'
    return failed(`resource_metadata is ${said ?? 'missing'}: ${difference}`, mend, reply.asked)
  }
  return ok(`401 with ${challenge}`, reply.asked)
}

async function lookAtRestChallenge({ resource }: Walk): Promise<Finding> {
  const reply = await ask(`${resource}/key/scope`, { note: 'without a credential' })
  return faultOfChallenge(reply) ?? ok(`401 with ${challengeOf(reply)}`, reply.asked)
}

function faultOfChallenge(reply: Reply): Finding | undefined {
  if (reply.status === 200) {
    const mend =
      'Nobody may be let in without a credential: take the Authorization field out of the proxy ' +
      'that adds one to every request.'
    return failed(`${shortly(reply)}, although no credential was sent`, mend, reply.asked)
  }
  if (reply.status !== 401) return unexpected(reply, '401 with a Bearer challenge')
  const challenge = challengeOf(reply)
  if (/^bearer\b/i.test(challenge)) return undefined
  if (challenge === '') {
    const mend =
      'Let the proxy pass WWW-Authenticate on: without it clients do not learn how to sign in.'
    return failed('401 without WWW-Authenticate', mend, reply.asked)
  }
  return unexpected({ ...reply, isKontors: false }, '401 with a Bearer challenge')
}

function challengeOf({ headers }: Reply): string {
  return headers.get('www-authenticate') ?? ''
}
