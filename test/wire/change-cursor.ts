import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { type CursorScope, cursorOf, positionOf } from '../../src/wire/change-cursor.js'
import { assertProperty } from '../fixtures/assert-property.js'

const scopes: fc.Arbitrary<CursorScope> = fc.record({
  timeline: fc.constantFrom('one', 'two'),
  view: fc.option(
    fc.uniqueArray(fc.integer({ min: 1, max: 4 })).map((ids) => new Set(ids)),
    { nil: null },
  ),
})
const positions = fc.record({
  sequence: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  copiedFrom: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
})

function isExpired(scope: CursorScope, cursor: string): boolean {
  try {
    positionOf(scope, cursor)
    return false
  } catch (error) {
    return error instanceof ApiError && error.code === 'cursor_expired'
  }
}

function nameOf({ timeline, view }: CursorScope): string {
  return `${timeline} ${view === null ? 'all' : [...view].sort()}`
}

test('a cursor is read in its own scope alone', async (t) => {
  let refusedCount = 0
  assertProperty(
    fc.property(scopes, scopes, positions, (scope, other, position) => {
      const cursor = cursorOf(scope, position)
      assert.match(cursor, /^[-\w]{43}$/)
      assert.deepEqual(positionOf(scope, cursor), { ...position })
      assert.equal(cursorOf({ ...scope }, { ...position }), cursor, 'equal ones are equal')
      const isSame = nameOf(scope) === nameOf(other)
      assert.equal(isExpired(other, cursor), !isSame)
      if (!isSame) refusedCount += 1
    }),
  )
  t.ok(refusedCount > 20)
})

test('a changed cursor, or any other text, has expired', async () => {
  const scope = { timeline: 'one', view: null }
  const cursor = cursorOf(scope, { sequence: 3, copiedFrom: 0 })
  const bytes = Buffer.from(cursor, 'base64url')
  assertProperty(
    fc.property(fc.nat({ max: bytes.length * 8 - 1 }), (bit) => {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.ok(isExpired(scope, changed.toString('base64url')))
    }),
  )
  assertProperty(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-\w]{43}$/)), (text) =>
      isExpired(scope, text),
    ),
  )
  assert.ok(isExpired(scope, `${cursor}A`))
  assert.ok(isExpired(scope, cursor.slice(1)))
})

test('the sequence cannot be read from a cursor', async (t) => {
  const scope = { timeline: 'one', view: new Set([1]) }
  const texts = Array.from({ length: 64 }, (_, sequence) =>
    Buffer.from(cursorOf(scope, { sequence, copiedFrom: 0 }), 'base64url'),
  )
  // Each byte of the encrypted part differs between positions that differ in one byte.
  for (let at = 16; at < 32; at++) {
    t.ok(new Set(texts.map((bytes) => bytes[at])).size > 32, `byte ${at}`)
  }
})
