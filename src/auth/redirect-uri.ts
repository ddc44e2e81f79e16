import { isIP } from 'node:net'
import type { ClientType } from '../domain/integration.js'

/** Redirect URIs of one client: platforms times environments, with room to spare. */
export const REDIRECT_URIS_MAX = 20

/** Characters of a redirect URI: the length that browsers and proxies reliably pass on. */
export const REDIRECT_URI_CHARS_MAX = 2_048

/** The rules for the redirect URIs of a client. */
export interface RedirectRules {
  readonly type: ClientType
  /** Whether any name or address is allowed as host; a choice of the operator. */
  readonly allowsAnyHost: boolean
  /** Whether the client registers itself, and no operator has checked its URIs. */
  readonly isSelfRegistered: boolean
}

/**
 * The fault of the redirect URIs of a client to be registered, as a sentence without its end;
 * undefined when they are valid. Absolute, without fragment, https, or http on loopback; for public
 * clients also a private-use scheme (RFC 8252, 7.1), with a dot in it where the client registers
 * itself, except those of well-known programs. The host is loopback or a name with a dot in it,
 * unless any host is allowed (docs/contract/credentials.md, "OAuth 2.1", rule 5).
 */
export function redirectUrisFault(
  uris: readonly string[],
  rules: RedirectRules,
): string | undefined {
  if (uris.length === 0) return 'at least one redirect URI is required'
  if (uris.length > REDIRECT_URIS_MAX)
    return `at most ${REDIRECT_URIS_MAX} redirect URIs are allowed`
  for (const uri of uris) {
    const fault = faultOf(uri, rules)
    if (fault !== undefined) return `${shown(uri)} ${fault}`
  }
  return undefined
}

function faultOf(uri: string, rules: RedirectRules): string | undefined {
  if (uri.length > REDIRECT_URI_CHARS_MAX) {
    return `is longer than ${REDIRECT_URI_CHARS_MAX} characters`
  }
  if (!URI_TEXT.test(uri)) {
    return 'contains a character that is not allowed in a URI; percent-encode it'
  }
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined) {
    return 'is not an absolute URI; expected for example https://app.example.org/callback'
  }
  if (uri.includes('#')) return 'has a fragment, which a redirect URI must not have'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return ownSchemeFault(uri, url, rules)
  if (url.username !== '' || url.password !== '' || authorityOf(uri).includes('@')) {
    return 'contains a user name or password'
  }
  // Other notations (https:/host, a number for an address) would be compared as one URI and
  // followed as another.
  if (!uri.toLowerCase().startsWith(`${url.protocol}//${url.host}`)) {
    return `is not in its normal form; write its host as ${url.host}`
  }
  return hostFault(url, rules)
}

function hostFault({ protocol, hostname }: URL, rules: RedirectRules): string | undefined {
  if (isLoopbackHost(hostname)) return undefined
  if (protocol === 'http:')
    return 'must be https: http is allowed only for localhost, 127.0.0.1 and [::1]'
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (!isAddress && !HOST_NAME.test(hostname)) return 'has an invalid host name'
  if (rules.allowsAnyHost) return undefined
  if (isAddress) return 'has an IP address as host, which must be allowed explicitly'
  return hostname.includes('.')
    ? undefined
    : 'has a host name without a dot, which must be allowed explicitly'
}

/** A program's own scheme: with a dot (`com.example.app:/cb`), or with a host (`app://cb`). */
function ownSchemeFault(uri: string, url: URL, rules: RedirectRules): string | undefined {
  const scheme = url.protocol.slice(0, -1)
  if (FOREIGN_SCHEMES.has(scheme))
    return `has the scheme ${scheme}, which is not the scheme of an app`
  if (rules.type === 'confidential') {
    return 'must be https, or http on loopback: private-use schemes are for public clients'
  }
  const hasHost = uri.slice(url.protocol.length).startsWith('//') && authorityOf(uri) !== ''
  const isKnown = !rules.isSelfRegistered || KNOWN_SCHEMES.has(scheme)
  if (scheme.includes('.') || (hasHost && isKnown)) return undefined
  return 'must have a scheme with a dot, such as com.example.app:/callback'
}

/** Whether the host of a URL is the machine itself (RFC 8252, 7.3). */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function authorityOf(uri: string): string {
  return /^[^:]*:\/\/([^/?#]*)/.exec(uri)?.[1] ?? ''
}

function shown(uri: string): string {
  return JSON.stringify(uri.length > 100 ? `${uri.slice(0, 100)}…` : uri)
}

/** Visible ASCII without the characters that RFC 3986 excludes. */
const URI_TEXT = /^[!#-;=?-[\]_a-z~]*$/

const HOST_NAME = /^(?!-)[-a-z0-9]{1,63}(\.[-a-z0-9]{1,63})*\.?$/

/** Schemes that a browser or a system reserves for itself. */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'chrome',
  'chrome-extension',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'jar',
  'javascript',
  'ldap',
  'mailto',
  'moz-extension',
  'ms-msdt',
  'resource',
  'search-ms',
  'smb',
  'ssh',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
])

/**
 * Schemes without a dot that a client may register itself: those of agents and editors that
 * register themselves with MCP servers. An operator can register a client with any other.
 */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set([
  'claude',
  'cursor',
  'goose',
  'jan',
  'librechat',
  'lmstudio',
  'raycast',
  'vscode',
  'vscode-insiders',
  'warp',
  'windsurf',
  'zed',
])
