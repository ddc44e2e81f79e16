import { test } from 'tap'
import { fieldsText, textLine } from '../../src/cli/log-text.js'

const TIME = '2026-07-01T00:00:00.123Z'

test('a JSON line becomes time, level, message and fields', async (t) => {
  const line = (event: object): string =>
    textLine(JSON.stringify({ level: 'info', time: TIME, component: 'http', ...event }))
  t.equal(line({ msg: 'stopping' }), `${TIME} stopping\n`, 'the level info is omitted')
  t.equal(line({ level: 'error', msg: 'failed' }), `${TIME} ERROR failed\n`)
  t.equal(line({ level: 'debug', a: 1, msg: 'm' }), `${TIME} DEBUG m a=1\n`)
  t.equal(line({ msg: 'two\nlines', a: 'b\u2028c' }), `${TIME} two\\u000alines a="b\\u2028c"\n`)
})

test('fields are key=value, quoted where ambiguous', async (t) => {
  t.equal(fieldsText(), '')
  t.equal(
    fieldsText({ a: 'plain', b: 1.5, c: true, d: undefined, e: null }),
    ' a=plain b=1.5 c=true e=null',
  )
  t.equal(fieldsText({ a: '', b: 'x y', c: 'x=y', d: '"' }), ' a="" b="x y" c="x=y" d="\\""')
  t.equal(
    fieldsText({ address: '::1', path: '/a/b.db', key: 'key:1' }),
    ' address=::1 path=/a/b.db key=key:1',
  )
  t.equal(
    fieldsText({ err: { type: 'Error', cause: { code: 'EIO' } }, list: [1, 'a'] }),
    ' err.type=Error err.cause.code=EIO list=[1,"a"]',
  )
  t.equal(fieldsText({ a: '\u202e\u001b[31m' }), ' a="\\u202e\\u001b[31m"')
})
