import { type Test, test } from 'tap'
import { runDoctor } from '../../src/doctor/doctor.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { DoctorFixture } from '../fixtures/doctor-fixture.js'
import type { OAuthWish } from '../fixtures/oauth-fixture.js'

const MCP = { kind: 'mcp', letsRegister: true } as const

/** Runs the doctor; every step except these has to pass. */
async function assertWell(t: Test, wish: OAuthWish, skipped: readonly string[]): Promise<void> {
  const doctor = await DoctorFixture.open(t, wish)
  const before = doctor.fixture.state()
  for (const result of await doctor.run()) {
    const { id, outcome, observed } = result
    t.equal(outcome, skipped.includes(id) ? 'skipped' : 'ok', `${id}: ${observed}`)
    t.match(result, { id: /^[a-z][-a-z]*$/, title: /^\w.*[^.]$/, observed: /./ })
  }
  const after = doctor.fixture.state()
  t.same(after, before, 'nothing that it has made is left')
  const log = JSON.stringify(doctor.fixture.audit())
  t.match(log, /kontor doctor/, 'but the audit log tells')
  t.notMatch(log, /"mcp-\w{43}|"a[ct]-\w{43}/)
}

test('an oauth2 integration that is set up well is found well', async (t) => {
  await assertWell(t, {}, ['registration'])
})

test('so is an MCP integration, whose programs register themselves', async (t) => {
  await assertWell(t, { integration: MCP }, [])
})

test('so is one whose programs do not', async (t) => {
  await assertWell(t, { integration: { kind: 'mcp' } }, ['registration'])
})

test('a step that another one is needed for is skipped, and says so', async (t) => {
  const { fixture, front } = await DoctorFixture.open(t)
  const { directory, control } = fixture.service
  front.port = 9
  const { integration } = fixture
  const baseUrl = 'http://127.0.0.1:9'
  const clock = (): number => fixture.service.nowMs
  const options = { directory, control, integration, baseUrl, clock, actor: CLI_ACTOR }
  const outcomes: string[] = []
  for await (const { id, outcome, observed } of runDoctor(options)) {
    outcomes.push(`${id} ${outcome}`)
    if (id === 'issuer-metadata') t.match(observed, /^needs .*: kontor answers at the base URL$/)
  }
  t.same(outcomes.slice(1, 4), ['integration ok', 'server failed', 'base-url skipped'])
  t.same(outcomes.filter((text) => text.endsWith('failed')).length, 1)
})

test('what a diagnostic run has made is gone when it is left halfway', async (t) => {
  const { fixture, front } = await DoctorFixture.open(t, { integration: MCP })
  const { service, integration } = fixture
  const { directory, control } = service
  const before = fixture.state()
  const clock = (): number => service.nowMs
  const options = { directory, control, integration, baseUrl: front.url, clock, actor: CLI_ACTOR }
  for await (const { id } of runDoctor(options)) {
    if (id !== 'right-code') continue
    t.notSame(fixture.state(), before, 'a client, a grant, tokens')
    break
  }
  t.same(fixture.state(), before)
})
