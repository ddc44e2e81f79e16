import { strict as assert } from 'node:assert'
import { isUtf8 } from 'node:buffer'
import { type CodePage, isCodePage, textOfBytes } from './code-pages.js'
import { detectFormat, foreignMessage, type StatementFormat } from './detect.js'
import { guessCodePage } from './encoding-guess.js'
import { DETECT_CHARS_MAX } from './peek-text.js'
import { StatementError } from './statement.js'

/** Bytes searched for a byte order mark and an XML declaration, which is one short line. */
export const STATEMENT_HEAD_BYTES = 1_024

/**
 * Bytes held back from the first non-ASCII one until UTF-8 is confirmed or ruled out: thousands of
 * names and purposes, so that a chance pair of bytes in an old code page does not decide.
 */
export const STATEMENT_JUDGED_BYTES = 65_536

assert(STATEMENT_HEAD_BYTES <= STATEMENT_JUDGED_BYTES)

/** Characters judged before the first byte that is not ASCII: a long word. */
const LEAD_CHARS_MAX = 60

/** Bytes -> text; called once per chunk in order, `end` once after the last. */
interface Decoder {
  decode(bytes: Uint8Array): string
  end(): string
}

/** How to decode a file without a byte order mark. */
export interface DecodeOptions {
  /** One of ENCODING_NAMES; overrides a declaration in the file, but not a byte order mark. */
  readonly encoding?: string | undefined
  /** Called with a sentence when the encoding is guessed from the words of the text. */
  readonly onGuess?: (sentence: string) => void
}

const UTF8_HINT = 'save the file in one encoding'
const UTF8_HINT_NAMED = 'name the right encoding, for example --encoding windows-1252'
const UTF8_HINT_NDJSON = 'convert the file to UTF-8, which NDJSON requires'
const UTF8_HINT_XML =
  'XML is UTF-8 unless its declaration names another encoding; convert the file to UTF-8 or ' +
  'correct the declaration'

const NAME_IT = 'name one, for example --encoding windows-1252'
const NAME_UTF16 = 'name it, for example --encoding utf-16le'

const XML_ENCODING = /^<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([A-Za-z0-9._-]{1,40})["']/

/** Names of Latin-1, which mean windows-1252 on the web and in practice. */
const WINDOWS_1252_NAMES: ReadonlySet<string> = new Set([
  ...['windows-1252', 'windows1252', 'cp1252', 'cp-1252', '1252', 'ansi'],
  ...['iso-8859-1', 'iso8859-1', 'iso_8859-1', 'latin1', 'latin-1'],
])

/**
 * Names of ASCII. A file with other bytes contradicts them, so its encoding is guessed. USASCII is
 * the name of OFX 1, which programs copy into XML declarations.
 */
const ASCII_NAMES: ReadonlySet<string> = new Set(['us-ascii', 'usascii', 'ascii', 'none'])

function refuseByte(offset: number, message: string): never {
  throw new StatementError({ position: `byte ${offset}`, message })
}

/** Refuses a NUL; the type of an archive or a document is more helpful than the offset. */
function refuseNul(head: Uint8Array, offset: number): never {
  const foreign = foreignMessage(latin1Text(head), '')
  if (foreign !== undefined) refuseByte(0, `begins ${foreign}`)
  refuseByte(offset, `is NUL: the file is not text, or it is UTF-16; if so, ${NAME_UTF16}`)
}

function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** A decoder of a single-byte encoding; windows-1252 as in the WHATWG encoding standard. */
function codePageDecoder(codePage: CodePage): Decoder {
  return { decode: (bytes) => textOfBytes(latin1Text(bytes), codePage), end: () => '' }
}

/** The usual encoding of files that are not UTF-8. */
const WINDOWS_1252: Decoder = codePageDecoder('windows-1252')

/** The number of bytes at the end of `bytes` that begin an incomplete UTF-8 sequence: 0 to 3. */
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

/** Index of the first invalid byte of `bytes`, which are not UTF-8. */
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

function decodeWholeUtf8(bytes: Uint8Array, offset: number, hint: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const at = offset + firstInvalidUtf8(bytes)
    refuseByte(at, `is not UTF-8, unlike the text before it; ${hint}`)
  }
}

/** @param hint the remedy for a byte that is not UTF-8 */
function utf8Decoder(start: number, hint: string): Decoder {
  let offset = start
  let held: Uint8Array = new Uint8Array(0)
  return {
    decode(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const whole = all.length - openSequenceLength(all)
      const text = decodeWholeUtf8(all.subarray(0, whole), offset, hint)
      held = all.slice(whole)
      offset += whole
      return text
    },
    end: () => decodeWholeUtf8(held, offset, hint),
  }
}

