import { scopesOfAll } from '../../auth/selection.js'
import { findClient, listClients } from '../../store/client-rows.js'
import { listOperators } from '../../store/operator-rows.js'
import {
  DOCTOR_NAME,
  DOCTOR_REDIRECT_URI,
  keepUntilOver,
  makeClient,
} from '../diagnostic-client.js'
import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok, skipped } from '../finding.js'
import { request } from '../request.js'
import { unexpected } from '../unexpected.js'

/** Registration of clients with the issuer, and the clients that it knows. */
export const CLIENT_STEPS: readonly DiagnosticStep[] = [
  {
    id: 'registration',
    title: 'a program that nobody knows can register itself',
    needs: ['server'],
    look: lookAtRegistration,
  },
  {
    id: 'clients',
    title: 'the programs that are registered may sign in',
    needs: ['integration'],
    look: lookAtClients,
  },
  {
    id: 'operators',
    title: 'there is somebody who can consent',
    needs: ['integration'],
    look: lookAtOperators,
  },
]

async function lookAtRegistration(run: DiagnosticRun): Promise<Finding> {
  const { integration, issuer, control, found } = run
  if (!integration.letsRegister) {
    found.client = makeClient(run)
    const fix =
      integration.kind === 'mcp' ? `${CREATE_CLIENT} Or make it anew with --dcr.` : undefined
    return skipped('off: programs need a client id that somebody has given them', fix)
  }
  const reply = await request(`${issuer}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: DOCTOR_NAME,
      redirect_uris: [DOCTOR_REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }),
  })
  const clientId = reply.json?.['client_id']
  if (reply.status !== 201 || typeof clientId !== 'string') {
    found.client = makeClient(run)
    return unexpected(reply, '201 with a client_id')
  }
  const method = reply.json?.['token_endpoint_auth_method']
  const client = findClient(control, clientId)
  if (client?.integrationId !== integration.id) {
    const fix =
      'The server serves another --data-dir than this one. What was registered there as kontor ' +
      'doctor is removed with kontor clients delete.'
    return failed(`client ${clientId}, which is not in this data directory`, fix, reply.request)
  }
  found.client = keepUntilOver(run, clientId)
  if (method === 'none') return ok(`client ${clientId}, removed when this is over`, reply.request)
  const fix = 'Let the proxy pass the answer on as it is: clients guess wrongly without it.'
  return failed(`token_endpoint_auth_method is ${String(method)}, not none`, fix, reply.request)
}

const CREATE_CLIENT = 'kontor clients create makes one, with the redirect URI that the program has.'

function lookAtClients({ control, integration }: DiagnosticRun): Finding {
  const own = listClients(control, integration.id).filter(({ name }) => name !== DOCTOR_NAME)
  if (own.length === 0) {
    if (integration.letsRegister) return skipped('none yet; they register themselves')
    if (integration.kind === 'mcp') return skipped('none; keys work without', CREATE_CLIENT)
    return failed('none, and without one no program can ask for access', CREATE_CLIENT)
  }
  const idle = own.find(({ isActive }) => !isActive)
  if (idle !== undefined) {
    const fix = 'kontor clients delete removes it; kontor clients create makes another one.'
    return failed(`client ${idle.id} (${idle.name}) is inactive`, fix)
  }
  const barred = own.find(({ scopes }) => scopesOfAll(scopes, integration.scopes).length === 0)
  if (barred !== undefined) {
    const fix = 'Make another one with kontor clients create --scopes, within the integration’s.'
    return failed(`client ${barred.id} (${barred.name}) has no scope that is permitted`, fix)
  }
  return ok(`${own.length} active`)
}

function lookAtOperators({ control, integration }: DiagnosticRun): Finding {
  const count = listOperators(control).length
  if (count > 0) return ok(`${count} who may sign in`)
  const fix = 'kontor operators create NAME lets somebody sign in.'
  if (integration.kind === 'oauth2' || integration.letsRegister) {
    return failed('nobody: whoever is sent to the sign-in page cannot go on', fix)
  }
  return skipped('nobody; keys work without', fix)
}
