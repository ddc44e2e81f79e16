/** Where a service listens. */
export interface OwnAddress {
  /** As given to --host. */
  readonly host: string
  readonly port: number
  /** Whether it ends TLS. */
  readonly isTls: boolean
}

/** The URL of a service at the address it listens on, without a slash at its end. */
export function ownUrl({ host, port, isTls }: OwnAddress): string {
  // An IPv6 address stands in brackets in a URL.
  const urlHost = host.includes(':') ? `[${host}]` : host
  return `${isTls ? 'https' : 'http'}://${urlHost}:${port}`
}
