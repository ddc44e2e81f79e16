import { test } from 'tap'
import { readBaseUrl } from '../../src/cli/base-url.js'

test('a base URL is http or https, without what would be lost behind it', async (t) => {
  t.equal(readBaseUrl(undefined), undefined)
  t.equal(readBaseUrl('https://bank.example.org'), 'https://bank.example.org')
  t.equal(readBaseUrl('http://127.0.0.1:8080/bank//'), 'http://127.0.0.1:8080/bank')
  for (const wrong of ['bank.example.org', 'ftp://a.example', 'https://a.example/?x', 'x', '']) {
    const expected = { kind: 'usage', message: /an http or https URL without query is expected/ }
    t.throws(() => readBaseUrl(wrong), expected, wrong)
  }
})
