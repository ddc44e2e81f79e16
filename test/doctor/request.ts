import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { createSecret } from '../../src/auth/secret.js'
import {
  DOCTOR_BODY_BYTES_MAX,
  DOCTOR_SHOWN_CHARS_MAX,
  jsonOf,
  printableText,
  request,
  shortly,
} from '../../src/doctor/request.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { BrokenFront, type PassingRequest } from '../fixtures/broken-front.js'

const JSON_TYPE = { 'content-type': 'application/json' }

test('an answer is returned as received, with its sender: kontor or another', async (t) => {
  const front = await BrokenFront.open(t)
  const seen: PassingRequest[] = []
  front.spoiling = {
    request: (passing) => {
      seen.push(passing)
      const id = String(passing.headers['x-request-id'])
      const own = passing.path === '/kontor?a=1' ? { 'x-request-id': id } : {}
      return { status: 201, headers: { ...JSON_TYPE, ...own }, body: '{"a":1}' }
    },
  }
  const credential = createSecret('mcp-')
  const asking = { method: 'POST', body: '{}', credential, note: 'with a key' } as const
  const reply = await request(`${front.url}/kontor?a=1`, asking)
  t.match(reply, { status: 201, json: { a: 1 }, isKontors: true })
  t.equal(reply.request, `POST ${front.url}/kontor with a key`)
  t.equal(seen[0]?.headers.authorization, `Bearer ${credential}`)
  t.match(await request(`${front.url}/other`), {
    isKontors: false,
    request: `GET ${front.url}/other`,
  })
  t.equal(seen[1]?.headers.authorization, undefined)
  t.not(seen[0]?.headers['x-request-id'], seen[1]?.headers['x-request-id'])
})

test('a redirect is not followed', async (t) => {
  const front = await BrokenFront.open(t)
  front.spoiling = {
    request: ({ path }) =>
      path === '/a' ? { status: 302, headers: { location: '/b' }, body: '' } : undefined,
  }
  const reply = await request(`${front.url}/a`)
  t.equal(shortly(reply), '302 to /b')
})

test('an endless answer is read up to a limit', async (t) => {
  const front = await BrokenFront.open(t)
  const body = 'x'.repeat(3 * DOCTOR_BODY_BYTES_MAX)
  front.spoiling = { request: () => ({ status: 200, headers: {}, body }) }
  const { text } = await request(front.url)
  t.ok(text.length >= DOCTOR_BODY_BYTES_MAX)
  t.ok(text.length < 2 * DOCTOR_BODY_BYTES_MAX)
})

test('without a server the finding has reason and remedy', async (t) => {
  await t.rejects(request('http://127.0.0.1:9/x', { note: 'y' }), {
    name: 'NoAnswer',
    request: 'GET http://127.0.0.1:9/x y',
    fix: /./,
  })
})

test('only an object is an object', async (t) => {
  t.same(jsonOf('{"a":[1]}'), { a: [1] })
  for (const text of ['', '{', '[]', 'null', '1', '"a"']) t.equal(jsonOf(text), undefined, text)
})

test('foreign texts are shown on one line, short, without secrets', async (t) => {
  const secret = createSecret('at-')
  t.equal(printableText(` a\u001b[2J\r\n\u202eb ${secret} `), 'a [2J b at-…')
  assertProperty(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 600 }), (text) => {
      const shown = printableText(text)
      assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}]/u)
      assert.ok(shown.length <= DOCTOR_SHOWN_CHARS_MAX + 1)
    }),
  )
  t.ok(printableText(`${'x'.repeat(DOCTOR_SHOWN_CHARS_MAX - 10)} ${secret}`).indexOf(secret) === -1)
})
