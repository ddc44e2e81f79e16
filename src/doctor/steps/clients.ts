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
    title: 'dynamic client registration works',
    needs: ['server'],
    check: checkRegistration,
  },
  {
    id: 'clients',
    title: 'the registered clients can be used',
    needs: ['integration'],
    check: checkClients,
  },
  {
    id: 'operators',
    title: 'there is an operator who can give consent',
    needs: ['integration'],
    check: checkOperators,
  },
]

async function checkRegistration(run: DiagnosticRun): Promise<Finding> {
  const { integration, issuer, control, facts } = run
  if (!integration.letsRegister) {
    facts.client = await makeClient(run)
    const fix =
      integration.kind === 'mcp'
        ? `${CREATE_CLIENT} Or create a new integration with --dcr.`
        : undefined
    return skipped('disabled: programs need a client id from kontor clients create', fix)
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
    facts.client = await makeClient(run)
    return unexpected(reply, '201 with a client_id')
  }
  const method = reply.json?.['token_endpoint_auth_method']
  const client = await control.look(() => findClient(clientId))
  if (client?.integrationId !== integration.id) {
    const fix =
      'The server serves another --data-dir than this one. Delete the client kontor ' +
      'doctor there with kontor clients delete.'
    return failed(`client ${clientId}, which is not in this data directory`, fix, reply.request)
  }
  facts.client = keepUntilOver(run, clientId)
  if (method === 'none')
    return ok(`client ${clientId}, deleted at the end of this run`, reply.request)
  const fix = 'Configure the proxy to forward the response unchanged: clients need this field.'
  return failed(`token_endpoint_auth_method is ${String(method)}, not none`, fix, reply.request)
}

const CREATE_CLIENT = 'Create one with kontor clients create and the redirect URI of the program.'

async function checkClients({ control, integration }: DiagnosticRun): Promise<Finding> {
  const clients = await control.look(() => listClients(integration.id))
  const own = clients.filter(({ name }) => name !== DOCTOR_NAME)
  if (own.length === 0) {
    if (integration.letsRegister) return skipped('none yet; clients register themselves')
    if (integration.kind === 'mcp') return skipped('none; keys work without clients', CREATE_CLIENT)
    return failed('none, so no program can request access', CREATE_CLIENT)
  }
  const idle = own.find(({ isActive }) => !isActive)
  if (idle !== undefined) {
    const fix =
      'Reactivate it with kontor clients activate, or delete it with kontor clients delete.'
    return failed(`client ${idle.id} (${idle.name}) is inactive`, fix)
  }
  const barred = own.find(({ scopes }) => scopesOfAll(scopes, integration.scopes).length === 0)
  if (barred !== undefined) {
    const fix =
      'Create a new client with kontor clients create, with --scopes that the integration permits.'
    return failed(`client ${barred.id} (${barred.name}) has no permitted scope`, fix)
  }
  return ok(`${own.length} active`)
}

async function checkOperators({ control, integration }: DiagnosticRun): Promise<Finding> {
  const count = (await control.look(listOperators)).length
  if (count > 0) return ok(count === 1 ? '1 operator' : `${count} operators`)
  const fix = 'Create one with kontor operators create NAME.'
  if (integration.kind === 'oauth2' || integration.letsRegister) {
    return failed('none, so no consent can be given', fix)
  }
  return skipped('none; keys work without operators', fix)
}
