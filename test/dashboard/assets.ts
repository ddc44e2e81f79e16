import { test } from 'tap'
import { STYLE } from '../../src/browser/style.js'
import { Assets } from '../../src/dashboard/assets.js'

test('asset paths contain the hash of their content', async (t) => {
  const assets = new Assets()
  assets.add('a.js', Buffer.from('one'))
  const path = assets.pathOf('a.js')
  t.match(path, /^\/dashboard\/assets\/a-[0-9a-f]{12}\.js$/)
  t.match(assets.find(path), { contentType: 'text/javascript; charset=utf-8', etag: /^"\w{12}"$/ })
  const other = new Assets()
  other.add('a.js', Buffer.from('two'))
  t.not(other.pathOf('a.js'), path)
  t.equal(other.find(path), undefined)
  t.throws(() => assets.pathOf('b.js'), /no asset is called b.js/)
})

test('the dashboard has the sheet of all pages; it loads nothing from elsewhere', async (t) => {
  const assets = Assets.load()
  const { bytes } = assets.find(assets.pathOf('kontor.css')) ?? {}
  const text = Buffer.from(bytes ?? []).toString()
  t.equal(text, STYLE)
  t.notMatch(text, /@import|url\(|https?:/)
  t.ok(assets.pathOf('copy.js'))
})
