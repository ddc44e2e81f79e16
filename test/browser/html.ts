import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { html } from '../../src/browser/html.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('values are escaped, pieces of HTML are not, undefined is nothing', async (t) => {
  const name = `<script>alert("1" & '2')</script>`
  const inner = html`<b>${name}</b>`
  t.equal(inner.text, '<b>&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;</b>')
  t.equal(html`<p>${inner}${undefined}${7}</p>`.text, `<p>${inner.text}7</p>`)
  t.equal(html`<ul>${[html`<li>a`, html`<li>${'<'}`]}</ul>`.text, '<ul><li>a<li>&lt;</ul>')
  t.equal(html`&amp;`.text, '&amp;', 'the template itself is HTML already')
})

test('no text leaves the place it was put in', async (t) => {
  assertProperty(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { text } = html`<a title="${value}">${value}</a>`
      const [, title = '', content = ''] = /^<a title="([^"]*)">([^<]*)<\/a>$/s.exec(text) ?? []
      assert.equal(unescaped(title), value.replaceAll('\0', '\ufffd'))
      assert.equal(unescaped(content), value.replaceAll('\0', '\ufffd'))
    }),
  )
  t.pass('equal')
})

function unescaped(text: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replace(/&([^;]*);/g, (_, name: string) => names[name] ?? 'unknown')
}
