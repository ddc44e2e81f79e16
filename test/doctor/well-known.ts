import { test } from 'tap'
import { appendedUrl, insertedUrl } from '../../src/doctor/well-known.js'

test('a well-known document is at the root of the host, or after the URL', async (t) => {
  const url = 'https://bank.example.org/x/v1/w'
  t.equal(insertedUrl('a', url), 'https://bank.example.org/.well-known/a/x/v1/w')
  t.equal(appendedUrl('a', url), 'https://bank.example.org/x/v1/w/.well-known/a')
})
