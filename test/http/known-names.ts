import { test } from 'tap'
import { isKnownHost, isKnownOrigin, type KnownNames } from '../../src/http/known-names.js'

function namesOf(input: Partial<KnownNames> = {}): KnownNames {
  const baseUrl = () => 'https://bank.example.org/kontor'
  return { baseUrl, answersLoopback: false, corsOrigins: ['https://app.example.org'], ...input }
}

test('the name of the base URL is known, at any port', async (t) => {
  const names = namesOf()
  for (const host of ['bank.example.org', 'bank.example.org:8080', 'BANK.example.org']) {
    t.ok(isKnownHost(host, names), host)
  }
  const others = [
    'evil.example.org',
    'bank.example.org.evil.org',
    'evil@bank.example.org',
    'bank.example.org@evil.org',
    'evil.org/bank.example.org',
    'evil.org#bank.example.org',
    'bank.example.org:port',
    'bank.example.org ',
    'a, bank.example.org',
    'localhost',
    '127.0.0.1:8080',
    '[::1]',
    '',
    '[',
  ]
  for (const host of others) t.notOk(isKnownHost(host, names), host)
})

test('loopback names are known where the service listens on loopback', async (t) => {
  const names = namesOf({ answersLoopback: true })
  for (const host of ['localhost', 'localhost:80', '127.0.0.1:8080', '[::1]:8080', '127.1']) {
    t.ok(isKnownHost(host, names), host)
  }
  for (const host of ['localhost.evil.org', '127.0.0.1.nip.io', '0.0.0.0', '10.0.0.1', '[::2]']) {
    t.notOk(isKnownHost(host, names), host)
  }
  for (const origin of ['http://localhost:6274', 'http://127.0.0.1', 'https://[::1]:3000']) {
    t.ok(isKnownOrigin(origin, names), origin)
    t.notOk(isKnownOrigin(origin, namesOf()), origin)
  }
  t.notOk(isKnownOrigin('http://localhost.evil.org', names))
})

test('pages of the service and of the listed origins are allowed, and no others', async (t) => {
  const names = namesOf()
  t.ok(isKnownOrigin('https://bank.example.org', names))
  t.ok(isKnownOrigin('https://app.example.org', names))
  const others = [
    'null',
    '*',
    'http://bank.example.org',
    'https://bank.example.org:8443',
    'https://bank.example.org/',
    'https://bank.example.org/kontor',
    'https://user@bank.example.org',
    'https://bank.example.org, https://bank.example.org',
    'https://evil.example.org',
    'http://app.example.org',
    'chrome-extension://bank.example.org',
    'https://',
    'bank.example.org',
  ]
  for (const origin of others) t.notOk(isKnownOrigin(origin, names), origin)
})
