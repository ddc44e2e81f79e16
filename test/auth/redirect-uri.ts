import { test } from 'tap'
import {
  isLoopbackHost,
  REDIRECT_URI_CHARS_MAX,
  REDIRECT_URIS_MAX,
  redirectUrisFault,
} from '../../src/auth/redirect-uri.js'

const PUBLIC = { type: 'public', allowsAnyHost: false, isSelfRegistered: false } as const
const STRANGER = { ...PUBLIC, isSelfRegistered: true } as const
const CONFIDENTIAL = { ...PUBLIC, type: 'confidential' } as const

const RIGHT = [
  'https://app.example.org/callback',
  'https://app.example.org',
  'https://APP.example.org:8443/cb/?a=b&c=%20d',
  'https://xn--bcher-kva.example/cb',
  'http://localhost/cb',
  'http://localhost:1234/',
  'http://127.0.0.1:1234/cb',
  'http://127.9.9.9/',
  'http://[::1]:9/cb',
  'https://localhost/cb',
  'https://127.0.0.1/cb',
]

const OWN_SCHEME = [
  'com.example.app:/cb',
  'com.example.app://oauth/cb?x=1',
  'cursor://anysphere.cursor-mcp/oauth/callback',
]

const WRONG: readonly (readonly [uri: string, fault: string | RegExp])[] = [
  ['', 'absolute'],
  ['/cb', 'absolute'],
  ['app.example.org/cb', 'absolute'],
  ['https://', 'absolute'],
  ['https://app.example.org/cb#top', 'fragment'],
  ['https://app.example.org/cb#', 'fragment'],
  ['http://app.example.org/cb', 'must be https'],
  ['http://192.0.2.1/cb', 'must be https'],
  ['http://localhost.example.org/cb', 'must be https'],
  ['https://localhost@evil.example/cb', 'user name'],
  ['https://user:pass@app.example.org/cb', 'user name'],
  ['https://@app.example.org/cb', 'user name'],
  ['https://192.0.2.1/cb', 'IP address'],
  ['https://[2001:db8::1]/cb', 'IP address'],
  ['https://intranet/cb', 'without a dot'],
  ['https://*.example.org/cb', 'an invalid host name'],
  ['https://3221225985/cb', 'normal form'],
  ['https://0xc0.0.2.1/cb', 'normal form'],
  ['https:/app.example.org/cb', 'normal form'],
  ['https:app.example.org/cb', 'normal form'],
  ['https:///app.example.org/cb', 'normal form'],
  ['https:\\\\app.example.org/cb', 'character'],
  ['https://app.example.org/a b', 'character'],
  ['https://app.example.org/a\r\nb', 'character'],
  ['https://bücher.example/cb', 'character'],
  ['https://app.example.org/"x"', 'character'],
  ['javascript:alert(1)', 'scheme javascript'],
  ['JavaScript://app.example.org/%0aalert(1)', 'scheme javascript'],
  ['data:text/html,x', 'scheme data'],
  ['file:///etc/passwd', 'scheme file'],
  ['ws://app.example.org/', 'scheme ws'],
  ['app:/cb', /with a dot|private-use/],
  ['app:cb', /with a dot|private-use/],
  [`https://app.example.org/${'x'.repeat(REDIRECT_URI_CHARS_MAX)}`, 'longer than'],
]

test('a redirect URI is https, loopback http or a private scheme', async (t) => {
  for (const rules of [PUBLIC, STRANGER, CONFIDENTIAL]) {
    for (const uri of RIGHT) t.equal(redirectUrisFault([uri], rules), undefined, uri)
    for (const [uri, fault] of WRONG) t.match(redirectUrisFault([uri], rules), fault, uri)
  }
  for (const uri of OWN_SCHEME) {
    t.equal(redirectUrisFault([uri], PUBLIC), undefined, uri)
    t.equal(redirectUrisFault([uri], STRANGER), undefined, uri)
    t.match(redirectUrisFault([uri], CONFIDENTIAL), 'public clients', uri)
  }
})

test('a self-registered scheme contains a dot or belongs to a known program', async (t) => {
  for (const scheme of [
    'search-ms',
    'ms-msdt',
    'smb',
    'ssh',
    'ldap',
    'intent',
    'chrome-extension',
  ]) {
    t.match(redirectUrisFault([`${scheme}://x/cb`], STRANGER), `scheme ${scheme}`)
    t.match(redirectUrisFault([`${scheme}://x/cb`], PUBLIC), `scheme ${scheme}`)
  }
  t.match(redirectUrisFault(['steam://run/1'], STRANGER), 'a scheme with a dot')
  t.equal(redirectUrisFault(['steam://run/1'], PUBLIC), undefined, 'an operator may register it')
})

test('a wildcard covers the host only', async (t) => {
  const any = { ...CONFIDENTIAL, allowsAnyHost: true }
  const hosts = ['https://192.0.2.1/cb', 'https://[2001:db8::1]/cb', 'https://intranet/cb']
  for (const uri of [...RIGHT, ...hosts]) t.equal(redirectUrisFault([uri], any), undefined, uri)
  for (const [uri, fault] of WRONG) {
    if (!hosts.includes(uri)) t.match(redirectUrisFault([uri], any), fault, uri)
  }
})

test('at least one URI is required, and their number is limited', async (t) => {
  const many = Array.from({ length: REDIRECT_URIS_MAX + 1 }, (_, i) => `https://a.example/${i}`)
  t.match(redirectUrisFault([], PUBLIC), 'at least one')
  t.match(redirectUrisFault(many, PUBLIC), 'at most 20')
  t.equal(redirectUrisFault(many.slice(1), PUBLIC), undefined)
  const fault = redirectUrisFault(['https://a.example/', 'http://a.example/'], PUBLIC)
  t.match(fault, /^"http:\/\/a\.example\/" must be https/, 'the error names the wrong one')
})

test('loopback has few names', async (t) => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) t.ok(isLoopbackHost(host))
  for (const host of ['localhost.', 'a.localhost', '128.0.0.1', '::1', '127.0.0.1.example.org']) {
    t.notOk(isLoopbackHost(host), host)
  }
})
