import { test } from 'tap'
import { networkOf } from '../../src/http/network.js'

test('an IPv6 address counts as its network, every other address as itself', async (t) => {
  const rows = {
    '192.0.2.7': '192.0.2.7',
    '': '',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8:1:2::': '2001:db8:1:2::/64',
    '2001:db8:1:2::6': '2001:db8:1:2::/64',
    '2001:db8::6': '2001:db8:0:0::/64',
    '2001::1:2:3:4:5': '2001:0:0:1::/64',
    '::1': '0:0:0:0::/64',
    '::': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '64:ff9b::192.0.2.7': '64:ff9b:0:0::/64',
  }
  for (const [address, network] of Object.entries(rows)) t.equal(networkOf(address), network)
})
