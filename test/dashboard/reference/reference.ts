import { test } from 'tap'
import { overDashboards, overOneDashboard } from '../../fixtures/dashboard-fixture.js'
import { PageVisitor } from '../../fixtures/page-visitor.js'

test(
  'the API reference is public, and loads from this service only',
  overDashboards(async (t, fixture) => {
    const stranger = new PageVisitor()
    const page = await stranger.get(`${fixture.url}/docs`)
    t.equal(page.status, 200)
    t.match(page.headers.get('content-security-policy'), "default-src 'none'; script-src 'self'")
    t.notMatch(page.headers.get('content-security-policy'), 'unsafe')
    t.notMatch(page.text, /<style|javascript:| on\w+="| style=|<script(?![^>]* src=)/i)
    const files = [...page.text.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, at]) => at)
    t.equal(files.length, 4)
    for (const file of files) {
      const { status, headers, text } = await stranger.get(fixture.url + file)
      t.equal(status, 200)
      t.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      t.notMatch(text, 'sourceMappingURL=swagger')
      const etag = headers.get('etag') ?? ''
      const again = await fetch(fixture.url + file, { headers: { 'If-None-Match': etag } })
      t.equal(again.status, 304)
    }
    t.equal((await stranger.get(`${fixture.url}/docs/none.js`)).status, 404)
    t.equal((await stranger.post(`${fixture.url}/docs`, {})).status, 405)
  }),
)

test(
  'behind a proxy that strips a path, links include it',
  overOneDashboard(
    async (t, fixture) => {
      const { text } = await new PageVisitor().get(`${fixture.url}/docs`)
      for (const [, url] of text.matchAll(/(?:href|src|data-document)="([^"]*)"/g)) {
        t.match(url, /^(\/bank\/|data:,)/)
      }
    },
    { service: { baseUrl: () => 'http://example.org/bank' } },
  ),
)
