import { test } from 'tap'
import type { PassingAnswer, Spoiling } from '../../fixtures/broken-front.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'

function spoiled(change: (answer: PassingAnswer) => void): { readonly spoiling: Spoiling } {
  const answer: Spoiling['answer'] = (passing, { path }) => {
    if (path.includes('/authorize?')) change(passing)
  }
  return { spoiling: { answer } }
}

test('the sign-in page has to arrive complete', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const cookieless = spoiled(({ headers }) => {
    delete headers['set-cookie']
  })
  t.match((await doctor.findings(cookieless))['sign-in-page'], {
    outcome: 'failed',
    observed: 'a sign-in page without its cookie',
    fix: /forward cookies/,
  })
  const unprotected = spoiled(({ headers }) => {
    headers['content-security-policy'] = 'upgrade-insecure-requests'
  })
  t.match((await doctor.findings(unprotected))['sign-in-page'], {
    outcome: 'failed',
    fix: /Content-Security-Policy/,
  })
  const other = spoiled((answer) => Object.assign(answer, { body: '<form>SSO</form>' }))
  t.match((await doctor.findings(other))['sign-in-page'], {
    outcome: 'failed',
    observed: /<form>SSO<\/form>; a sign-in page was expected$/,
  })
})

test('a redirect to an unregistered URI is an alarm', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const request: Spoiling['request'] = (passing) => {
    passing.path = passing.path.replace('%2Fother', '')
    return undefined
  }
  t.match((await doctor.findings({ spoiling: { request } }))['redirect-uri'], {
    outcome: 'failed',
    observed: /^200 text\/html .*; 400 was expected$/,
    fix: /would send codes to an attacker/,
  })
  const sent: Spoiling['request'] = ({ path }) =>
    path.includes('%2Fother')
      ? { status: 303, headers: { location: 'http://127.0.0.1:9/x' }, body: '' }
      : undefined
  t.match((await doctor.findings({ spoiling: { request: sent } }))['redirect-uri'], {
    outcome: 'failed',
    observed: /^303 to http/,
  })
})
