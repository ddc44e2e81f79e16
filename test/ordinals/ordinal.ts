import { test } from 'tap'
import { sharedCodes, sharedFloat64, sharedUint32 } from '../../src/ordinals/ordinal.js'

test('codes take the narrowest type that holds the greatest one', async (t) => {
  const rows = [
    [0, 1],
    [255, 1],
    [256, 2],
    [65_535, 2],
    [65_536, 4],
    [0xffffffff, 4],
  ] as const
  for (const [codeMax, bytes] of rows) {
    const codes = sharedCodes(3, codeMax)
    t.equal(codes.BYTES_PER_ELEMENT, bytes)
    codes[2] = codeMax
    t.same([...codes], [0, 0, codeMax])
  }
})

test('all arrays lie in shared memory, so that threads need no copy', async (t) => {
  const arrays = [sharedCodes(2, 9), sharedUint32(2), sharedFloat64(2)]
  for (const array of arrays) t.ok(array.buffer instanceof SharedArrayBuffer)
})
