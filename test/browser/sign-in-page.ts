import { test } from 'tap'
import { renderToString } from '../../src/browser/jsx.js'
import { signInPage } from '../../src/browser/sign-in-page.js'

test('the page asks for name and password, and states the purpose and the error', async (t) => {
  const { title, body, formTargets } = signInPage({
    ...{ formToken: 'token', notice: 'Wrong <b>', purpose: 'To see & decide.' },
  })
  const text = renderToString(body)
  t.equal(title, 'Sign in')
  t.equal(formTargets, undefined, 'the password is not sent back')
  t.match(text, '<p>To see &amp; decide.</p>')
  t.match(text, '<p class="bad" role="alert">Wrong &lt;b></p>')
  t.match(text, '<input type="hidden" name="form_token" value="token"/>')
  t.match(text, 'autocomplete="current-password"')
  t.notMatch(renderToString(signInPage({ formToken: 'token', purpose: 'x' }).body), 'role="alert"')
})
