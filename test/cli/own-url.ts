import { test } from 'tap'
import { ownUrl } from '../../src/cli/own-url.js'

test('a URL names scheme, host and port, an IPv6 address in brackets', async (t) => {
  const port = 8080
  t.equal(ownUrl({ host: '127.0.0.1', port, isTls: false }), 'http://127.0.0.1:8080')
  t.equal(ownUrl({ host: '::1', port, isTls: true }), 'https://[::1]:8080')
})
