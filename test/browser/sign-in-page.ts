import { test } from 'tap'
import { signInPage } from '../../src/browser/sign-in-page.js'

test('the page asks for name and password, and says what for and what went wrong', async (t) => {
  const { title, body, formTargets } = signInPage({
    ...{ formToken: 'token', notice: 'Wrong <b>', purpose: 'To see & decide.' },
  })
  t.equal(title, 'Sign in')
  t.equal(formTargets, undefined, 'a password goes nowhere else')
  t.match(body.text, '<p>To see &amp; decide.</p>')
  t.match(body.text, '<p class="bad" role="alert">Wrong &lt;b&gt;</p>')
  t.match(body.text, '<input type="hidden" name="form_token" value="token">')
  t.match(body.text, 'autocomplete="current-password"')
  t.notMatch(signInPage({ formToken: 'token', purpose: 'x' }).body.text, 'role="alert"')
})
