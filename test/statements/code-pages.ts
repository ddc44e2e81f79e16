import { test } from 'tap'
import { isCodePage, textOfBytes } from '../../src/statements/code-pages.js'
import { ENCODING_NAMES } from '../../src/statements/encoding-names.js'

const BYTES = [...Array(256).keys()].map((byte) => String.fromCharCode(byte)).join('')

test('each code page has a character for each byte, and ASCII below 80', async (t) => {
  const codePages = [
    'windows-1252',
    'windows-1250',
    'cp850',
    'cp852',
    'cp437',
    'macintosh',
  ] as const
  for (const codePage of codePages) {
    const text = textOfBytes(BYTES, codePage)
    t.equal(text.length, 256, codePage)
    t.equal(text.slice(0, 128), BYTES.slice(0, 128), `${codePage}, ASCII`)
    t.equal(new Set(text).size, 256, `${codePage}: no character twice`)
    t.ok(isCodePage(codePage))
  }
})

test('Mac Roman and windows-1250 are those of the platform', async (t) => {
  const bytes = Buffer.from(BYTES, 'latin1')
  for (const codePage of ['macintosh', 'windows-1250'] as const) {
    t.equal(textOfBytes(BYTES, codePage), new TextDecoder(codePage).decode(bytes))
  }
})

test('letters of the code pages of DOS have the bytes of the Unicode mappings', async (t) => {
  const letters = (bytes: string) =>
    (['cp437', 'cp850', 'cp852'] as const).map((codePage) => textOfBytes(bytes, codePage))
  t.strictSame(letters('\x81\x84\x94\x9a\xe1'), ['üäöÜß', 'üäöÜß', 'üäöÜß'])
  t.strictSame(letters('\x88\xa5\xa9\xfb\x8b'), ['êÑ⌐√ï', 'êÑ®¹ï', 'łąęűő'])
  t.strictSame(letters('\x9b\x9d\xb5\xd5\xff'), ['¢¥╡╒\u00a0', 'øØÁı\u00a0', 'ŤŁÁŇ\u00a0'])
})

test('every encoding that a caller may specify is known', async (t) => {
  for (const name of ENCODING_NAMES) {
    t.ok(isCodePage(name) || new TextDecoder(name).encoding !== '', name)
  }
  t.notOk(isCodePage('toString'))
})
