import { test } from 'tap'
import { renderToString } from '../../../src/browser/jsx.js'
import { SCOPES } from '../../../src/domain/key-scope.js'
import {
  CONSENT_ACCOUNTS_MAX,
  type ConsentPrompt,
  consentPage,
  destinationOf,
  type ShownSelection,
} from '../../../src/oauth/pages/consent-page.js'

const PROMPT: ConsentPrompt = {
  clientName: '</strong><script>alert(1)</script>',
  isSelfRegistered: false,
  redirectUri: 'https://app.example.org/cb',
  scopes: SCOPES,
  workspaceId: 'w',
  integrationName: '<i>',
  selection: { isAll: true, accounts: [] },
  operatorName: 'a"b',
  formToken: 'token',
}

function textOf(prompt: Partial<ConsentPrompt>): string {
  return renderToString(consentPage({ ...PROMPT, ...prompt }).body)
}

test('names of other parties are shown as text', async (t) => {
  const text = textOf({ selection: { isAll: false, accounts: [{ id: 1, name: '<img src=x>' }] } })
  t.notMatch(text, /<script|<img|<i>/)
  t.match(text, '<bdi>&lt;/strong>&lt;script>alert(1)&lt;/script></bdi>')
  t.match(text, '<bdi>a&quot;b</bdi>')
})

test('scopes are shown in words, and only the requested ones', async (t) => {
  t.match(textOf({}), /Transactions: amounts.*Accounts: holder/s)
  t.notMatch(textOf({ scopes: ['accounts:read'] }), 'Transactions: amounts')
})

test('a form may lead to the scheme of the redirect URI only', async (t) => {
  const targets = (redirectUri: string) => consentPage({ ...PROMPT, redirectUri }).formTargets
  t.same(targets('https://app.example.org/cb'), ['https:'])
  t.same(targets('http://[::1]:3000/cb'), ['http:'])
  t.same(targets('com.example.app:/cb'), ['com.example.app:'])
})

test('accounts are shown by name and IBAN, else by id; of many the first', async (t) => {
  const listOf = (selection: ShownSelection): string =>
    /<h2>Accounts<\/h2>(.*?)<h2>/s.exec(textOf({ selection }))?.[1]?.trim() ?? ''
  t.equal(
    listOf({
      isAll: false,
      accounts: [
        { id: 1, name: 'Giro', iban: 'DE89370400440532013000' },
        { id: 2, iban: null },
      ],
    }),
    '<ul><li><bdi>Giro, DE89 3704 0044 0532 0130 00</bdi></li><li><bdi>Account 2</bdi></li></ul>',
  )
  t.match(listOf({ isAll: false, accounts: [] }), 'None')
  t.match(listOf({ isAll: true, accounts: [] }), 'including future ones')
  const accounts = Array.from({ length: CONSENT_ACCOUNTS_MAX + 3 }, (_, i) => ({ id: i + 1 }))
  const many = listOf({ isAll: true, accounts })
  t.match(many, 'including future ones')
  t.equal(many.match(/<li>/g)?.length, CONSENT_ACCOUNTS_MAX)
  t.match(many, 'and 3 more')
})

test('the redirect host is shown as it is resolved', async (t) => {
  t.equal(destinationOf('https://app.example.org/cb'), 'app.example.org')
  t.equal(destinationOf('https://app.example.org:8443/cb'), 'app.example.org:8443')
  t.equal(destinationOf('https://аpp.example.org/cb'), 'xn--pp-6kc.example.org', 'Cyrillic а')
  t.equal(destinationOf('http://127.0.0.1:3000/'), 'a program on this computer (127.0.0.1:3000)')
  t.equal(destinationOf('http://[::1]:3000/'), 'a program on this computer ([::1]:3000)')
  t.equal(destinationOf('com.example.app:/cb'), 'an app on this device (com.example.app:)')
})

test('a self-registered program is marked as such', async (t) => {
  t.match(textOf({ isSelfRegistered: true }), 'registered itself')
  t.notMatch(textOf({}), 'registered itself')
})
