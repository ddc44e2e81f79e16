import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { StatementFormat } from '../../src/statements/detect.js'
import {
  decodeStatement,
  STATEMENT_HEAD_BYTES,
  STATEMENT_JUDGED_BYTES,
} from '../../src/statements/encoding.js'
import { DETECT_CHARS_MAX } from '../../src/statements/peek-text.js'
import { StatementError } from '../../src/statements/statement.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { piecesOf } from '../fixtures/statement-reading.js'

async function decode(
  bytes: Uint8Array,
  pieceLength = bytes.length || 1,
  format?: StatementFormat,
): Promise<string> {
  const pieces: Uint8Array[] = []
  for (let i = 0; i < bytes.length; i += pieceLength)
    pieces.push(bytes.subarray(i, i + pieceLength))
  let text = ''
  for await (const piece of decodeStatement(piecesOf(pieces), format)) text += piece
  return text
}

async function faultOf(
  bytes: Uint8Array,
  pieceLength?: number,
  format?: StatementFormat,
): Promise<string> {
  try {
    await decode(bytes, pieceLength, format)
  } catch (error) {
    if (error instanceof StatementError) return error.message
    throw error
  }
  return 'none'
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

test('a byte order mark decides the encoding and is dropped', async (t) => {
  const text = 'Müller € 𝄞'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  t.equal(await decode(utf16), text)
  t.equal(await decode(utf16, 3), text, 'cut in the middle of a code unit')
  t.equal(await decode(Buffer.from(utf16).swap16()), text, 'UTF-16 BE')
  t.equal(await decode(Buffer.from(`\ufeff${text}`)), text)
  t.match(await faultOf(latin1('\xef\xbb\xbfM\xfcller')), /^byte 4: is not UTF-8/)
})

test('without a mark, valid UTF-8 is UTF-8, and other text is windows-1252', async (t) => {
  t.equal(await decode(Buffer.from('Grüße, 100 €')), 'Grüße, 100 €')
  t.equal(await decode(latin1('Gr\xfc\xdfe, 100 \x80 \x93x\x94')), 'Grüße, 100 € “x”')
  t.equal(await decode(latin1('Gr\xfc\xdfe'), 1), 'Grüße')
  t.equal(await decode(Buffer.from('plain')), 'plain')
  t.equal(await decode(new Uint8Array(0)), '')
})

test('bytes other than ASCII are judged wherever the first of them occurs', async (t) => {
  const ascii = 'x'.repeat(3 * STATEMENT_JUDGED_BYTES)
  t.equal(await decode(latin1(`${ascii}\xe4`), 4_096), `${ascii}ä`)
  t.equal(await decode(Buffer.from(`${ascii}ä`), 4_096), `${ascii}ä`)
  t.equal(await decode(Buffer.from(`${ascii}ä`), 1_000_001), `${ascii}ä`)
  const lucky = latin1(`\xc3\xa4${'x'.repeat(100)}\xe4`)
  t.equal(await decode(lucky, 7), `Ã¤${'x'.repeat(100)}ä`, 'a lucky pair does not decide')
})

test('bytes that contradict the judged encoding are refused with their offset', async (t) => {
  const utf8 = `ä${'x'.repeat(2 * STATEMENT_JUDGED_BYTES)}`
  const bytes = Buffer.concat([Buffer.from(utf8), latin1('\xe4!')])
  for (const length of [bytes.length, 4_096, 65_537]) {
    const at = Buffer.byteLength(utf8)
    t.match(await faultOf(bytes, length), new RegExp(`^byte ${at + 1}: is not UTF-8`), `${length}`)
  }
  const cutOff = Buffer.from(`${utf8}ä`).subarray(0, -1)
  t.match(await faultOf(cutOff), /^byte 131074: is not UTF-8/, 'a file cut inside a character')
})

test('the XML declaration names the encoding', async (t) => {
  const xml = (name: string, text: string): string =>
    `<?xml version="1.0" encoding='${name}'?>${text}`
  const cases: [string, string, string][] = [
    ['ISO-8859-15', '\xa4', '€'],
    ['ISO-8859-1', '\x80\xe4', '€ä'],
    ['windows-1250', '\xb9', 'ą'],
    ['UTF-8', '\xc3\xa4', 'ä'],
    ['UTF-16', '\xc3\xa4', 'ä'],
  ]
  for (const [name, bytes, text] of cases) {
    t.equal(await decode(latin1(xml(name, bytes))), xml(name, text), `${name} ${text}`)
    t.equal(await decode(latin1(xml(name, bytes)), 1), xml(name, text), `${name}, byte by byte`)
  }
  t.equal(
    await faultOf(latin1(xml('klingon', 'x'))),
    'line 1, encoding: "klingon" is not a supported encoding; name one, for example ' +
      '--encoding windows-1252',
  )
})

/** Prefixes of files that are UTF-8 by their format, with the format where it has to be given. */
const UTF8_BEGINNINGS: readonly [begin: string, format?: StatementFormat][] = [
  ['<?xml version="1.0" encoding="UTF-8"?><Document>'],
  ['<?xml version="1.0" encoding="UTF-16"?><Document>'],
  ['<?xml version="1.0"?><Document>'],
  ['<?xml version="1.0" encoding="utf-8"?>\n<OFX>'],
  ['<?xml version="1.0" encoding="utf-8"?>\n<OFX>', 'ofx'],
  ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">'],
  [`\n<!-- ${'long '.repeat(STATEMENT_HEAD_BYTES)} --><Document>`],
  ['', 'camt053'],
  ['{"amount":1,"purpose":"'],
  [`\r\n\xa0 {${' '.repeat(2 * STATEMENT_HEAD_BYTES)}"amount":1,"purpose":"`],
  [`${'\n'.repeat(DETECT_CHARS_MAX - 1)}{"amount":1,"purpose":"`],
  ['', 'ndjson'],
  ['<?xml version="1.0" encoding="ISO-8859-1"?>', 'ndjson'],
]

/** Start of the first character that Node.js does not encode back to the same bytes. */
function firstBadByteNaively(bytes: Buffer): number | undefined {
  for (let i = 0; i < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => {
      const part = bytes.subarray(i, i + count)
      return part.length === count && Buffer.from(part.toString()).equals(part)
    })
    if (length === undefined) return i
    i += length
  }
  return undefined
}

