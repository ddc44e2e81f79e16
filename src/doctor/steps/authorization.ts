import { randomBytes } from 'node:crypto'
import { scopesOf, scopesText } from '../../auth/selection.js'
import { ask, type Reply, shortly } from '../ask.js'
import { type Finding, failed, ok } from '../finding.js'
import { unexpected } from '../unexpected.js'
import type { Step, Walk, WalkingClient } from '../walk.js'
import { DOCTOR_CHALLENGE } from '../walking-client.js'

/** What the browser of a person is shown. */
export const AUTHORIZATION_STEPS: readonly Step[] = [
  {
    id: 'sign-in-page',
    title: 'the authorization endpoint asks a person to sign in',
    needs: ['server'],
    look: lookAtSignInPage,
  },
  {
    id: 'redirect-uri',
    title: 'a redirect URI that is not registered is refused',
    needs: ['sign-in-page'],
    look: lookAtForeignRedirect,
  },
]

async function lookAtSignInPage(walk: Walk): Promise<Finding> {
  const { client } = walk.found
  if (client === undefined) return NO_CLIENT
  const reply = await askAuthorize(walk, client, client.redirectUri)
  const isForm = reply.status === 200 && /<input[^<>]* type="password"/.test(reply.text)
  if (!isForm) return unexpected(reply, 'a sign-in page')
  if (reply.headers.getSetCookie().length === 0) {
    const mend = 'Let the proxy pass cookies on: without them nobody stays signed in.'
    return failed('a sign-in page without its cookie', mend, reply.asked)
  }
  if (!reply.headers.get('content-security-policy')?.includes("frame-ancestors 'none'")) {
    const mend = 'Let the proxy pass Content-Security-Policy on: it protects who types a password.'
    return failed('a sign-in page without its Content-Security-Policy', mend, reply.asked)
  }
  return ok('a sign-in page', reply.asked)
}

async function lookAtForeignRedirect(walk: Walk): Promise<Finding> {
  const { client } = walk.found
  if (client === undefined) return NO_CLIENT
  const reply = await askAuthorize(walk, client, `${client.redirectUri}/other`)
  if (reply.status === 400 && !reply.headers.has('location')) return ok('400, a page', reply.asked)
  if (reply.status === 200 || reply.headers.has('location')) {
    const mend =
      'Whoever answers there would send codes to strangers: it is no kontor, or something ' +
      'rewrites the query on its way. Take it out of service.'
    return failed(`${shortly(reply)}; 400 was expected`, mend, reply.asked)
  }
  return unexpected(reply, '400')
}

/** What steps say that need a client, when there is none. */
const NO_CLIENT: Finding = { outcome: 'skipped', came: 'there is no client to ask as' }

function askAuthorize(walk: Walk, client: WalkingClient, redirectUri: string): Promise<Reply> {
  const { issuer, resource, integration } = walk
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
  const note = redirectUri === client.redirectUri ? 'for a code' : 'for a code, sent elsewhere'
  return ask(url.href, { note })
}
