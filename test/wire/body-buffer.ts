import { test } from 'tap'
import { BODY_BUFFER_BYTES_MAX, BodyBuffer } from '../../src/wire/body-buffer.js'

test('the buffer always has the requested room, and small bodies share memory', async (t) => {
  const buffer = new BodyBuffer()
  const first = buffer.begin(10)
  for (const byteCount of [0, 1, 1_000, first.length]) {
    t.equal(buffer.begin(byteCount).buffer, first.buffer)
  }
  const grown = buffer.begin(first.length + 1)
  t.ok(grown.length > first.length)
  t.equal(buffer.begin(1).buffer, grown.buffer, 'grown memory is kept')
})

test('an exceptional body gets its own memory, which is not kept', async (t) => {
  const buffer = new BodyBuffer()
  const small = buffer.begin(1)
  const large = buffer.begin(BODY_BUFFER_BYTES_MAX * 2 + 1)
  t.ok(large.length > BODY_BUFFER_BYTES_MAX * 2)
  t.equal(buffer.begin(1).buffer, small.buffer)
})
