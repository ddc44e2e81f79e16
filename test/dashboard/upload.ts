import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import {
  discardUploads,
  emptyUploadFolder,
  readUpload,
  UPLOAD_FIELDS_MAX,
  UPLOAD_FILES_MAX,
  UPLOADS_AT_ONCE_MAX,
  type Upload,
  UploadError,
  UploadLimit,
} from '../../src/dashboard/upload.js'
import { replyText, rigs } from '../fixtures/http-rig.js'

/** The parsed upload of a form, or the error that refuses it. */
async function sent(t: Test, folder: string, body: FormData | string): Promise<Upload | Error> {
  const [rig] = rigs
  if (rig === undefined) throw new Error('node is everywhere')
  let result: Upload | Error = new Error('nothing came')
  const { port } = await rig.listen(t, async (exchange) => {
    const isWanted = (fields: ReadonlyMap<string, string>): boolean => fields.get('token') === 'x'
    try {
      result = await readUpload(exchange, { folder, bytesMax: 100_000, isWanted })
    } catch (error) {
      if (!(error instanceof UploadError)) throw error
      result = error
    }
    replyText(exchange, 'ok')
  })
  await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body }).catch(
    (error: unknown) => error,
  )
  return result
}

function form(fields: Record<string, string>, files: Record<string, string>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const [name, text] of Object.entries(files)) body.append('files', new Blob([text]), name)
  return body
}

test('files are stored under generated names, empty ones too', async (t) => {
  const folder = t.testdir()
  const body = form(
    { token: 'x', a: 'ü' },
    { 'C:\\in\\a.xml': 'one', '../b.csv': 'two', 'c.txt': '' },
  )
  const upload = (await sent(t, folder, body)) as Upload
  t.same(
    [...upload.fields],
    [
      ['token', 'x'],
      ['a', 'ü'],
    ],
  )
  t.same(
    upload.files.map(({ name, bytes, path }) => [name, bytes, readFileSync(path, 'utf8')]),
    [
      ['a.xml', 3, 'one'],
      ['b.csv', 3, 'two'],
      ['c.txt', 0, ''],
    ],
  )
  t.match(readdirSync(folder), Array(3).fill(/^[-0-9a-f]{36}$/))
  discardUploads(upload.files)
  t.same(readdirSync(folder), [])
})

test('a refused upload leaves nothing on the disk', async (t) => {
  const many = Array.from({ length: UPLOAD_FILES_MAX + 1 }, (_, i) => [`${i}`, '1'])
  for (const [body, why] of [
    [form({ token: 'y' }, { a: 'one' }), 'has expired'],
    [form({}, { a: 'one' }), 'has expired'],
    [form({ token: 'x' }, { a: 'x'.repeat(100_000) }), 'larger than 0 MB'],
    [form({ token: 'x', b: 'x'.repeat(70_000) }, {}), 'too long'],
    [form({ token: 'x' }, Object.fromEntries(many)), `At most ${UPLOAD_FILES_MAX} files`],
    [form({ token: 'x' }, Object.fromEntries(many.map(([name]) => [name, '']))), 'At most'],
    [
      form(
        Object.fromEntries(Array.from({ length: UPLOAD_FIELDS_MAX + 1 }, (_, i) => [i, ''])),
        {},
      ),
      `more than ${UPLOAD_FIELDS_MAX} fields`,
    ],
    [form({ ['x'.repeat(7_000)]: '', token: 'y'.repeat(60_000) }, {}), 'too long'],
    ['text', 'must be sent as multipart/form-data'],
  ] as const) {
    const folder = t.testdir()
    const refusal = (await sent(t, folder, body)) as Error
    t.match(refusal.message, why)
    t.same(readdirSync(folder), [], why)
  }
})

test('the folder is created, and leftovers of a killed process are deleted', async (t) => {
  const folder = join(t.testdir(), 'uploads')
  emptyUploadFolder(folder)
  writeFileSync(join(folder, 'left'), 'x')
  emptyUploadFolder(folder)
  t.ok(existsSync(folder))
  t.same(readdirSync(folder), [])
})

test('the number of concurrent uploads is bounded', async (t) => {
  const uploadLimit = new UploadLimit()
  const ends: (() => void)[] = []
  const arrive = (): Promise<void> =>
    uploadLimit.during(() => new Promise<void>((resolve) => ends.push(resolve)))
  const first = Array.from({ length: UPLOADS_AT_ONCE_MAX }, arrive)
  t.equal(ends.length, UPLOADS_AT_ONCE_MAX, 'they are read concurrently')
  await t.rejects(
    arrive(),
    new UploadError('Other uploads are in progress.'.concat(' Try again in a moment.')),
  )
  ends[0]?.()
  await first[0]
  t.equal(await uploadLimit.during(async () => 'read'), 'read')
})
