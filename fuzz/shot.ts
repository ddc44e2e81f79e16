import type { Random } from '../src/demo/random.js'

/** Bytes to send to a service, and the expected kind of answer. */
export interface Shot {
  readonly bytes: Buffer
  /** Whether it is one whole request valid in HTTP/1.1: a reply is then required. */
  readonly isWhole: boolean
}

/** Facts about the service that a grammar may use. */
export interface Ground {
  /** `127.0.0.1:8080`: the valid Host. */
  readonly host: string
  readonly apiKey: string
  readonly restrictedKey: string
  readonly mcpKey: string
  readonly mcpPath: string
  readonly issuerPath: string
  readonly clientId: string
  /** Cookie of a browser in which an operator has signed in. */
  readonly cookie: string
  /** The value of that cookie, from which form tokens are derived. */
  readonly session: string
  /** Words that occur in transactions: references, names, IBANs. */
  readonly words: readonly string[]
  /** Bank files to damage. */
  readonly files: readonly BankFile[]
}

/** A bank file. */
export interface BankFile {
  readonly name: string
  readonly bytes: Buffer
}

/** Generates shots of one kind. */
export type Grammar = (random: Random, ground: Ground) => Shot

/** Parts of a request. */
export interface RequestParts {
  readonly method: string
  readonly target: string
  /** Header lines without line ends. */
  readonly fields: readonly string[]
  readonly body?: Buffer
}

/** A whole request with its Content-Length. */
export function wholeRequest({ method, target, fields, body }: RequestParts): Shot {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`]
  const head = [`${method} ${target} HTTP/1.1`, ...fields, ...length].join('\r\n')
  const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
  return { bytes, isWhole: true }
}