/** A decoder of the platform; an invalid byte sequence is an error at its chunk. */
function platformDecoder(label: string, start: number, position: string): Decoder {
  const decoder = ((): InstanceType<typeof TextDecoder> => {
    try {
      return new TextDecoder(label, { fatal: true, ignoreBOM: true })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new StatementError(
        {
          position,
          field: 'encoding',
          message: `"${label}" is not a supported encoding; ${NAME_IT}`,
        },
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
      refuseByte(offset, `begins a block of ${bytes.length} bytes that is not entirely ${label}`)
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
  const name = label.toLowerCase()
  if (WINDOWS_1252_NAMES.has(name)) return WINDOWS_1252
  return isCodePage(name) ? codePageDecoder(name) : platformDecoder(label, start, position)
}

/**
 * Passes ASCII through at once. From the first other byte on, it holds
 * {@link STATEMENT_JUDGED_BYTES} bytes, or the rest. If all of them are UTF-8, the file is UTF-8 to
 * its end, and a later violation is an error. Otherwise it has the code page of
 * {@link guessCodePage} to its end: every byte is a character there, so later bytes contradict
 * nothing.
 * @param declared the encoding that the file declares, if it is not UTF-8
 */
function judgingDecoder(declared: Decoder | undefined, onGuess: DecodeOptions['onGuess']): Decoder {
  let offset = 0
  // Letters before the first byte that is not ASCII, which belong to its word.
  let lead = ''
  let held: Uint8Array[] = []
  let heldLength = 0
  let chosen: Decoder | undefined

  const choose = (): string => {
    const bytes = Buffer.concat(held)
    held = []
    // A fixed number of bytes, so that the result does not depend on the sizes of the chunks.
    const judged = bytes.subarray(0, STATEMENT_JUDGED_BYTES)
    const isAll = judged.length < STATEMENT_JUDGED_BYTES
    const whole = isAll ? judged.length : judged.length - openSequenceLength(judged)
    const isUnicode = isUtf8(judged.subarray(0, whole))
    chosen = isUnicode ? utf8Decoder(offset, UTF8_HINT) : (declared ?? guessed(judged))
    return chosen.decode(bytes)
  }
  const guessed = (judged: Uint8Array): Decoder => {
    const { codePage, warning } = guessCodePage(lead + latin1Text(judged))
    if (warning !== undefined) onGuess?.(warning)
    return codePageDecoder(codePage)
  }

  const pass = (bytes: Uint8Array): string => {
    const text = latin1Text(bytes)
    lead = (lead + text.slice(-LEAD_CHARS_MAX)).slice(-LEAD_CHARS_MAX)
    offset += bytes.length
    return text
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
      if (other === -1) return pass(bytes)
      return pass(bytes.subarray(0, other)) + hold(bytes.subarray(other))
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

/** White space of windows-1252, including the no-break space, and the SOH of MT940. */
const PADDING: ReadonlySet<number> = new Set([1, 9, 10, 11, 12, 13, 0x20, 0xa0])

/** Index of the first byte that is not padding to {@link detectFormat}; the length if all are. */
function paddingLength(bytes: Uint8Array): number {
  const begin = bytes.findIndex((byte) => !PADDING.has(byte))
  return begin === -1 ? bytes.length : begin
}

/**
 * Whether the head suffices to detect the encoding: STATEMENT_HEAD_BYTES after the padding, or so
 * much padding that detection takes the file for empty.
 */
function isHeadWhole(head: Uint8Array): boolean {
  const begin = paddingLength(head)
  if (begin === head.length) return head.length >= DETECT_CHARS_MAX
  return head.length - begin >= STATEMENT_HEAD_BYTES
}

/**
 * The remedy for a byte that is not UTF-8 in formats that require UTF-8: NDJSON, and XML without
 * another declaration. Undefined for formats that leave the encoding open.
 * @param text the beginning without padding, one character a byte
 * @param format undefined = the format that the beginning suggests
 */
function utf8Hint(text: string, format: StatementFormat | undefined): string | undefined {
  if (format === 'ndjson') return UTF8_HINT_NDJSON
  if (format?.startsWith('camt') || /^<\?xml\s/.test(text)) return UTF8_HINT_XML
  if (format !== undefined) return undefined
  // After much white space, the quote may still follow.
  if (/^\{\s*(?:"|$)/.test(text)) return UTF8_HINT_NDJSON
  if (!text.startsWith('<') || foreignMessage(text, '') !== undefined) return undefined
  // Any XML, not only a recognized CAMT message, whose first element may follow a long comment. OFX
  // is SGML unless it has an XML declaration.
  const detected = detectFormat(text, '')
  return detected.kind === 'format' && detected.format === 'ofx' ? undefined : UTF8_HINT_XML
}

/**
 * The code page that the header of an OFX 1 file declares by number, except windows-1252, which
 * many files declare but do not use.
 * @param text the beginning without padding, one character a byte
 */
function decoderOfOfxHeader(text: string): Decoder | undefined {
  if (!/^(?:<!--\s{0,9})?OFXHEADER\s{0,9}:/i.test(text)) return undefined
  const charset = /\bCHARSET\s{0,9}:\s{0,9}([A-Za-z0-9-]{1,20})/i.exec(text)?.[1] ?? ''
  if (/^125[013-8]$/.test(charset)) return decoderNamed(`windows-${charset}`, 0, 'CHARSET')
  if (/^(?:437|850|852)$/.test(charset)) return decoderNamed(`cp${charset}`, 0, 'CHARSET')
  const isLatin = /^(?:ISO-?)?8859-(?:[2-8]|10|1[3-6])$/i.test(charset)
  return isLatin ? decoderNamed(`iso-8859-${charset.split('-').at(-1)}`, 0, 'CHARSET') : undefined
}

/** The decoder of the encoding that a caller specifies. */
function openingNamed(encoding: string): Opening {
  if (encoding === 'utf-8') {
    return { decoder: utf8Decoder(0, UTF8_HINT_NAMED), skipped: 0, unit: 1 }
  }
  const decoder = decoderNamed(encoding, 0, '--encoding')
  return { decoder, skipped: 0, unit: encoding.startsWith('utf-16') ? 2 : 1 }
}

function openingOf(
  head: Uint8Array,
  format: StatementFormat | undefined,
  { encoding, onGuess }: DecodeOptions,
): Opening {
  const [first, second, third] = head
  if (first === 0xff && second === 0xfe) {
    return { decoder: platformDecoder('utf-16le', 2, 'byte 0'), skipped: 2, unit: 2 }
  }
  if (first === 0xfe && second === 0xff) {
    return { decoder: platformDecoder('utf-16be', 2, 'byte 0'), skipped: 2, unit: 2 }
  }
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return { decoder: utf8Decoder(3, UTF8_HINT), skipped: 3, unit: 1 }
  }
  if (encoding !== undefined) return openingNamed(encoding)
  const begin = paddingLength(head)
  const text = latin1Text(head.subarray(begin, begin + STATEMENT_HEAD_BYTES))
  const hint = utf8Hint(text, format)
  const named = hint === UTF8_HINT_NDJSON ? undefined : XML_ENCODING.exec(text)?.[1]
  // A declaration that is readable byte by byte is not UTF-16, whatever encoding it names.
  const isAscii = ASCII_NAMES.has(named?.toLowerCase() ?? '')
  if (named !== undefined && !isAscii && !/^utf-?(8|16)/i.test(named)) {
    return { decoder: decoderNamed(named, 0, 'line 1'), skipped: 0, unit: 1 }
  }
  const decoder =
    hint === undefined || isAscii
      ? judgingDecoder(decoderOfOfxHeader(text), onGuess)
      : utf8Decoder(0, hint)
  return { decoder, skipped: 0, unit: 1 }
}

/**
 * Decodes a statement file, streaming. In this order: a UTF-16 or UTF-8 byte order mark (left out
 * of the text), the encoding that the caller specifies; the one of an XML declaration unless it is
 * ASCII; UTF-8 for NDJSON and for XML without another declaration; UTF-8 if the bytes are valid
 * UTF-8; the code page that the header of OFX declares; windows-1252, or the code page of DOS or
 * Mac OS that fits the words better (encoding-guess.ts). The first {@link STATEMENT_JUDGED_BYTES}
 * bytes from the first byte that is not ASCII decide for the whole file, so a file of ASCII up to
 * its last line is decoded correctly.
 * @param chunks bytes in pieces of any size
 * @param format undefined = not known yet: derived from the beginning of the file
 * @throws StatementError for a NUL character (an archive or a document is named), an unknown
 *   encoding, or bytes that contradict the encoding; the message has the offset of the byte
 */
export async function* decodeStatement(
  chunks: AsyncIterable<Uint8Array>,
  format?: StatementFormat,
  options: DecodeOptions = {},
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
    opening = openingOf(head, format, options)
    offset = opening.skipped
    return decodeNext(head.subarray(offset), opening)
  }

  for await (const chunk of chunks) {
    if (opening === undefined) head = Buffer.concat([head, chunk])
    if (opening === undefined && !isHeadWhole(head)) continue
    const text = opening === undefined ? open() : decodeNext(chunk, opening)
    if (text !== '') yield text
  }
  const last = opening === undefined ? open() : ''
  const rest = last + ((opening as Opening | undefined)?.decoder.end() ?? '')
  if (rest !== '') yield rest
}
