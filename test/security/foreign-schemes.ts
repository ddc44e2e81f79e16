// Regression: a self-registered program got its callback through schemes that start other programs
// on the machine of the user who consents or refuses.
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
  'a self-registered client cannot use the scheme of another program',
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
