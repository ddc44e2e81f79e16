import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { boundaryOf, MultipartError, MultipartReader } from '../../src/dashboard/multipart.js'
import { assertProperty } from '../fixtures/assert-property.js'

interface Part {
  readonly name: string
  readonly fileName: string | undefined
  readonly content: Buffer
}

/** The parts that the parser reads from a body in these pieces. */
async function read(boundary: string, pieces: readonly Uint8Array[]): Promise<Part[]> {
  const parts: Part[] = []
  let begun: { name: string; fileName: string | undefined; all: Uint8Array[] } | undefined
  const reader = new MultipartReader(boundary, {
    begin: async (name, fileName) => {
      begun = { name, fileName, all: [] }
    },
    take: async (bytes) => void begun?.all.push(new Uint8Array(bytes)),
    end: async () => {
      const { name = '', fileName, all = [] } = begun ?? {}
      parts.push({ name, fileName, content: Buffer.concat(all) })
    },
  })
  for (const piece of pieces) await reader.feed(piece)
  reader.end()
  return parts
}

/** As browsers encode it (HTML, "multipart/form-data encoding algorithm"). */
function written(boundary: string, parts: readonly Part[]): Buffer {
  const quoted = (text: string): string =>
    text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const pieces = parts.map(({ name, fileName, content }) => {
    const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`
    const type = fileName === undefined ? '' : '\r\nContent-Type: text/xml'
    const head = `Content-Disposition: form-data; name="${quoted(name)}"${file}${type}`
    return Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, LINE_END])
  })
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

const LINE_END = Buffer.from('\r\n')

/** Bytes that resemble the start of a delimiter. */
const tricky = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '--', '-', 'B', '\r\n--', '\r\n--B', 'x', 'ü'))
  .map((pieces) => pieces.join(''))
  .filter((text) => !`\r\n${text}`.includes('\r\n--BB'))
  .map((text) => Buffer.from(text))

const contents = fc.oneof(
  tricky,
  fc.uint8Array({ maxLength: 50 }).map((all) => Buffer.from(all)),
)
const names = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .filter((text) => !/%|\p{Cc}/u.test(text))

test('a form is read back as written, in pieces of any size', async () => {
  const parts = fc.array(
    fc.record(
      { name: names, fileName: fc.option(names, { nil: undefined }), content: contents },
      { noNullPrototype: true },
    ),
    { minLength: 1, maxLength: 4 },
  )
  await assertProperty(
    fc.asyncProperty(parts, fc.array(fc.integer({ min: 1, max: 30 })), async (sent, sizes) => {
      const body = written('BB', sent)
      const pieces: Buffer[] = []
      for (let at = 0, i = 0; at < body.length; i++) {
        const size = sizes.length === 0 ? body.length : (sizes[i % sizes.length] ?? 1)
        pieces.push(body.subarray(at, at + size))
        at += size
      }
      assert.deepEqual(await read('BB', pieces), sent)
    }),
  )
})

test('a name is read to its end, whatever line separators it contains', async (t) => {
  for (const name of ['\u2028', 'a\u2029b', 'a; name=b', '\ufeff']) {
    const sent = [{ name, fileName: name, content: Buffer.from('1') }]
    t.same(await read('BB', [written('BB', sent)]), sent)
  }
})

test('text around the parts is ignored', async (t) => {
  const sent = [{ name: 'a', fileName: undefined, content: Buffer.from('1') }]
  const body = Buffer.concat([Buffer.from('before\r\n'), written('BB', sent), Buffer.from('after')])
  t.same(await read('BB', [body]), sent)
})

test('a malformed or incomplete form is refused', async (t) => {
  for (const [text, why] of [
    ['', 'is incomplete'],
    ['--BB\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', 'is incomplete'],
    ['--BB\r\nContent-Disposition: form-data\r\n\r\nx\r\n--BB--', 'has no name'],
    ['--BBx\r\n', 'neither a part nor the end'],
    [`--BB\r\n${'a'.repeat(9_000)}`, 'is too long'],
  ] as const) {
    const reading = read('BB', [Buffer.from(text)])
    await t.rejects(reading, new MultipartError(''))
    await t.rejects(reading, { message: new RegExp(why) })
  }
})

test('the boundary is taken from the Content-Type field', async (t) => {
  t.equal(
    boundaryOf('multipart/form-data; boundary=----WebKitFormBoundaryX'),
    '----WebKitFormBoundaryX',
  )
  t.equal(boundaryOf('Multipart/Form-Data;charset=utf-8; boundary="a b"'), 'a b')
  t.equal(boundaryOf('multipart/form-data'), undefined)
  t.equal(boundaryOf('multipart/mixed; boundary=a'), undefined)
  t.equal(boundaryOf(`multipart/form-data; boundary=${'a'.repeat(71)}`), undefined)
})
