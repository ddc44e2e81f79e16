import { test } from 'tap'
import { Credentials } from '../../src/auth/credentials.js'
import {
  DOCTOR_CHALLENGE,
  DOCTOR_KEY_MS,
  DOCTOR_VERIFIER,
  makeClient,
  makeCode,
  makeKey,
} from '../../src/doctor/diagnostic-client.js'
import type { DiagnosticRun } from '../../src/doctor/diagnostic-run.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { isChallenge, isVerifierOf } from '../../src/oauth/pkce.js'
import { findClient, listClients } from '../../src/store/client-rows.js'
import { makeDataDirectory } from '../../src/store/data-directory.js'
import { listGrants } from '../../src/store/grant-rows.js'
import { catalogOf } from '../../src/store/open-workspace.js'
import { NOW_MS, newControl, someIntegration } from '../fixtures/control.js'

test('the challenge matches the verifier', async (t) => {
  t.ok(isChallenge(DOCTOR_CHALLENGE))
  t.ok(isVerifierOf(DOCTOR_VERIFIER, DOCTOR_CHALLENGE))
})

test('client, code and key are created for one run', async (t) => {
  const control = await newControl(t)
  const integration = await someIntegration(control, { kind: 'mcp', scopes: ['accounts:read'] })
  const clock = { nowMs: NOW_MS }
  const run: DiagnosticRun = {
    ...{ catalog: catalogOf(makeDataDirectory(t.testdirName)), control, integration },
    ...{ baseUrl: 'http://a', issuer: 'http://a/i', resource: 'http://a/r', actor: CLI_ACTOR },
    ...{ clock: () => clock.nowMs, facts: {}, undoings: [] },
  }
  const client = await makeClient(run)
  t.match(await control.look(() => findClient(client.id)), {
    type: 'public',
    scopes: 'accounts:read',
    redirectUris: [client.redirectUri],
  })
  await makeCode(run, client)
  t.match(await control.look(() => listGrants({})), [
    { clientId: client.id, operatorId: null, resource: 'http://a/r' },
  ])
  const key = await makeKey(run)
  const ticks = { ms: 0 }
  const credentials = new Credentials(control, {
    clock: () => clock.nowMs,
    ticks: () => (ticks.ms += 1_000),
  })
  const caller = { remoteAddress: '127.0.0.1', requestId: 'r' }
  const opens = async (): Promise<boolean> =>
    (await credentials.forMcp(key, integration.id, caller)) !== undefined
  t.ok(await opens())
  clock.nowMs += DOCTOR_KEY_MS
  t.notOk(await opens(), 'it expires without revocation')
  clock.nowMs = NOW_MS
  for (const undo of run.undoings.reverse()) await undo()
  t.notOk(await opens())
  t.same(await control.look(listClients), [])
  t.same(await control.look(() => listGrants({})), [])
})
