import { createSecret } from '../../auth/secret.js'
import { DOCTOR_VERIFIER, makeCode } from '../diagnostic-client.js'
import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'
import { listing, postMcp } from '../mcp-message.js'
import { fixOfRefusal } from '../refused-credential.js'
import { type DoctorReply, request, shortly } from '../request.js'
import { unexpected } from '../unexpected.js'

/** The exchange of a code for tokens. */
export const TOKEN_STEPS: readonly DiagnosticStep[] = [
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

/** The rights of an access token. */
export const REST_TOKEN_STEP: DiagnosticStep = {
  id: 'access-token',
  title: 'the access token opens the REST operations',
  needs: ['right-code'],
  look: async (run) => {
    const reply = await requestRest(run)
    const isOwn = reply.json?.['integrationId'] === run.integration.id
    if (reply.status === 200 && isOwn) return ok('200 with the scope of the token', reply.request)
    return refusedToken(reply, '200 with the scope of the token')
  },
}

/** The same for the MCP endpoint. */
export const MCP_TOKEN_STEP: DiagnosticStep = {
  id: 'access-token',
  title: 'the access token opens the endpoint',
  needs: ['right-code'],
  look: async (run) => {
    const reply = await requestMcp(run)
    if (reply.status === 200) return ok('200', reply.request)
    return refusedToken(reply, '200')
  },
}

/** The revocation of access. */
export const REVOCATION_STEP: DiagnosticStep = {
  id: 'revocation',
  title: 'what was revoked opens nothing any more',
  needs: ['access-token'],
  look: lookAtRevocation,
}

async function lookAtWrongCode(run: DiagnosticRun): Promise<Finding> {
  const reply = await postForm(run, 'token', formWith(run, createSecret('ac-')))
  const error = reply.json?.['error']
  if (reply.status !== 400 || error !== 'invalid_grant') {
    return unexpected(reply, '400 with the error invalid_grant')
  }
  if (reply.headers.get('access-control-allow-origin') === '*') {
    return ok('400 invalid_grant', reply.request)
  }
  return failed('400 invalid_grant without Access-Control-Allow-Origin', CORS_MEND, reply.request)
}

const CORS_MEND =
  'Let kontor answer this by itself: the proxy takes Access-Control fields away, or adds its ' +
  'own, and clients that run in a browser get no further.'

async function lookAtPreflight({ issuer }: DiagnosticRun): Promise<Finding> {
  const reply = await request(`${issuer}/token`, {
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
  if (isAllowed) return ok(`${reply.status}, POST is allowed`, reply.request)
  return failed(`${reply.status} without leave for POST`, CORS_MEND, reply.request)
}

async function lookAtRightCode(run: DiagnosticRun): Promise<Finding> {
  const { client } = run.found
  if (client === undefined) return { outcome: 'skipped', observed: 'there is no client to ask as' }
  const code = makeCode(run, client)
  const reply = await postForm(run, 'token', formWith(run, code))
  const { access_token: access, token_type: type } = reply.json ?? {}
  if (reply.status === 400 && reply.json?.['error'] === 'invalid_grant') {
    const fix =
      'The server does not know a code that was just written to this data directory: it serves ' +
      'another one, or its clock is ahead.'
    return failed(shortly(reply), fix, reply.request)
  }
  const hasToken = typeof access === 'string' && typeof type === 'string'
  if (reply.status !== 200 || !hasToken) return unexpected(reply, '200 with an access token')
  run.found.accessToken = access
  return ok('200 with an access token', reply.request)
}

async function lookAtRevocation(run: DiagnosticRun): Promise<Finding> {
  const { accessToken = '' } = run.found
  const reply = await postForm(run, 'revoke', {
    client_id: run.found.client?.id ?? '',
    token: accessToken,
  })
  if (reply.status !== 200) return unexpected(reply, '200')
  const after = await (run.integration.kind === 'mcp' ? requestMcp(run) : requestRest(run))
  if (after.status === 401) return ok('200, and then 401', reply.request)
  const fix =
    'Something in front of kontor keeps answers for later, or adds a credential of its own: take ' +
    'the cache out of the way, kontor says no-cache.'
  return failed(`200, but then ${shortly(after)}`, fix, after.request)
}

function formWith({ found }: DiagnosticRun, code: string): Readonly<Record<string, string>> {
  return {
    grant_type: 'authorization_code',
    code,
    client_id: found.client?.id ?? '',
    redirect_uri: found.client?.redirectUri ?? '',
    code_verifier: DOCTOR_VERIFIER,
  }
}

function postForm(
  { issuer }: DiagnosticRun,
  endpoint: 'token' | 'revoke',
  form: Readonly<Record<string, string>>,
): Promise<DoctorReply> {
  return request(`${issuer}/${endpoint}`, { method: 'POST', body: new URLSearchParams(form) })
}

function requestRest({ resource, found }: DiagnosticRun): Promise<DoctorReply> {
  const credential = found.accessToken
  return request(`${resource}/key/scope`, { credential, note: 'with the access token' })
}

function requestMcp({ resource, found }: DiagnosticRun): Promise<DoctorReply> {
  const credential = found.accessToken
  return postMcp(resource, listing(), { credential, note: 'tools/list with the access token' })
}

function refusedToken(reply: DoctorReply, wanted: string): Finding {
  const fix = fixOfRefusal(reply)
  if (fix === undefined) return unexpected(reply, wanted)
  return failed(`${shortly(reply)}; ${wanted} was expected`, fix, reply.request)
}
