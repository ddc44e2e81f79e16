import { test } from 'tap'
import { readBaseUrl } from '../../src/cli/base-url.js'

test('a base URL is http or https, without query or fragment', async (t) => {
  t.equal(readBaseUrl(undefined), undefined)
  t.equal(readBaseUrl('https://bank.example.org'), 'https://bank.example.org')
  t.equal(readBaseUrl('http://127.0.0.1:8080/bank//'), 'http://127.0.0.1:8080/bank')
  t.equal(readBaseUrl(' HTTPS://Bank.Example.org:443/'), 'https://bank.example.org')
  t.equal(readBaseUrl('https://bänk.example'), 'https://xn--bnk-qla.example')
  const queries = ['https://a.example/?x', 'https://a.example/?', 'https://a.example/#']
  const users = ['https://anna@a.example', 'https://:x@a.example']
  for (const wrong of ['bank.example.org', 'ftp://a.example', 'x', '', ...queries, ...users]) {
    const expected = { kind: 'usage', message: /an http or https URL without query or user/ }
    t.throws(() => readBaseUrl(wrong), expected, wrong)
  }
})
