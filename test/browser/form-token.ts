import { test } from 'tap'
import { formToken, isFormToken } from '../../src/browser/form-token.js'

test('a form token is valid for the browser and the purpose it was made for', async (t) => {
  const token = formToken('cookie', 'purpose')
  t.match(token, /^[-\w]{43}$/)
  t.ok(isFormToken(token, 'cookie', 'purpose'))
  t.notOk(isFormToken(token, 'cookie', 'purpose2'))
  t.notOk(isFormToken(token, 'cookie2', 'purpose'))
  const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
  for (const sent of [undefined, '', changed, token.slice(1), `${token}=`, 'ä'.repeat(43)]) {
    t.notOk(isFormToken(sent, 'cookie', 'purpose'), `${sent}`)
  }
})
