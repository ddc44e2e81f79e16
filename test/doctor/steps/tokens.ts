import { test } from 'tap'
import type { Spoiling } from '../../fixtures/broken-front.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'

test('CORS fields have to come from kontor', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const answer: Spoiling['answer'] = ({ headers }) => {
    delete headers['access-control-allow-origin']
  }
  const findings = await doctor.findings({ spoiling: { answer } })
  const fault = { outcome: 'failed', fix: /removes Access-Control headers or adds its own/ }
  t.match(findings['wrong-code'], fault)
  t.match(findings['token-cors'], fault)
  const refused: Spoiling['request'] = ({ method }) =>
    method === 'OPTIONS' ? { status: 405, headers: {}, body: '' } : undefined
  const cors = await doctor.findings({ spoiling: { request: refused } })
  t.match(cors['token-cors'], { outcome: 'failed', observed: '405; 204 was expected' })
})

test('a form that does not arrive is reported', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const request: Spoiling['request'] = ({ path, headers }) => {
    if (path.endsWith('/token')) headers['content-type'] = 'text/plain'
    return undefined
  }
  const { 'wrong-code': wrong, 'right-code': right } = await doctor.findings({
    spoiling: { request },
  })
  t.match(wrong, {
    outcome: 'failed',
    observed: /; 400 with the error invalid_grant was expected$/,
  })
  t.match(right, { outcome: 'skipped' })
})

test('a clock that is ahead makes codes expire before their exchange', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const late = doctor.fixture.service.nowMs - 3_600_000
  t.match((await doctor.findings({ clock: () => late }))['right-code'], {
    outcome: 'failed',
    observed: /invalid_grant/,
    fix: /or its clock is ahead/,
  })
})

for (const kind of ['oauth2', 'mcp'] as const) {
  test(`a token of ${kind} lost on the way is noticed`, async (t) => {
    const doctor = await DoctorFixture.open(t, { integration: { kind } })
    const request: Spoiling['request'] = ({ headers }) => {
      delete headers.authorization
      return undefined
    }
    const findings = await doctor.findings({ spoiling: { request } })
    t.match(findings['access-token'], {
      outcome: 'failed',
      fix: /^The credential did not arrive: .* removes the Authorization header/,
    })
    t.match(findings['revocation'], { outcome: 'skipped' })
  })

  test(`a cached answer of ${kind} is noticed`, async (t) => {
    const doctor = await DoctorFixture.open(t, { integration: { kind } })
    const isOpened = (path: string): boolean => /\/key\/scope$|\/mcp\/[^/]+$/.test(path)
    let kept: { status: number; headers: object; body: string } | undefined
    let isRevoked = false
    const spoiling: Spoiling = {
      request: ({ path }) => {
        if (path.endsWith('/revoke')) isRevoked = true
        return isRevoked && isOpened(path) && kept ? { ...kept, headers: {} } : undefined
      },
      answer: (answer, { path, headers }) => {
        if (isOpened(path) && headers.authorization?.startsWith('Bearer at-')) kept = answer
      },
    }
    t.match((await doctor.findings({ spoiling }))['revocation'], {
      outcome: 'failed',
      observed: /^200, but then 200/,
      fix: /caches responses/,
    })
  })
}
