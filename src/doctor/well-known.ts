/** Where a document about a URL lies: its path behind the well-known one (RFC 8414, 3.1). */
export function insertedUrl(name: string, url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}/.well-known/${name}${pathname}`
}

/** Where clients look as well: behind the URL itself, as OpenID Connect Discovery has it. */
export function appendedUrl(name: string, url: string): string {
  return `${url}/.well-known/${name}`
}
