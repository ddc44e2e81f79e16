import type { Random } from '../src/demo/random.js'

/** Bytes to be sent to a service, and what is expected of them. */
export interface Shot {
  readonly bytes: Buffer
  /** Whether it is one whole request that HTTP/1.1 allows: one reply is then waited for. */
  readonly isWhole: boolean
}

/** What a grammar may use of the service it writes for. */
export interface Ground {
  /** `127.0.0.1:8080`: the Host that is right. */
  readonly host: string
  readonly apiKey: string
  readonly restrictedKey: string
  readonly mcpKey: string
  readonly mcpPath: string
  readonly issuerPath: string
  readonly clientId: string
  /** Of a browser in which an operator has signed in. */
  readonly cookie: string
  /** The value of that cookie, of which the tokens of forms are made. */
  readonly session: string
  /** Words that stand in transactions: references, names, IBANs. */
  readonly words: readonly string[]
  /** Bank files, to be damaged. */
  readonly files: readonly BankFile[]
}

/** A bank file as somebody has it. */
export interface BankFile {
  readonly name: string
  readonly bytes: Buffer
}

/** Writes shots of one kind. */
export type Grammar = (random: Random, ground: Ground) => Shot

/** A request as the parts it is written of. */
export interface RequestParts {
  readonly method: string
  readonly target: string
  /** Lines without their ends. */
  readonly fields: readonly string[]
  readonly body?: Buffer
}

/** A whole request, its Content-Length counted. */
export function wholeRequest({ method, target, fields, body }: RequestParts): Shot {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`]
  const head = [`${method} ${target} HTTP/1.1`, ...fields, ...length].join('\r\n')
  const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
  return { bytes, isWhole: true }
}
