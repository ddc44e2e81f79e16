import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createPlain } from 'node:net'
import { type Test, test } from 'tap'
import { faultOfConnection } from '../../src/doctor/connection-fault.js'
import { NoAnswer, request } from '../../src/doctor/request.js'
import { BrokenFront } from '../fixtures/broken-front.js'
import { selfSigned } from '../fixtures/self-signed.js'

async function listening(t: Test, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

async function observedOf(url: string): Promise<string> {
  const error = await request(url).catch((thrown: unknown) => thrown)
  if (!(error instanceof NoAnswer)) throw new Error(`${url} has answered`)
  return `${error.observed}: ${error.fix}`
}

test('real connection errors are recognized', async (t) => {
  t.match(await observedOf('http://127.0.0.1:9/'), /^the port is blocked by browsers/)
  const gone = createPlain()
  const closed = await listening(t, gone)
  await new Promise((resolve) => gone.close(resolve))
  t.match(
    await observedOf(`http://127.0.0.1:${closed}/`),
    /^connection refused: nothing listens there .*: Start kontor serve/,
  )
  const front = await BrokenFront.open(t)
  const overTls = front.url.replace('http:', 'https:')
  t.match(await observedOf(overTls), /^the port does not speak TLS .*: Use http in the base URL/)
  const tls = createServer(selfSigned())
  const port = await listening(t, tls)
  t.match(await observedOf(`https://127.0.0.1:${port}`), /^the TLS certificate is not signed by/)
  t.match(
    await observedOf(`http://127.0.0.1:${port}`),
    /^the connection ended without an HTTP answer/,
  )
  const garbage = createPlain((socket) => socket.end('220 smtp ready\r\n'))
  const other = await listening(t, garbage)
  t.match(
    await observedOf(`http://127.0.0.1:${other}`),
    /^the connection ended without an HTTP answer/,
  )
})

const CODES: Readonly<Record<string, RegExp>> = {
  ENOTFOUND: /^the host name cannot be resolved/,
  EAI_AGAIN: /^the host name cannot be resolved/,
  UND_ERR_CONNECT_TIMEOUT: /^the host cannot be reached/,
  EHOSTUNREACH: /^the host cannot be reached/,
  CERT_HAS_EXPIRED: /^the TLS certificate is not valid at this time/,
  ERR_TLS_CERT_ALTNAME_INVALID: /^the TLS certificate is for another host/,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: /^the TLS certificate chain is incomplete/,
  SELF_SIGNED_CERT_IN_CHAIN: /^the TLS certificate is not signed by/,
  ECONNRESET: /^the connection ended without an HTTP answer/,
  EWHATEVER: /^EWHATEVER$/,
}

test('every kind of fault has a meaning and a remedy', async (t) => {
  for (const [code, observed] of Object.entries(CODES)) {
    const cause = Object.assign(new Error('why'), { code })
    const fault = faultOfConnection(new TypeError('fetch failed', { cause }), 'https://a.org/x')
    t.match(fault.observed, observed, code)
    t.match(fault.fix, /\.$/, code)
  }
  const late = Object.assign(new Error('too late'), { name: 'TimeoutError' })
  t.match(faultOfConnection(late, 'https://a.org/x'), {
    observed: /^no answer within 10 seconds$/,
    fix: /a\.org/,
  })
  t.equal(faultOfConnection('odd', 'x').observed, 'odd')
})
