/** The address of a service. */
export interface OwnAddress {
  /** The value of --host. */
  readonly host: string
  readonly port: number
  /** Whether it terminates TLS. */
  readonly isTls: boolean
}

/** The URL of a service at its own address, without a trailing slash. */
export function ownUrl({ host, port, isTls }: OwnAddress): string {
  // A URL has an IPv6 address in brackets.
  const urlHost = host.includes(':') ? `[${host}]` : host
  return `${isTls ? 'https' : 'http'}://${urlHost}:${port}`
}
