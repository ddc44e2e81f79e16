import { randomBytes } from 'node:crypto'
import { scopesOf, scopesText } from '../../auth/selection.js'
import { DOCTOR_CHALLENGE } from '../diagnostic-client.js'
import type { DiagnosticClient, DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'
import { type DoctorReply, request, shortly } from '../request.js'
import { unexpected } from '../unexpected.js'

/** The pages that a person's browser receives. */
export const AUTHORIZATION_STEPS: readonly DiagnosticStep[] = [
  {
    id: 'sign-in-page',
    title: 'the authorization endpoint shows a sign-in page',
    needs: ['server'],
    check: checkSignInPage,
  },
  {
    id: 'redirect-uri',
    title: 'an unregistered redirect URI is rejected',
    needs: ['sign-in-page'],
    check: checkForeignRedirect,
  },
]

async function checkSignInPage(run: DiagnosticRun): Promise<Finding> {
  const { client } = run.facts
  if (client === undefined) return NO_CLIENT
  const reply = await requestAuthorization(run, client, client.redirectUri)
  const isForm = reply.status === 200 && /<input[^<>]* type="password"/.test(reply.text)
  if (!isForm) return unexpected(reply, 'a sign-in page')
  if (reply.headers.getSetCookie().length === 0) {
    const fix = 'Configure the proxy to forward cookies: without them sign-in does not work.'
    return failed('a sign-in page without its cookie', fix, reply.request)
  }
  if (!reply.headers.get('content-security-policy')?.includes("frame-ancestors 'none'")) {
    const fix =
      'Configure the proxy to forward Content-Security-Policy: it protects the sign-in page.'
    return failed('a sign-in page without its Content-Security-Policy', fix, reply.request)
  }
  return ok('a sign-in page', reply.request)
}

async function checkForeignRedirect(run: DiagnosticRun): Promise<Finding> {
  const { client } = run.facts
  if (client === undefined) return NO_CLIENT
  const reply = await requestAuthorization(run, client, `${client.redirectUri}/other`)
  if (reply.status === 400 && !reply.headers.has('location'))
    return ok('400 with an error page', reply.request)
  if (reply.status === 200 || reply.headers.has('location')) {
    const fix =
      'The server would send codes to an attacker: it is not kontor, or a proxy ' +
      'rewrites the query. Take it out of service.'
    return failed(`${shortly(reply)}; 400 was expected`, fix, reply.request)
  }
  return unexpected(reply, '400')
}

/** The finding of steps that need a client, without one. */
const NO_CLIENT: Finding = { outcome: 'skipped', observed: 'there is no client to test with' }

function requestAuthorization(
  run: DiagnosticRun,
  client: DiagnosticClient,
  redirectUri: string,
): Promise<DoctorReply> {
  const { issuer, resource, integration } = run
  const url = new URL(`${issuer}/authorize`)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: scopesText(scopesOf(integration.scopes)),
    state: randomBytes(8).toString('hex'),
    code_challenge: DOCTOR_CHALLENGE,
    code_challenge_method: 'S256',
    resource,
  }).toString()
  const note =
    redirectUri === client.redirectUri
      ? 'for a code'
      : 'for a code, with an unregistered redirect URI'
  return request(url.href, { note })
}
