import fc from 'fast-check'
import { test } from 'tap'
import {
  assertSendable,
  headText,
  isBodiless,
  statusText,
} from '../../../src/http/engine/response-head.js'
import { ANY_CHARACTER } from '../../fixtures/any-character.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('a value is valid when it is visible ASCII, spaces and tabs', async (t) => {
  assertProperty(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 40 }), fc.nat(60), (text, padding) => {
      const value = text + 'a'.repeat(padding)
      const sendable = [...value].every((c) => c === '\t' || (c >= ' ' && c <= '~'))
      try {
        assertSendable([['X-A', value]])
        return sendable
      } catch (error) {
        return !sendable && error instanceof Error && error.message.includes('X-A')
      }
    }),
  )
  for (const bad of ['\r', '\n', '\0', '\x7f', 'ä']) {
    for (const padding of [0, 23, 24, 25, 100]) {
      t.throws(
        () =>
          assertSendable([
            ['A', 'fine'],
            ['X-A', 'a'.repeat(padding) + bad],
          ]),
        /X-A/,
      )
    }
  }
})

test('a head is the status line and one line per field, in order', async (t) => {
  t.equal(
    headText(200, [
      ['A', '1'],
      ['B', ''],
    ]),
    '200 OK\r\nA: 1\r\nB: ',
  )
  t.equal(headText(431, []), '431 Request Header Fields Too Large')
  t.equal(statusText(299), '299')
  t.throws(() => headText(200, [['A', '1\r\nB: 2']]), /A/)
})

test('only 204 and 304 have no body', async (t) => {
  const bodiless = Array.from({ length: 600 }, (_, status) => status).filter(isBodiless)
  t.same(bodiless, [204, 304])
})
