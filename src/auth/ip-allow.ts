import { BlockList, isIP } from 'node:net'

/** Addresses and networks that a key's list may hold: each is compared on every request. */
export const IP_ALLOW_MAX = 64

/** Addresses and networks that a key may be used from. */
export interface IpRanges {
  /** Whether an address is among them; false for text that is no address. */
  includes(address: string): boolean
}

/**
 * Reads a stored list: addresses and networks (`192.0.2.7 10.0.0.0/8 2001:db8::/32`), separated by
 * spaces. null = there is no list. An entry that is neither allows nothing.
 */
export function ipAllowOf(text: string | null): IpRanges | null {
  if (text === null) return null
  const list = new BlockList()
  for (const entry of text.split(' ')) {
    const network = networkOf(entry)
    if (network === undefined) continue
    const { address, prefix, family } = network
    list.addSubnet(address, prefix, family)
  }
  return {
    includes: (address) => {
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

/** The fault of a key's new list, as the end of a sentence; undefined when it is valid. */
export function ipAllowFault(entries: readonly string[]): string | undefined {
  if (entries.length > IP_ALLOW_MAX) return `has more than ${IP_ALLOW_MAX} entries`
  const wrong = entries.find((entry) => networkOf(entry) === undefined)
  if (wrong === undefined) return undefined
  const wanted = 'addresses such as 192.0.2.7 and networks such as 10.0.0.0/8 or 2001:db8::/32'
  return `contains ${JSON.stringify(wrong)}; ${wanted} are expected`
}

interface Network {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

function networkOf(entry: string): Network | undefined {
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  // A zone (`fe80::1%eth0`) names an interface of one machine, not a network.
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined
  const bitsMax = version === 4 ? 32 : 128
  if (bits !== undefined && !/^(0|[1-9]\d{0,2})$/.test(bits)) return undefined
  const prefix = bits === undefined ? bitsMax : Number(bits)
  if (prefix > bitsMax) return undefined
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}
