import { isIPv6 } from 'node:net'

/**
 * The network of an address, for counting requests: an IPv4 address itself, of an IPv6 one the
 * first 64 bits, since the holder of one address has all of those (RFC 6177).
 * @param address as the exchange has it
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':')
    while (groups.length + last.length < 8) groups.push('0')
    groups.push(...last)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
