import { isUtf8 } from 'node:buffer'
import { STATEMENT_HEAD_BYTES, STATEMENT_JUDGED_BYTES } from '../limits.js'
import { foreignMessage } from './detect.js'
import { StatementError } from './statement.js'

/** Bytes -> text; called once per chunk in order, `end` once after the last. */
interface Decoder {
  decode(bytes: Uint8Array): string
  end(): string
}

// Node's own windows-1252 decoder takes the bytes 80 to 9F for Latin-1 in the versions 20.18.3 to
// 24 (nodejs/node 56542, 60888), which turns every euro sign into a control character.
const WINDOWS_1252_HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const XML_ENCODING = /^<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([A-Za-z0-9._-]{1,40})["']/

/** What the byte-compatible names of Latin-1 mean on the web and in practice. */
const WINDOWS_1252_NAMES: ReadonlySet<string> = new Set([
  'windows-1252',
  'cp1252',
  'iso-8859-1',
  'iso8859-1',
  'latin1',
  'us-ascii',
])

function refuseByte(offset: number, message: string): never {
  throw new StatementError({ position: `byte ${offset}`, message })
}

/** What an archive or a document is says more than where its first NUL stands. */
function refuseNul(head: Uint8Array, offset: number): never {
  const foreign = foreignMessage(latin1Text(head), '')
  if (foreign !== undefined) refuseByte(0, `begins ${foreign}`)
  refuseByte(offset, 'is NUL: the file is not text, or it is UTF-16')
}

function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** windows-1252 as the WHATWG encoding standard has it: every byte is a character. */
function decodeWindows1252(bytes: Uint8Array): string {
  return latin1Text(bytes).replace(
    /[\u{80}-\u{9f}]/gu,
    (character: string) => WINDOWS_1252_HIGH[character.charCodeAt(0) - 0x80] ?? character,
  )
}

/** How many bytes at the end of `bytes` begin a UTF-8 sequence that is not complete: 0 to 3. */
function openSequenceLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return back < length ? back : 0
  }
  return 0
}

/** Index of the byte at which `bytes`, which are not UTF-8, stop being it. */
function firstInvalidUtf8(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for (let i = 0; i < bytes.length; i++) {
    try {
      decoder.decode(bytes.subarray(i, i + 1), { stream: true })
    } catch (error) {
      if (error instanceof TypeError) return i
      throw error
    }
  }
  return bytes.length - openSequenceLength(bytes)
}

function decodeWholeUtf8(bytes: Uint8Array, offset: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const at = offset + firstInvalidUtf8(bytes)
    refuseByte(at, 'is not UTF-8, though the text before it is; save the file in one encoding')
  }
}

function utf8Decoder(start: number): Decoder {
  let offset = start
  let held: Uint8Array = new Uint8Array(0)
  return {
    decode(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const whole = all.length - openSequenceLength(all)
      const text = decodeWholeUtf8(all.subarray(0, whole), offset)
      held = all.slice(whole)
      offset += whole
      return text
    },
    end: () => decodeWholeUtf8(held, offset),
  }
}

/** A decoder of the platform; a byte sequence it does not know is an error at its chunk. */
function platformDecoder(label: string, start: number, position: string): Decoder {
  const decoder = ((): InstanceType<typeof TextDecoder> => {
    try {
      return new TextDecoder(label, { fatal: true, ignoreBOM: true })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new StatementError(
        { position, field: 'encoding', message: `"${label}" is no encoding known here` },
        { cause: error },
      )
    }
  })()
  let offset = start
  const decodeNext = (bytes: Uint8Array, stream: boolean): string => {
    try {
      return decoder.decode(bytes, { stream })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      refuseByte(
        offset,
        `begins a stretch of ${bytes.length} bytes that is not ${label} throughout`,
      )
    }
  }
  return {
    decode(bytes) {
      const text = decodeNext(bytes, true)
      offset += bytes.length
      return text
    },
    end: () => decodeNext(new Uint8Array(0), false),
  }
}

function decoderNamed(label: string, start: number, position: string): Decoder {
  if (WINDOWS_1252_NAMES.has(label.toLowerCase())) {
    return { decode: decodeWindows1252, end: () => '' }
  }
  return platformDecoder(label, start, position)
}

/**
 * Passes ASCII on at once. From the first other byte on it holds back
 * {@link STATEMENT_JUDGED_BYTES} bytes (or the rest): all of them UTF-8 means UTF-8 to the end of
 * the file, where any later violation is an error; else the fallback to the end of the file.
 */
