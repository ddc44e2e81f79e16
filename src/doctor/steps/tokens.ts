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
    title: 'the token endpoint rejects an unknown code',
    needs: ['server'],
    check: checkWrongCode,
  },
  {
    id: 'token-cors',
    title: 'the token endpoint allows requests from any origin (CORS)',
    needs: ['server'],
    check: checkPreflight,
  },
  {
    id: 'right-code',
    title: 'the token endpoint exchanges a valid code for tokens',
    needs: ['wrong-code'],
    check: checkRightCode,
  },
]

/** The rights of an access token. */
export const REST_TOKEN_STEP: DiagnosticStep = {
  id: 'access-token',
  title: 'the REST operations accept the access token',
  needs: ['right-code'],
  check: async (run) => {
    const reply = await requestRest(run)
    const isOwn = reply.json?.['integrationId'] === run.integration.id
    if (reply.status === 200 && isOwn) return ok('200 with the scope of the token', reply.request)
    return refusedToken(reply, '200 with the scope of the token')
  },
}

/** The same for the MCP endpoint. */
export const MCP_TOKEN_STEP: DiagnosticStep = {
  id: 'access-token',
  title: 'the MCP endpoint accepts the access token',
  needs: ['right-code'],
  check: async (run) => {
    const reply = await requestMcp(run)
    if (reply.status === 200) return ok('200', reply.request)
    return refusedToken(reply, '200')
  },
}

/** The revocation of access. */
export const REVOCATION_STEP: DiagnosticStep = {
  id: 'revocation',
  title: 'a revoked access token is rejected',
  needs: ['access-token'],
  check: checkRevocation,
}

async function checkWrongCode(run: DiagnosticRun): Promise<Finding> {
  const reply = await postForm(run, 'token', formWith(run, createSecret('ac-')))
  const error = reply.json?.['error']
  if (reply.status !== 400 || error !== 'invalid_grant') {
    return unexpected(reply, '400 with the error invalid_grant')
  }
  if (reply.headers.get('access-control-allow-origin') === '*') {
    return ok('400 invalid_grant', reply.request)
  }
  return failed('400 invalid_grant without Access-Control-Allow-Origin', CORS_FIX, reply.request)
}

const CORS_FIX =
  'Let kontor send the CORS headers: the proxy removes Access-Control headers or adds its ' +
  'own, which stops clients that run in a browser.'

async function checkPreflight({ issuer }: DiagnosticRun): Promise<Finding> {
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
  return failed(`${reply.status} without permission for POST`, CORS_FIX, reply.request)
}

async function checkRightCode(run: DiagnosticRun): Promise<Finding> {
  const { client } = run.facts
  if (client === undefined)
    return { outcome: 'skipped', observed: 'there is no client to test with' }
  const code = await makeCode(run, client)
  const reply = await postForm(run, 'token', formWith(run, code))
  const { access_token: access, token_type: type } = reply.json ?? {}
  if (reply.status === 400 && reply.json?.['error'] === 'invalid_grant') {
    const fix =
      'The server does not know a code that was just written to this data directory: it serves ' +
      'another directory, or its clock is ahead.'
    return failed(shortly(reply), fix, reply.request)
  }
  const hasToken = typeof access === 'string' && typeof type === 'string'
  if (reply.status !== 200 || !hasToken) return unexpected(reply, '200 with an access token')
  run.facts.accessToken = access
  return ok('200 with an access token', reply.request)
}

async function checkRevocation(run: DiagnosticRun): Promise<Finding> {
  const { accessToken = '' } = run.facts
  const reply = await postForm(run, 'revoke', {
    client_id: run.facts.client?.id ?? '',
    token: accessToken,
  })
  if (reply.status !== 200) return unexpected(reply, '200')
  const after = await (run.integration.kind === 'mcp' ? requestMcp(run) : requestRest(run))
  if (after.status === 401) return ok('200, then 401', reply.request)
  const fix =
    'A proxy in front of kontor caches responses, or adds its own credential: disable ' +
    'its cache for kontor, which sends no-cache.'
  return failed(`200, but then ${shortly(after)}`, fix, after.request)
}

function formWith({ facts }: DiagnosticRun, code: string): Readonly<Record<string, string>> {
  return {
    grant_type: 'authorization_code',
    code,
    client_id: facts.client?.id ?? '',
    redirect_uri: facts.client?.redirectUri ?? '',
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

function requestRest({ resource, facts }: DiagnosticRun): Promise<DoctorReply> {
  const credential = facts.accessToken
  return request(`${resource}/key/scope`, { credential, note: 'with the access token' })
}

function requestMcp({ resource, facts }: DiagnosticRun): Promise<DoctorReply> {
  const credential = facts.accessToken
  return postMcp(resource, listing(), { credential, note: 'tools/list with the access token' })
}

function refusedToken(reply: DoctorReply, wanted: string): Finding {
  const fix = fixOfRefusal(reply)
  if (fix === undefined) return unexpected(reply, wanted)
  return failed(`${shortly(reply)}; ${wanted} was expected`, fix, reply.request)
}
