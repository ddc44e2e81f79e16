import { test } from 'tap'
import type { Spoiling } from '../../fixtures/broken-front.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'

test('another program at the base URL is detected', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }
  const { server } = await doctor.findings({ spoiling: { request: () => page } })
  t.match(server, {
    outcome: 'failed',
    observed: /^200 text\/html <h1>Welcome<\/h1>; its OpenAPI document was expected$/,
    fix: /The response is not from kontor/,
  })
  const headers = { location: 'https://bank.example.org/openapi.json' }
  const elsewhere = { status: 301, headers, body: '' }
  const redirected = await doctor.findings({ spoiling: { request: () => elsewhere } })
  t.match(redirected['server'], { outcome: 'failed', fix: /leads to \(https:\/\/bank\.example/ })
})

test('a server with another name is reported with the right start flag', async (t) => {
  const own = 'https://bank.example.org/kontor'
  const doctor = await DoctorFixture.open(t, { service: { baseUrl: () => own } })
  const { server, 'base-url': baseUrl, ...others } = await doctor.findings()
  t.equal(server?.outcome, 'ok')
  t.match(baseUrl, {
    outcome: 'failed',
    observed: `its base URL is ${own}: its scheme is https instead of http`,
    fix: new RegExp(`^Start the server with --base-url ${doctor.front.url}, or give clients`),
  })
  t.match(others['issuer-metadata'], { outcome: 'failed', observed: /its scheme is https/ })
})

test('a wrong clock is reported with its offset', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const { nowMs } = doctor.fixture.service
  const clockOf = async (clock: () => number): Promise<unknown> =>
    (await doctor.findings({ clock }))['clock']
  const here = { outcome: 'ok' }
  t.match(await clockOf(() => nowMs + 60_000), here)
  t.match(await clockOf(() => nowMs - 60_000), here)
  const wrong = { outcome: 'failed', fix: /NTP/ }
  t.match(await clockOf(() => nowMs + 61_000), { ...wrong, observed: /^it is 61 seconds behind/ })
  t.match(await clockOf(() => nowMs - 7_200_000), {
    ...wrong,
    observed: /^it is 7200 seconds ahead/,
  })
  const odd: Spoiling = {
    answer: ({ headers }) => {
      headers.date = 'today'
    },
  }
  t.match((await doctor.findings({ spoiling: odd }))['clock'], { outcome: 'skipped' })
})
