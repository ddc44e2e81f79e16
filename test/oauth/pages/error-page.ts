import { test } from 'tap'
import { errorPage } from '../../../src/oauth/pages/error-page.js'

test('the page says what is wrong, by its name too', async (t) => {
  const { body, formTargets } = errorPage('invalid_client', 'Not <known>.')
  t.match(body.text, '<p>Not &lt;known&gt;.</p>')
  t.match(body.text, 'invalid_client')
  t.notMatch(body.text, /<(a|form|meta)\b/, 'and leads nowhere')
  t.equal(formTargets, undefined)
  t.notMatch(body.text, 'sent there')
  const kept = errorPage('invalid_scope', 'No.', 'a.example <b>').body.text
  t.match(kept, '<strong>a.example &lt;b&gt;</strong>')
  t.notMatch(kept, /<(a|form|meta)\b/, 'nor does where it would have been told')
})
