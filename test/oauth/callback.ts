import { test } from 'tap'
import { callbackUrl, schemeOf } from '../../src/oauth/callback.js'

const issuer = 'https://bank.example.org/v1/w/oauth2/i'

test('an answer is the redirect URI unchanged, with the parameters after its query', async (t) => {
  const iss = encodeURIComponent(issuer)
  const rows = {
    'https://app.example.org/cb': 'https://app.example.org/cb?',
    'https://app.example.org/cb?a=%20b+c&d': 'https://app.example.org/cb?a=%20b+c&d&',
    'https://app.example.org/cb?': 'https://app.example.org/cb?',
    'http://127.0.0.1:3000/': 'http://127.0.0.1:3000/?',
    'http://[::1]:3000/x': 'http://[::1]:3000/x?',
    'com.example.app:/cb': 'com.example.app:/cb?',
    'com.example.app:cb': 'com.example.app:cb?',
  }
  for (const [redirectUri, start] of Object.entries(rows)) {
    const url = callbackUrl({ redirectUri, state: undefined, issuer }, { code: 'ac-1' })
    t.equal(url, `${start}code=ac-1&iss=${iss}`)
  }
})

test('state is returned unchanged, whatever its content', async (t) => {
  for (const state of ['a b', 'ä€', '&iss=evil#x', '\r\nSet-Cookie: a=b', '"><script>', '%00']) {
    const redirectUri = 'https://app.example.org/cb'
    const url = callbackUrl({ redirectUri, state, issuer }, { error: 'access_denied' })
    t.match(url, /^[!-~]+$/)
    const { searchParams, hash } = new URL(url)
    t.same(
      [...searchParams],
      [
        ['error', 'access_denied'],
        ['state', state],
        ['iss', issuer],
      ],
    )
    t.equal(hash, '')
  }
})

test("the policy allows the URI's scheme", async (t) => {
  t.equal(schemeOf('https://app.example.org/cb'), 'https:')
  t.equal(schemeOf('http://[::1]:3000/x'), 'http:')
  t.equal(schemeOf('com.example.app:/cb'), 'com.example.app:')
})
