/** Receives the parts of a form with files, in the order of the body. */
export interface MultipartSink {
  /** A field or a file begins. @param fileName undefined = a field; '' = no file was chosen */
  begin(name: string, fileName: string | undefined): Promise<void>
  /** The next bytes of the field or file. */
  take(bytes: Uint8Array): Promise<void>
  /** The field or file is complete. */
  end(): Promise<void>
}

/** A body that no browser would send for a form. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError'
}

/** Bytes of the header of one part: a name and a file name, percent-encoded, several times over. */
const HEADER_BYTES_MAX = 8_192

const LINE_END = Buffer.from('\r\n')
const HEADER_END = Buffer.from('\r\n\r\n')

/** The boundary of a Content-Type field, or undefined when it is not that of a form with files. */
export function boundaryOf(contentType: string): string | undefined {
  const match =
    /^multipart\/form-data *;.*?\bboundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}) *(?:;|$))/i
  const [, quoted, plain] = match.exec(contentType) ?? []
  return quoted ?? plain
}

/**
 * Parses a `multipart/form-data` body as a stream and buffers no more of it than the length of a
 * delimiter.
 * @see RFC 7578; RFC 2046, 5.1.1
 */
export class MultipartReader {
  readonly #delimiter: Buffer
  /** Bytes that were fed and neither delivered nor skipped. */
  #rest: Buffer
  #state: 'before' | 'delimiter' | 'header' | 'content' | 'after' = 'before'

  constructor(
    boundary: string,
    private readonly sink: MultipartSink,
  ) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    // The first delimiter has no line end in front of it; with one all delimiters are equal.
    this.#rest = LINE_END
  }

  /** Parses further bytes. @throws MultipartError, and the errors of the sink */
  async feed(bytes: Uint8Array): Promise<void> {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (;;) {
      const before = this.#rest.length
      const state = this.#state
      await this.#step()
      if (this.#state === state && this.#rest.length === before) return
    }
  }

  /** Ends the body. @throws MultipartError when the form is incomplete */
  end(): void {
    if (this.#state !== 'after') throw new MultipartError('the form is incomplete')
  }

  async #step(): Promise<void> {
    if (this.#state === 'before') this.#passPreamble()
    else if (this.#state === 'delimiter') this.#passDelimiter()
    else if (this.#state === 'header') await this.#takeHeader()
    else if (this.#state === 'content') await this.#takeContent()
    else this.#rest = Buffer.alloc(0)
  }

  /** Bytes in front of the first delimiter have no meaning. */
  #passPreamble(): void {
    const at = this.#rest.indexOf(this.#delimiter)
    const kept = this.#delimiter.length - 1
    if (at === -1) this.#rest = this.#rest.subarray(Math.max(0, this.#rest.length - kept))
    else this.#passTo(at + this.#delimiter.length, 'delimiter')
  }

  #passDelimiter(): void {
    if (this.#rest.length < 2) return
    const next = this.#rest.toString('latin1', 0, 2)
    if (next === '--') this.#passTo(2, 'after')
    else if (next === '\r\n') this.#passTo(2, 'header')
    else throw new MultipartError('a delimiter is followed by neither a part nor the end')
  }

  async #takeHeader(): Promise<void> {
    const at = this.#rest.indexOf(HEADER_END)
    if (at > HEADER_BYTES_MAX || (at === -1 && this.#rest.length > HEADER_BYTES_MAX)) {
      throw new MultipartError('the header of a part is too long')
    }
    if (at === -1) return
    const header = this.#rest.toString('utf8', 0, at)
    this.#passTo(at + HEADER_END.length, 'content')
    const name = parameterOf(header, 'name')
    if (name === undefined) throw new MultipartError('a part has no name')
    await this.sink.begin(name, parameterOf(header, 'filename'))
  }

  async #takeContent(): Promise<void> {
    const at = this.#rest.indexOf(this.#delimiter)
    if (at === -1) {
      // All bytes but a possible prefix of a delimiter.
      const safe = this.#rest.length - this.#delimiter.length + 1
      if (safe <= 0) return
      const content = this.#rest.subarray(0, safe)
      this.#rest = this.#rest.subarray(safe)
      return this.sink.take(content)
    }
    const content = this.#rest.subarray(0, at)
    this.#passTo(at + this.#delimiter.length, 'delimiter')
    if (content.length > 0) await this.sink.take(content)
    await this.sink.end()
  }

  #passTo(offset: number, state: 'delimiter' | 'header' | 'content' | 'after'): void {
    this.#rest = this.#rest.subarray(offset)
    this.#state = state
  }
}

/** A parameter of Content-Disposition as browsers write it: `"` is `%22` (HTML, "multipart"). */
function parameterOf(header: string, name: string): string | undefined {
  const disposition = /^content-disposition: *form-data *;/i
  const line = header.split('\r\n').find((text) => disposition.test(text)) ?? ''
  const text = new RegExp(`[; ]${name}="([^"]*)"`).exec(line.replace(disposition, ';'))?.[1]
  return text?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')
}