test('XML without another encoding and NDJSON are UTF-8 at every byte', async (t) => {
  const inside = 'ü€'.repeat(2_000)
  const beyond = 'ü€'.repeat(STATEMENT_JUDGED_BYTES / 4)
  for (const [begin, format] of UTF8_BEGINNINGS) {
    for (const before of ['', inside, beyond]) {
      // The no-break space of Latin-1 in one of the prefixes is itself the first bad byte.
      const bytes = Buffer.concat([latin1(begin), Buffer.from(before), latin1('\xfcller')])
      const at = firstBadByteNaively(bytes) ?? -1
      for (const pieceLength of [bytes.length, 4_093]) {
        const fault = await faultOf(bytes, pieceLength, format)
        const hint =
          format === 'ndjson' || begin.includes('{')
            ? 'convert the file to UTF-8, which NDJSON'
            : 'XML is'
        t.ok(
          fault.startsWith(`byte ${at}: is not UTF-8, unlike the text before it; ${hint}`),
          `${begin.slice(0, 60)} ${format} ${before.length} ${pieceLength}: ${fault}`,
        )
      }
    }
    if (begin.includes('\xa0')) continue
    const good = Buffer.concat([latin1(begin), Buffer.from(beyond)])
    t.equal(await decode(good, 4_093, format), good.toString(), `${begin.slice(0, 60)}, UTF-8`)
  }
})

test('the offset of a byte that is not UTF-8 is right wherever the text is cut', async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.string({ unit: ANY_CHARACTER, maxLength: 12 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ min: 1, maxLength: 8 }),
      fc.constantFrom<StatementFormat[]>('ndjson', 'camt053'),
      fc.integer({ min: 1, max: 9 }),
      async (good, tail, format, pieceLength) => {
        const bytes = Buffer.concat([Buffer.from('{"a":'), good, tail])
        fc.pre(!bytes.includes(0)) // NUL is refused before.
        const at = firstBadByteNaively(bytes)
        const fault = await faultOf(bytes, pieceLength, format)
        if (at === undefined) assert.equal(fault, 'none')
        else assert.match(fault, /^byte \d+: is not UTF-8/)
        // Within a sequence the error names the byte that breaks it, at most 3 later.
        const named = Number(/^byte (\d+)/.exec(fault)?.[1] ?? Number.NaN)
        if (at !== undefined) assert.ok(named >= at && named <= at + 3, `${named} for ${at}`)
      },
    ),
    { numRuns: 300 },
  )
})

test('formats that leave the encoding open are judged, even if they look like XML', async (t) => {
  const cases: [begin: string, format?: StatementFormat][] = [
    ['OFXHEADER:100\nCHARSET:1252\n\n<OFX>'],
    ['<OFX><SIGNONMSGSRSV1>'],
    ['<?OFX OFXHEADER="200"?><OFX>'],
    ['{1:F01KNABNL2HAXXX0000000000}{4:\n:20:x\n:25:'],
    ['Datum;Betrag;Text\n1;2;'],
    ['{"a";"b"\n', 'csv'],
    ['<a>;', 'csv'],
    ['<html>'],
    ['<?xml version="1.0" encoding="windows-1252"?><Document>'],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><Document>', 'camt053'],
  ]
  for (const [begin, format] of cases) {
    const text = `${begin}M\xfcller`
    t.equal(await decode(latin1(text), undefined, format), text, `${begin} ${format}`)
    t.equal(await decode(latin1(text), 1, format), text, `${begin} ${format}, byte by byte`)
  }
})

