import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import { renderToString } from '../../src/browser/jsx.js'
import { replyPage, replySeeOther } from '../../src/browser/page.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { rigs } from '../fixtures/http-rig.js'

test('a page runs no script, loads no resource, and is neither framed nor cached', async (t) => {
  for (const rig of rigs) {
    const { port } = await rig.listen(t, (exchange) => {
      const page = { title: 'A <b>', body: <p>{'<script>'}</p>, formTargets: ['https:'] }
      replyPage(exchange, { status: 403, page, fields: [['Set-Cookie', 'a=b']] })
    })
    const reply = await fetch(`http://127.0.0.1:${port}/`)
    const text = await reply.text()
    t.equal(reply.status, 403)
    t.match(Object.fromEntries(reply.headers), {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'set-cookie': 'a=b',
    })
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    t.equal(
      reply.headers.get('content-security-policy'),
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self' https:; ` +
        "frame-ancestors 'none'; base-uri 'none'",
    )
    t.match(text, '<title>A &lt;b> · kontor</title>')
    t.match(text, '<p>&lt;script>')
    t.notMatch(text, /<(script|img|link|iframe|object)|javascript:| on\w+=|style=/i)
  }
})

test('a redirect names its target and sends no referrer', async (t) => {
  for (const rig of rigs) {
    const { port } = await rig.listen(t, (exchange) =>
      replySeeOther(exchange, 'https://app.example.org/cb?code=1', [['Set-Cookie', 'a=b']]),
    )
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', redirect: 'manual' })
    t.equal(reply.status, 303)
    t.match(Object.fromEntries(reply.headers), {
      location: 'https://app.example.org/cb?code=1',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'set-cookie': 'a=b',
    })
    t.equal(await reply.text(), '')
  }
})

test('no text escapes from its place in the markup', async () => {
  assertProperty(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const text = renderToString(<b title={value}>{value}</b>)
      const [, title, content] = /^<b(?: title(?:="([^"]*)")?)?>([^<]*)<\/b>$/s.exec(text) ?? []
      assert.equal(unescaped(title ?? ''), value)
      assert.equal(unescaped(content ?? 'none'), value)
    }),
  )
})

function unescaped(text: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return text.replace(/&([^;]*);/g, (_, name: string) => names[name] ?? 'unknown')
}
