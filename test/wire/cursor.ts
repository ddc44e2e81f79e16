import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { cursorText, listDigest, positionIn, readCursor } from '../../src/wire/cursor.js'
import { CURSOR } from '../../src/wire/parameter-table.js'
import { assertProperty } from '../fixtures/assert-property.js'

const positions = fc.record(
  {
    hasKey: fc.boolean(),
    key: fc.double({ noNaN: true, noDefaultInfinity: true }),
    id: fc.maxSafeNat(),
  },
  { noNullPrototype: true },
)

function read(text: string) {
  return readCursor(CURSOR, `<${text}>`, 1, text.length + 1)
}

test('a cursor names the position of a row in a list', async (t) => {
  assertProperty(
    fc.property(positions, fc.array(fc.jsonValue(), { maxLength: 4 }), (position, list) => {
      const digest = listDigest(list)
      const text = cursorText(digest, position)
      assert.match(text, /^[-_A-Za-z0-9]{39}$/)
      assert.deepEqual(read(text), { digest, position })
      assert.deepEqual(positionIn(digest, read(text)), position)
      assert.throws(() => positionIn(listDigest([...list, 1]), read(text)), {
        code: 'invalid_cursor',
        message: /^cursor belongs to another list: .*; for example cursor=$/,
      })
    }),
  )
  t.equal(positionIn(listDigest([]), read('')), undefined, 'an empty one is the first page')
})

test('a cursor holds nothing of the process that made it', async (t) => {
  const text = cursorText(listDigest(['w', null, { a: 1 }]), { hasKey: true, key: -1.5, id: 7 })
  t.equal(text, '3iOI4-DtOkH07vMyAb_4AAAAAAAAQBwAAAAAAAA')
})

test('any other text is refused', async (t) => {
  const good = cursorText(listDigest([]), { hasKey: true, key: 1, id: 2 })
  const pieces = fc.array(fc.constantFrom(good, good.slice(0, 20), 'A', '_', '=', '%', 'é', '\0'), {
    minLength: 1,
    maxLength: 3,
  })
  assertProperty(
    fc.property(fc.oneof(fc.string({ minLength: 1 }), pieces.map(String)), (text) => {
      if (text === good) return
      try {
        read(text)
        assert.fail('accepted')
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
        assert.equal(error.code, 'invalid_cursor')
        assert.equal(
          error.message,
          'cursor must be the value of an X-Next-Cursor, or empty for the first page; ' +
            'for example cursor=',
        )
      }
    }),
  )
  const written = (change: (bytes: Buffer) => void): string => {
    const bytes = Buffer.from(good, 'base64url')
    change(bytes)
    return bytes.toString('base64url')
  }
  const wrong = [
    written((bytes) => bytes.writeUInt8(2, 12)),
    written((bytes) => bytes.writeDoubleBE(Number.NaN, 13)),
    written((bytes) => bytes.writeDoubleBE(Number.POSITIVE_INFINITY, 13)),
    written((bytes) => bytes.writeDoubleBE(0.5, 21)),
    written((bytes) => bytes.writeDoubleBE(2 ** 53, 21)),
    // The last character has two bits that no byte holds.
    `${good.slice(0, -1)}${good.endsWith('B') ? 'C' : 'B'}`,
  ]
  for (const text of wrong) t.throws(() => read(text), { code: 'invalid_cursor' }, text)
})
