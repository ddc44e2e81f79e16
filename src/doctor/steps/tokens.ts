import { createSecret } from '../../auth/secret.js'
import { ask, type Reply, shortly } from '../ask.js'
import { type Finding, failed, ok } from '../finding.js'
import { listing, postMcp } from '../mcp-message.js'
import { mendOfRefusal } from '../refused-credential.js'
import { unexpected } from '../unexpected.js'
import type { Step, Walk } from '../walk.js'
import { DOCTOR_VERIFIER, makeCode } from '../walking-client.js'

/** How a code becomes tokens. */
export const TOKEN_STEPS: readonly Step[] = [
  {
    id: 'wrong-code',
    title: 'the token endpoint refuses a code that nobody was given',
    needs: ['server'],
    look: lookAtWrongCode,
  },
  {
    id: 'token-cors',
    title: 'scripts of any origin may ask the token endpoint',
    needs: ['server'],
    look: lookAtPreflight,
  },
  {
    id: 'right-code',
    title: 'the token endpoint gives tokens for a right code',
    needs: ['wrong-code'],
    look: lookAtRightCode,
  },
]

/** What an access token opens. */
export const REST_TOKEN_STEP: Step = {
  id: 'access-token',
  title: 'the access token opens the REST operations',
  needs: ['right-code'],
  look: async (walk) => {
    const reply = await askRest(walk)
    const isOwn = reply.json?.['integrationId'] === walk.integration.id
    if (reply.status === 200 && isOwn) return ok('200 with the scope of the token', reply.asked)
    return refusedToken(reply, '200 with the scope of the token')
  },
}

/** The same of the MCP endpoint. */
export const MCP_TOKEN_STEP: Step = {
  id: 'access-token',
  title: 'the access token opens the endpoint',
  needs: ['right-code'],
  look: async (walk) => {
    const reply = await askMcp(walk)
    if (reply.status === 200) return ok('200', reply.asked)
    return refusedToken(reply, '200')
  },
}

/** How access is given back. */
export const REVOCATION_STEP: Step = {
  id: 'revocation',
  title: 'what was revoked opens nothing any more',
  needs: ['access-token'],
  look: lookAtRevocation,
}

async function lookAtWrongCode(walk: Walk): Promise<Finding> {
  const reply = await postForm(walk, 'token', formWith(walk, createSecret('ac-')))
  const error = reply.json?.['error']
  if (reply.status !== 400 || error !== 'invalid_grant') {
    return unexpected(reply, '400 with the error invalid_grant')
  }
  if (reply.headers.get('access-control-allow-origin') === '*') {
    return ok('400 invalid_grant', reply.asked)
  }
  return failed('400 invalid_grant without Access-Control-Allow-Origin', CORS_MEND, reply.asked)
}

const CORS_MEND =
  'Let kontor answer this by itself: the proxy takes Access-Control fields away, or adds its ' +
  'own, and clients that run in a browser get no further.'

async function lookAtPreflight({ issuer }: Walk): Promise<Finding> {
  const reply = await ask(`${issuer}/token`, {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://app.example.org',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    },
  })
  if (reply.status !== 204 && reply.status !== 200) return unexpected(reply, '204')
  const isAllowed =
    reply.headers.get('access-control-allow-origin') === '*' &&
    /\bPOST\b/.test(reply.headers.get('access-control-allow-methods') ?? '')
  if (isAllowed) return ok(`${reply.status}, POST is allowed`, reply.asked)
  return failed(`${reply.status} without leave for POST`, CORS_MEND, reply.asked)
}

async function lookAtRightCode(walk: Walk): Promise<Finding> {
  const { client } = walk.found
  if (client === undefined) return { outcome: 'skipped', came: 'there is no client to ask as' }
  const code = makeCode(walk, client)
  const reply = await postForm(walk, 'token', formWith(walk, code))
  const { access_token: access, token_type: type } = reply.json ?? {}
  if (reply.status === 400 && reply.json?.['error'] === 'invalid_grant') {
    const mend =
      'The server does not know a code that was just written to this data directory: it serves ' +
      'another one, or its clock is ahead.'
    return failed(shortly(reply), mend, reply.asked)
  }
  const hasToken = typeof access === 'string' && typeof type === 'string'
  if (reply.status !== 200 || !hasToken) return unexpected(reply, '200 with an access token')
  walk.found.accessToken = access
  return ok('200 with an access token', reply.asked)
}

async function lookAtRevocation(walk: Walk): Promise<Finding> {
  const { accessToken = '' } = walk.found
  const reply = await postForm(walk, 'revoke', {
    client_id: walk.found.client?.id ?? '',
    token: accessToken,
  })
  if (reply.status !== 200) return unexpected(reply, '200')
  const after = await (walk.integration.kind === 'mcp' ? askMcp(walk) : askRest(walk))
  if (after.status === 401) return ok('200, and then 401', reply.asked)
  const mend =
    'Something in front of kontor keeps answers for later, or adds a credential of its own: take ' +
    'the cache out of the way, kontor says no-cache.'
  return failed(`200, but then ${shortly(after)}`, mend, after.asked)
}

function formWith({ found }: Walk, code: string): Readonly<Record<string, string>> {
  return {
    grant_type: 'authorization_code',
    code,
    client_id: found.client?.id ?? '',
    redirect_uri: found.client?.redirectUri ?? '',
    code_verifier: DOCTOR_VERIFIER,
  }
}

function postForm(
  { issuer }: Walk,
  endpoint: 'token' | 'revoke',
  form: Readonly<Record<string, string>>,
): Promise<Reply> {
  return ask(`${issuer}/${endpoint}`, { method: 'POST', body: new URLSearchParams(form) })
}

function askRest({ resource, found }: Walk): Promise<Reply> {
  const credential = found.accessToken
  return ask(`${resource}/key/scope`, { credential, note: 'with the access token' })
}

function askMcp({ resource, found }: Walk): Promise<Reply> {
  const credential = found.accessToken
  return postMcp(resource, listing(), { credential, note: 'tools/list with the access token' })
}

function refusedToken(reply: Reply, wanted: string): Finding {
  const mend = mendOfRefusal(reply)
  if (mend === undefined) return unexpected(reply, wanted)
  return failed(`${shortly(reply)}; ${wanted} was expected`, mend, reply.asked)
}
