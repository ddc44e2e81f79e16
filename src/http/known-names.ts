/** The names by which clients reach the service, and the web pages allowed to call it. */
export interface KnownNames {
  readonly baseUrl: () => string
  /** Whether programs of this machine reach it by a loopback address. */
  readonly answersLoopback: boolean
  /** Origins whose scripts may read the answers, as `originOf` returns them. */
  readonly corsOrigins: readonly string[]
}

const LOOPBACK_HOSTNAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether a Host field names this service; the port may differ, as behind a proxy. A page that
 * resolves its own name to this machine (DNS rebinding) sends that name.
 */
export function isKnownHost(host: string, names: KnownNames): boolean {
  const hostname = hostnameOf(host)
  if (hostname === undefined) return false
  return hostname === new URL(names.baseUrl()).hostname || isLoopbackName(hostname, names)
}

/** The name in a Host field, without the port, in the form of URLs; undefined = it has none. */
export function hostnameOf(host: string): string | undefined {
  const url = `http://${host}`
  if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(url)) return undefined
  return new URL(url).hostname
}

/** Whether an Origin field names a page that may send requests; `null` and all others do not. */
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
