import { type Test, test } from 'tap'
import { runDoctor } from '../../src/doctor/doctor.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { DoctorFixture } from '../fixtures/doctor-fixture.js'
import type { OAuthOptions } from '../fixtures/oauth-fixture.js'

const MCP = { kind: 'mcp', letsRegister: true } as const

/** Runs the doctor; every step except these has to pass. */
async function assertWell(
  t: Test,
  options: OAuthOptions,
  skipped: readonly string[],
): Promise<void> {
  const doctor = await DoctorFixture.open(t, options)
  const before = doctor.fixture.state()
  for (const result of await doctor.run()) {
    const { id, outcome, observed } = result
    t.equal(outcome, skipped.includes(id) ? 'skipped' : 'ok', `${id}: ${observed}`)
    t.match(result, { id: /^[a-z][-a-z]*$/, title: /^\w.*[^.]$/, observed: /./ })
  }
  const after = doctor.fixture.state()
  t.same(after, before, 'nothing that it created remains')
  const log = JSON.stringify(doctor.fixture.audit())
  t.match(log, /kontor doctor/, 'but the audit log has it')
  t.notMatch(log, /"mcp-\w{43}|"a[ct]-\w{43}/)
}

test('a correct oauth2 integration passes', async (t) => {
  await assertWell(t, {}, ['registration'])
})

test('a correct MCP integration with self-registration passes', async (t) => {
  await assertWell(t, { integration: MCP }, [])
})

test('a correct MCP integration without self-registration passes', async (t) => {
  await assertWell(t, { integration: { kind: 'mcp' } }, ['registration'])
})

test('a step whose precondition failed is skipped, and says so', async (t) => {
  const { fixture, front } = await DoctorFixture.open(t)
  const { catalog, control } = fixture.service
  front.port = 9
  const { integration } = fixture
  const baseUrl = 'http://127.0.0.1:9'
  const clock = (): number => fixture.service.nowMs
  const options = { catalog, control, integration, baseUrl, clock, actor: CLI_ACTOR }
  const outcomes: string[] = []
  for await (const { id, outcome, observed } of runDoctor(options)) {
    outcomes.push(`${id} ${outcome}`)
    if (id === 'issuer-metadata') t.match(observed, /^needs .*: kontor answers at the base URL$/)
  }
  t.same(outcomes.slice(1, 4), ['integration ok', 'server failed', 'base-url skipped'])
  t.same(outcomes.filter((text) => text.endsWith('failed')).length, 1)
})

test('an aborted diagnostic run deletes what it created', async (t) => {
  const { fixture, front } = await DoctorFixture.open(t, { integration: MCP })
  const { service, integration } = fixture
  const { catalog, control } = service
  const before = fixture.state()
  const clock = (): number => service.nowMs
  const options = { catalog, control, integration, baseUrl: front.url, clock, actor: CLI_ACTOR }
  for await (const { id } of runDoctor(options)) {
    if (id !== 'right-code') continue
    t.notSame(fixture.state(), before, 'a client, a grant, tokens')
    break
  }
  t.same(fixture.state(), before)
})
