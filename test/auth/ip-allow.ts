import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { IP_ALLOW_MAX, ipAllowFault, ipAllowOf } from '../../src/auth/ip-allow.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('no list allows all addresses, a list only its own', async (t) => {
  t.equal(ipAllowOf(null), null)
  const list = ipAllowOf('192.0.2.7 10.0.0.0/8 2001:db8::/32 ::1')
  for (const address of ['192.0.2.7', '10.255.0.1', '2001:db8:9::1', '::1']) {
    t.ok(list?.includes(address), address)
  }
  const outside = ['192.0.2.8', '11.0.0.0', '2001:db9::', '::2', '', 'localhost', '10.0.0', '10/8']
  for (const address of outside) t.notOk(list?.includes(address), address)
  t.notOk(ipAllowOf('')?.includes('127.0.0.1'), 'an empty list does not allow all')
})

test('an invalid address or network is named in the error', async (t) => {
  t.equal(ipAllowFault(['192.0.2.7', '0.0.0.0/0', '::/0', 'fe80::1/128', '10.1.2.3/31']), undefined)
  t.equal(ipAllowFault([]), undefined)
  for (const wrong of [
    ...['', 'x', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/08', '10.0.0.0/8/8'],
    ...['::/129', '1.2.3', '010.0.0.1', 'fe80::1%eth0', '10.0.0.0 /8', '::1, ::2', 'localhost'],
  ]) {
    t.match(ipAllowFault(['::1', wrong]), JSON.stringify(wrong), wrong)
  }
  const many = Array.from({ length: IP_ALLOW_MAX + 1 }, (_, i) => `10.0.0.${i}`)
  t.equal(ipAllowFault(many.slice(1)), undefined)
  t.match(ipAllowFault(many), 'more than 64')
})

test('a network contains the addresses with its prefix', async (t) => {
  const address = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
  const numberOf = (parts: readonly number[]): number =>
    parts.reduce((sum, part) => sum * 256 + part, 0)
  assertProperty(
    fc.property(address, fc.nat(32), address, fc.nat(32), (network, bits, other, flipped) => {
      // Mostly a neighbour of the network; a random address never is one.
      const near = flipped === 32 ? numberOf(other) : numberOf(network) ^ (2 ** flipped)
      const text = [24, 16, 8, 0].map((shift) => (near >>> shift) & 255).join('.')
      const expected =
        Math.floor((near >>> 0) / 2 ** (32 - bits)) ===
        Math.floor(numberOf(network) / 2 ** (32 - bits))
      const list = ipAllowOf(`${network.join('.')}/${bits}`)
      assert.equal(list?.includes(text), expected)
      assert.equal(list?.includes(`::ffff:${text}`), expected, 'over an IPv6 socket as well')
    }),
    { numRuns: 500 },
  )
  t.pass('500 networks')
})