test('NUL is refused with its offset', async (t) => {
  t.match(await faultOf(latin1('abc\0')), /^byte 3: is NUL/)
  t.match(await faultOf(latin1(`${'x'.repeat(5_000)}\0`), 100), /^byte 5000: is NUL/)
  t.match(await faultOf(latin1('PK\x03\x04\0')), /^byte 0: begins a ZIP archive; unpack it/)
  t.match(await faultOf(Buffer.from('\ufeffab\0', 'utf16le')), /^byte 6: is NUL/)
  t.match(await faultOf(Buffer.from('<?xml ?>', 'utf16le')), /^byte 1: is NUL.*UTF-16/)
  t.match(await faultOf(latin1('\xff\xfea')), /UTF-?16/i, 'half a code unit at the end')
})

test('every byte is a character of windows-1252, whatever this Node.js decodes', async (t) => {
  const bytes = Buffer.from([...Array(256).keys()].slice(1))
  const text = await decode(bytes)
  t.equal(text.length, 255)
  const high = [...Array(32).keys()].map((i) => text.charAt(0x7f + i)).join('')
  t.equal(high, '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ')
})

test('a declared ASCII is judged by the bytes; a code page of OFX is used', async (t) => {
  const cases: [begin: string, bytes: string, text: string][] = [
    ['<?xml version="1.0" encoding="USASCII"?><OFX>', '\xc3\xa4', 'ä'],
    ['<?xml version="1.0" encoding="US-ASCII"?><Document>', 'M\xfcller', 'Müller'],
    ['<?xml version="1.0" encoding="NONE"?><OFX>', 'plain', 'plain'],
    ['OFXHEADER:100\r\nENCODING:USASCII\r\nCHARSET:1250\r\n\r\n<OFX>', 'p\xb3atno', 'płatno'],
    ['<!--\nOFXHEADER:100\nCHARSET:852\n-->\n<OFX>', 'p\x88atno', 'płatno'],
    ['OFXHEADER:100\nCHARSET:ISO-8859-15\n<OFX>', '\xa4', '€'],
    ['OFXHEADER:100\nCHARSET:1252\n<OFX>', '\x80 \xe4', '€ ä'],
    ['OFXHEADER:100\nCHARSET:1250\n<OFX>', '\xc5\x82', 'ł'],
  ]
  for (const [begin, bytes, text] of cases) {
    t.equal(await decode(latin1(begin + bytes)), begin + text, begin)
    t.equal(await decode(latin1(begin + bytes), 3), begin + text, `${begin}, in pieces`)
  }
})

test('the encoding that a caller specifies decides, after a byte order mark', async (t) => {
  const read = async (bytes: Buffer, encoding: string): Promise<string> => {
    let text = ''
    for await (const piece of decodeStatement(piecesOf([bytes]), undefined, { encoding })) {
      text += piece
    }
    return text
  }
  t.equal(await read(latin1('M\x81ller'), 'cp850'), 'Müller')
  t.equal(await read(latin1('M\x81ller'), 'windows-1252'), 'M\u0081ller')
  t.equal(await read(latin1('\xb3'), 'windows-1250'), 'ł')
  t.equal(await read(latin1('M\xc3\xbcller'), 'windows-1252'), 'MÃ¼ller')
  t.equal(await read(Buffer.from('Müller €', 'utf16le'), 'utf-16le'), 'Müller €')
  t.equal(await read(Buffer.from('\ufeffMüller'), 'cp850'), 'Müller')
  t.equal(
    await read(latin1("<?xml version='1.0' encoding='UTF-8'?>\x81"), 'cp850').catch(String),
    "<?xml version='1.0' encoding='UTF-8'?>ü",
  )
  await t.rejects(read(latin1('\xe4'), 'utf-8'), {
    message: /name the right encoding, for example/,
  })
  await t.rejects(read(latin1('x'), 'klingon'), {
    message: /"klingon" is not a supported encoding/,
  })
})

test('pieces of any length give the same text', async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: ANY_CHARACTER, maxLength: 60 }).map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 60 }),
      ),
      fc.integer({ min: 1, max: 9 }),
      async (bytes, pieceLength) => {
        const whole = (await faultOf(bytes)) === 'none' ? await decode(bytes) : 'refused'
        const cut =
          (await faultOf(bytes, pieceLength)) === 'none'
            ? await decode(bytes, pieceLength)
            : 'refused'
        assert.equal(cut, whole)
      },
    ),
    { numRuns: 300 },
  )
})
