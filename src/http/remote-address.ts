import { isIPv6, SocketAddress } from 'node:net'

/**
 * A peer's address as node:net writes it: the shortest form of an IPv6 one, and IPv4 as such when
 * it came over an IPv6 socket (`::ffff:192.0.2.7`). Any other text is returned as it is.
 */
export function plainAddress(text: string): string {
  if (!isIPv6(text)) return text
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return MAPPED.exec(address)?.[1] ?? address
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/
