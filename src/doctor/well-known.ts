/** The URL of a document about a URL: its path after the well-known one (RFC 8414, 3.1). */
export function insertedUrl(name: string, url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}/.well-known/${name}${pathname}`
}

/** The other place where clients look: after the URL itself, as in OpenID Connect Discovery. */
export function appendedUrl(name: string, url: string): string {
  return `${url}/.well-known/${name}`
}
