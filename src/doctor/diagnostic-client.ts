import { hash } from 'node:crypto'
import { createClient, deleteClient } from '../admin/clients.js'
import { createMcpKey, revokeMcpKey } from '../admin/mcp-keys.js'
import { appendAudit } from '../auth/audit.js'
import { createSecret, hashOfSecret } from '../auth/secret.js'
import { scopesOf } from '../auth/selection.js'
import { insertGrantWithCode } from '../store/grant-rows.js'
import type { DiagnosticClient, DiagnosticRun } from './diagnostic-run.js'

/** Life of the key of a run, should the run end before it revokes it. */
export const DOCTOR_KEY_MS = 300_000

/** The name of everything the doctor creates. */
export const DOCTOR_NAME = 'kontor doctor'

/** The redirect URI of its codes; no program listens there. */
export const DOCTOR_REDIRECT_URI = 'http://127.0.0.1:9/kontor-doctor'

/**
 * Its code verifier, a constant: everything it protects is removed at the end of the diagnostic
 * run.
 */
export const DOCTOR_VERIFIER = 'kontor-doctor-'.repeat(4)

/** The challenge of that verifier (RFC 7636, 4.2). */
export const DOCTOR_CHALLENGE = hash('sha256', DOCTOR_VERIFIER, 'base64url')

/** Creates a client for the time of the diagnostic run. */
export async function makeClient(run: DiagnosticRun): Promise<DiagnosticClient> {
  const { control, integration, clock, actor } = run
  const { client } = await createClient(
    { control, nowMs: clock(), actor },
    {
      ...{ integrationId: integration.id, name: DOCTOR_NAME, type: 'public' },
      ...{ redirectUris: [DOCTOR_REDIRECT_URI], scopes: scopesOf(integration.scopes) },
      registered: 'operator',
    },
  )
  return keepUntilOver(run, client.id)
}

/** A client for the time of the diagnostic run; it is then deleted with its grants and tokens. */
export function keepUntilOver(run: DiagnosticRun, clientId: string): DiagnosticClient {
  const { control, clock, actor } = run
  run.undoings.push(() => deleteClient({ control, nowMs: clock(), actor }, clientId))
  return { id: clientId, redirectUri: DOCTOR_REDIRECT_URI }
}

/**
 * Creates a code as an operator's consent would, for the doctor's own client: the consent of a
 * person at a browser is the one step that cannot be tried.
 */
export async function makeCode(run: DiagnosticRun, client: DiagnosticClient): Promise<string> {
  const { control, integration, clock, actor, resource } = run
  const code = createSecret('ac-')
  const nowMs = clock()
  await control.alone(function* () {
    const grant = yield* insertGrantWithCode({
      clientId: client.id,
      integrationId: integration.id,
      operatorId: null,
      scope: integration.scopes,
      resource,
      createdAt: nowMs,
      codeHash: hashOfSecret(code),
      redirectUri: client.redirectUri,
      challenge: DOCTOR_CHALLENGE,
      codeExpiresAt: nowMs + integration.codeMs,
    })
    yield* appendAudit(actor, nowMs, {
      action: 'consent.decide',
      subject: client.id,
      workspaceId: integration.workspaceId,
      integrationId: integration.id,
      detail: { grant, scope: integration.scopes, by: DOCTOR_NAME },
    })
  })
  return code
}

/** Creates an `mcp-` key for the time of the diagnostic run; it expires soon after in any case. */
export async function makeKey(run: DiagnosticRun): Promise<string> {
  const { control, integration, clock, actor } = run
  const { id, key } = await createMcpKey(
    { control, nowMs: clock(), actor },
    {
      ...{ integrationId: integration.id, name: DOCTOR_NAME },
      ...{ scopes: scopesOf(integration.scopes), expiresAtMs: clock() + DOCTOR_KEY_MS },
    },
  )
  run.undoings.push(() => revokeMcpKey({ control, nowMs: clock(), actor }, id))
  return key
}
