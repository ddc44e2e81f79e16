// Finding 22: a program that registers itself was called back by schemes that start other things on
// the machine of whoever consents, or refuses.
import { test } from 'tap'
import { overFixtures } from '../fixtures/oauth-fixture.js'

const SCHEMES = [
  'search-ms',
  'ms-msdt',
  'smb',
  'ssh',
  'ldap',
  'intent',
  'chrome-extension',
  'steam',
]

test(
  'a stranger registers no scheme that belongs to something else',
  overFixtures(
    async (t, fixture) => {
      const register = async (uri: string): Promise<number> => {
        fixture.service.nowMs += 60_000
        const body = JSON.stringify({ redirect_uris: [uri], client_name: 'x' })
        return (await fixture.send('register', body, { 'Content-Type': 'application/json' })).status
      }
      for (const scheme of SCHEMES) t.equal(await register(`${scheme}://x/cb`), 400, scheme)
      for (const uri of ['com.example.app:/cb', 'cursor://anysphere.cursor-mcp/cb']) {
        t.equal(await register(uri), 201, uri)
      }
    },
    { integration: { kind: 'mcp', letsRegister: true } },
  ),
)
