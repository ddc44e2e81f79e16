import { isIP, isIPv6, SocketAddress } from 'node:net'

/**
 * A peer's address as node:net writes it: the shortest form of an IPv6 one, and plain IPv4 when it
 * arrived over an IPv6 socket (`::ffff:192.0.2.7`). Any other text is returned unchanged.
 */
export function plainAddress(text: string): string {
  if (!isIPv6(text)) return text
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return MAPPED.exec(address)?.[1] ?? address
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/**
 * The address that a proxy reports as the sender of a request: the last entry of X-Forwarded-For,
 * the only one that the proxy itself has added; a caller can have written all those before it.
 * @param field `''` when the request has none
 * @returns undefined when there is none, or it is no address
 */
export function forwardedAddress(field: string): string | undefined {
  const entry = field.slice(field.lastIndexOf(',') + 1).trim()
  const [, bracketed, plain] = WITH_PORT.exec(entry) ?? []
  const address = bracketed ?? plain ?? entry
  return isIP(address) === 0 ? undefined : plainAddress(address)
}

/** `[2001:db8::1]:443` and `192.0.2.7:443`, as some proxies write it, with or without the port. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/
