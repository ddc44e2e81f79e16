import { test } from 'tap'
import { msText } from '../../../../src/dashboard/pages/activity/activity.js'
import { overDashboards } from '../../../fixtures/dashboard-fixture.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'

test(
  'requests of programs are counted, page views are not',
  overDashboards(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const url = `${fixture.url}/dashboard/activity`
    const before = await visitor.get(url)
    t.match(wordsOf(before), 'no requests in the last minute')
    t.match(before.text, '<noscript><meta http-equiv="refresh" content="2"/></noscript>')
    const { key } = await fixture.service.newKey('w')
    for (let i = 0; i < 7; i++) await fixture.service.ask('/v1/w/accounts', { key })
    for (let i = 0; i < 3; i++) await fixture.service.ask('/v1/w/accounts', { key: 'sk-none' })
    await fixture.service.ask('/v1/w/transactions?limit=x', { key })
    const after = wordsOf(await visitor.get(url))
    // The client has also fetched the OpenAPI document, to check the answers against it.
    t.match(after, '12 in the last minute')
    t.match(after, 'Errors 0 and 4 rejected (4xx) in the last minute')
    t.match(after, /Latency, median [\d.]+ (µs|ms) p95/)
    t.match(after, /w (Ready|Indexing) 302 [\d.]+ (KB|MB)/)
  }),
)

test('durations are shown in a suitable unit', async (t) => {
  t.equal(msText(0.0123), '12 µs')
  t.equal(msText(0.0042), '4.2 µs')
  t.equal(msText(3.44), '3.4 ms')
  t.equal(msText(250), '250 ms')
  t.equal(msText(1_234), '1.2 s')
})
