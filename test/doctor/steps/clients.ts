import { test } from 'tap'
import { deactivateClient, deleteClient } from '../../../src/admin/clients.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { deleteOperatorRow, listOperators } from '../../../src/store/operator-rows.js'
import type { Spoiling } from '../../fixtures/broken-front.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'

const MCP = { kind: 'mcp', letsRegister: true } as const

/** Deletes both clients of the fixture. */
async function withoutClients({ fixture }: DoctorFixture): Promise<void> {
  for (const { client } of [fixture.publicClient, fixture.confidentialClient]) {
    await deleteClient({ control: fixture.service.control, nowMs: 0, actor: CLI_ACTOR }, client.id)
  }
}

test('without registration a program needs a client id from the named source', async (t) => {
  const doctor = await DoctorFixture.open(t, { integration: { kind: 'mcp' } })
  await withoutClients(doctor)
  const { registration, clients } = await doctor.findings()
  t.match(registration, { outcome: 'skipped', observed: /^disabled: .* client id/, fix: /--dcr/ })
  t.match(clients, {
    outcome: 'skipped',
    observed: 'none; keys work without clients',
    fix: /clients create/,
  })
})

test('an oauth2 integration without a client is unusable', async (t) => {
  const doctor = await DoctorFixture.open(t)
  await withoutClients(doctor)
  t.match((await doctor.findings())['clients'], { outcome: 'failed', fix: /clients create/ })
})

test('a client that may not sign in is named', async (t) => {
  const doctor = await DoctorFixture.open(t, { integration: { scopes: ['accounts:read'] } })
  const { control } = doctor.fixture.service
  t.match((await doctor.findings())['clients'], { outcome: 'ok', observed: '2 active' })
  const barred = await doctor.fixture.newClient({ name: 'Barred', scopes: ['transactions:read'] })
  t.match((await doctor.findings())['clients'], {
    outcome: 'failed',
    observed: `client ${barred.client.id} (Barred) has no permitted scope`,
    fix: /--scopes/,
  })
  await deactivateClient({ control, nowMs: 0, actor: CLI_ACTOR }, barred.client.id)
  t.match((await doctor.findings())['clients'], { outcome: 'failed', observed: /is inactive$/ })
})

test('registration has to arrive complete, and in this data directory', async (t) => {
  const doctor = await DoctorFixture.open(t, { integration: MCP })
  const rewriting = (from: RegExp, to: string): Spoiling => ({
    answer: (passing, { path }) => {
      if (path.endsWith('/register')) passing.body = passing.body.replace(from, to)
    },
  })
  const registrationWith = async (spoiling: Spoiling): Promise<unknown> =>
    (await doctor.findings({ spoiling }))['registration']
  t.match(await registrationWith(rewriting(/"none"/, '"client_secret_basic"')), {
    outcome: 'failed',
    observed: 'token_endpoint_auth_method is client_secret_basic, not none',
    fix: /forward the response unchanged/,
  })
  t.match(await registrationWith(rewriting(/("client_id":")/, '$1x')), {
    outcome: 'failed',
    observed: /which is not in this data directory$/,
    fix: /^The server serves another --data-dir/,
  })
  const request: Spoiling['request'] = ({ path }) =>
    path.endsWith('/register') ? { status: 403, headers: {}, body: 'no' } : undefined
  const findings = await doctor.findings({ spoiling: { request } })
  t.match(findings['registration'], {
    outcome: 'failed',
    fix: /requires its own credential: exempt/,
  })
  t.match(findings['sign-in-page'], { outcome: 'ok' }, 'the run continues with another client')
})

test('an address with too many registrations has to wait', async (t) => {
  const doctor = await DoctorFixture.open(t, { integration: MCP })
  const registrations = async (): Promise<unknown> => (await doctor.findings())['registration']
  for (let i = 0; i < 20; i++) t.match(await registrations(), { outcome: 'ok' })
  t.match(await registrations(), { outcome: 'failed', fix: /wait a minute/ })
})

test('a service without an operator is reported', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const { control } = doctor.fixture.service
  for (const { id } of control.look(listOperators))
    await control.atomically(() => deleteOperatorRow(id))
  t.match((await doctor.findings())['operators'], {
    outcome: 'failed',
    fix: /kontor operators create/,
  })
  const byKey = await doctor.fixture.newIntegration({ kind: 'mcp' })
  t.match((await doctor.findings({ integration: byKey }))['operators'], { outcome: 'skipped' })
})
