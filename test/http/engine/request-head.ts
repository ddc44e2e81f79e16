import fc from 'fast-check'
import { test } from 'tap'
import { RequestHead } from '../../../src/http/engine/request-head.js'
import { assertProperty } from '../../fixtures/assert-property.js'

function headOf(...fields: readonly (readonly [name: string, value: string])[]): RequestHead {
  const head = new RequestHead()
  for (const [name, value] of fields) head.take(name, value)
  return head
}

const KNOWN = [
  'authorization',
  'if-none-match',
  'x-request-id',
  'origin',
  'sec-fetch-site',
  'cookie',
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'access-control-request-method',
  'access-control-request-headers',
] as const

test('known fields are kept, repeated ones joined, others ignored', async (t) => {
  for (const name of KNOWN) {
    t.equal(headOf().fields[name], '')
    t.equal(headOf([name, 'a']).fields[name], 'a')
    t.equal(headOf([name, 'a'], ['x', 'y'], [name, 'b']).fields[name], 'a, b')
    for (const other of KNOWN) {
      if (other !== name) t.equal(headOf([name, 'a']).fields[other], '', `${name} is not ${other}`)
    }
  }
  const lookalike = headOf(['accepted-by', '1'], ['acceps', '2'], ['hosu', '3'], ['cookies', '4'])
  t.same(lookalike, headOf())
})

test('Content-Length is digits, once, alone', async (t) => {
  t.equal(headOf(['content-length', '007']).contentLength, 7)
  t.notOk(headOf(['content-length', '0']).hasBody)
  t.ok(headOf(['content-length', '1']).hasBody)
  t.notOk(headOf().hasBody)
  for (const value of [
    '',
    ' ',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '1, 1',
    '1 1',
    '٣',
    `1${'0'.repeat(15)}`,
  ]) {
    t.ok(headOf(['content-length', value]).framingFault, JSON.stringify(value))
  }
  t.ok(headOf(['content-length', '5'], ['content-length', '5']).framingFault, 'even equal ones')
  assertProperty(
    fc.property(fc.nat(), (length) => {
      const head = headOf(['content-length', String(length)])
      return !head.framingFault && head.contentLength === length
    }),
  )
})

test('Transfer-Encoding is chunked, once, alone', async (t) => {
  for (const value of ['chunked', 'Chunked', 'CHUNKED']) {
    const head = headOf(['transfer-encoding', value])
    t.ok(head.hasBody)
    t.notOk(head.framingFault)
  }
  for (const value of [
    '',
    'identity',
    'gzip, chunked',
    'chunked, chunked',
    'chunked;a=b',
    ' chunked',
  ]) {
    t.ok(headOf(['transfer-encoding', value]).framingFault, JSON.stringify(value))
  }
  const twice = ['transfer-encoding', 'chunked'] as const
  t.ok(headOf(twice, twice).framingFault)
  t.ok(headOf(twice, ['content-length', '5']).framingFault)
  t.ok(headOf(['content-length', '0'], twice).framingFault)
})

test('an empty name is an error, and Host fields are counted', async (t) => {
  t.ok(headOf(['', 'x']).framingFault)
  t.equal(headOf().hostCount, 0)
  t.equal(headOf(['host', 'a']).fields.host, 'a')
  t.equal(headOf(['host', ''], ['host', 'a']).hostCount, 2)
})