function judgingDecoder(fallback: string): Decoder {
  let offset = 0
  let held: Uint8Array[] = []
  let heldLength = 0
  let chosen: Decoder | undefined

  const choose = (): string => {
    const bytes = Buffer.concat(held)
    held = []
    // Exactly so many, or the judgement would depend on how the file comes in pieces.
    const judged = bytes.subarray(0, STATEMENT_JUDGED_BYTES)
    const isAll = judged.length < STATEMENT_JUDGED_BYTES
    const whole = isAll ? judged.length : judged.length - openSequenceLength(judged)
    chosen = isUtf8(judged.subarray(0, whole))
      ? utf8Decoder(offset)
      : decoderNamed(fallback, offset, `byte ${offset}`)
    return chosen.decode(bytes)
  }

  const hold = (bytes: Uint8Array): string => {
    held.push(bytes)
    heldLength += bytes.length
    return heldLength < STATEMENT_JUDGED_BYTES ? '' : choose()
  }

  return {
    decode(bytes) {
      if (chosen !== undefined) return chosen.decode(bytes)
      if (heldLength > 0) return hold(bytes)
      const other = bytes.findIndex((byte) => byte >= 0x80)
      if (other === -1) {
        offset += bytes.length
        return latin1Text(bytes)
      }
      offset += other
      return latin1Text(bytes.subarray(0, other)) + hold(bytes.subarray(other))
    },
    end() {
      const rest = heldLength > 0 && chosen === undefined ? choose() : ''
      return rest + (chosen?.end() ?? '')
    },
  }
}

interface Opening {
  readonly decoder: Decoder
  /** Bytes of the byte order mark. */
  readonly skipped: number
  /** Bytes of one code unit. */
  readonly unit: 1 | 2
}

function openingOf(head: Uint8Array, fallback: string): Opening {
  const [first, second, third] = head
  if (first === 0xff && second === 0xfe) {
    return { decoder: platformDecoder('utf-16le', 2, 'byte 0'), skipped: 2, unit: 2 }
  }
  if (first === 0xfe && second === 0xff) {
    return { decoder: platformDecoder('utf-16be', 2, 'byte 0'), skipped: 2, unit: 2 }
  }
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return { decoder: utf8Decoder(3), skipped: 3, unit: 1 }
  }
  const named = XML_ENCODING.exec(latin1Text(head))?.[1]
  // A declaration that can be read byte by byte is no UTF-16, whatever it says; and a declared
  // UTF-8 is judged like an undeclared one, since so many files declare it and are Latin-1.
  if (named === undefined || /^utf-?(8|16)/i.test(named)) {
    return { decoder: judgingDecoder(fallback), skipped: 0, unit: 1 }
  }
  return { decoder: decoderNamed(named, 0, 'line 1'), skipped: 0, unit: 1 }
}

/**
 * Decodes a statement file, streaming. In this order: a UTF-16 or UTF-8 byte order mark (left out
 * of the text), the encoding an XML declaration names, UTF-8 where the bytes are valid UTF-8, else
 * `fallback`. Undeclared text is judged by the first {@link STATEMENT_JUDGED_BYTES} bytes from its
 * first byte that is not ASCII, so a file of ASCII up to its last line is read rightly.
 * @param chunks bytes in pieces of any size
 * @param fallback an encoding label; windows-1252 is what German banks write
 * @throws StatementError for a NUL character (an archive or a document is named), an unknown
 *   encoding, or bytes that contradict the encoding; it names the byte, counted from 0
 */
export async function* decodeStatement(
  chunks: AsyncIterable<Uint8Array>,
  fallback = 'windows-1252',
): AsyncGenerator<string> {
  let offset = 0
  let head: Uint8Array = new Uint8Array(0)
  let opening: Opening | undefined

  const decodeNext = (bytes: Uint8Array, { decoder, unit }: Opening): string => {
    const nul = unit === 1 ? bytes.indexOf(0) : -1
    if (nul !== -1) refuseNul(head, offset + nul)
    const text = decoder.decode(bytes)
    const nulCharacter = unit === 2 ? text.indexOf('\0') : -1
    if (nulCharacter !== -1) refuseByte(offset + 2 * nulCharacter, 'is NUL: the file is not text')
    offset += bytes.length
    return text
  }
  const open = (): string => {
    opening = openingOf(head.subarray(0, STATEMENT_HEAD_BYTES), fallback)
    offset = opening.skipped
    return decodeNext(head.subarray(offset), opening)
  }

  for await (const chunk of chunks) {
    if (opening === undefined) head = Buffer.concat([head, chunk])
    if (opening === undefined && head.length < STATEMENT_HEAD_BYTES) continue
    const text = opening === undefined ? open() : decodeNext(chunk, opening)
    if (text !== '') yield text
  }
  const last = opening === undefined ? open() : ''
  const rest = last + ((opening as Opening | undefined)?.decoder.end() ?? '')
  if (rest !== '') yield rest
}
