/** By which names the service is reached, and from which web pages. */
export interface KnownNames {
  readonly baseUrl: () => string
  /** Whether programs of this machine reach it by a loopback address. */
  readonly answersLoopback: boolean
  /** Origins whose scripts may read the answers, as `originOf` returns them. */
  readonly corsOrigins: readonly string[]
}

const LOOPBACK_HOSTNAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether a Host field names this service; the port may be another, as behind a proxy. A page that
 * has its own name resolve to this machine (DNS rebinding) sends that name.
 */
export function isKnownHost(host: string, names: KnownNames): boolean {
  const hostname = hostnameOf(host)
  if (hostname === undefined) return false
  return hostname === new URL(names.baseUrl()).hostname || isLoopbackName(hostname, names)
}

/** The name in a Host field, without the port and as URLs have it; undefined = it has none. */
export function hostnameOf(host: string): string | undefined {
  const url = `http://${host}`
  if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(url)) return undefined
  return new URL(url).hostname
}

/** Whether an Origin field names a web page that may ask. `null` and every other is unknown. */
export function isKnownOrigin(origin: string, names: KnownNames): boolean {
  if (names.corsOrigins.includes(origin)) return true
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  const url = new URL(origin)
  if (url.origin !== origin) return false
  return origin === new URL(names.baseUrl()).origin || isLoopbackName(url.hostname, names)
}

function isLoopbackName(hostname: string, { answersLoopback }: KnownNames): boolean {
  return answersLoopback && LOOPBACK_HOSTNAMES.includes(hostname)
}
