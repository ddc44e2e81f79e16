import { test } from 'tap'
import { renderToString } from '../../../src/browser/jsx.js'
import { errorPage } from '../../../src/oauth/pages/error-page.js'

test('the page describes the error and gives its code', async (t) => {
  const { body, formTargets } = errorPage('invalid_client', 'Not <known>.')
  const text = renderToString(body)
  t.match(text, '<p>Not &lt;known>.</p>')
  t.match(text, 'invalid_client')
  t.notMatch(text, /<(a|form|meta)\b/, 'and links to nothing')
  t.equal(formTargets, undefined)
  t.notMatch(text, 'was not sent to')
  const kept = renderToString(errorPage('invalid_scope', 'No.', 'a.example <b>').body)
  t.match(kept, '<strong>a.example &lt;b></strong>')
  t.notMatch(kept, /<(a|form|meta)\b/, 'nor does the redirect URI')
})
