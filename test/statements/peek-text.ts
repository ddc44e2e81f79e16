import { Readable } from 'node:stream'
import fc from 'fast-check'
import { test } from 'tap'
import { DETECT_CHARS_MAX, peekText } from '../../src/statements/peek-text.js'

async function* piecesOf(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

test('the whole text is read after the beginning, which is long enough', async () => {
  const piece = fc.tuple(fc.constantFrom('a', 'bc', 'äö'), fc.nat(DETECT_CHARS_MAX))
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 4 }), async (drawn) => {
      const pieces = drawn.map(([text, times]) => text.repeat(times))
      const whole = pieces.join('')
      const { head, text } = await peekText(piecesOf(pieces))
      let read = ''
      for await (const one of text) read += one
      if (read !== whole) throw new Error(`${read.length} of ${whole.length} characters`)
      if (!whole.startsWith(head)) throw new Error('not the beginning')
      if (head.length < Math.min(whole.length, DETECT_CHARS_MAX)) throw new Error('too short')
    }),
    { numRuns: 50 },
  )
})

test('a text that is not read to its end closes its source', async (t) => {
  const source = Readable.from(['a', 'b', 'c'], { highWaterMark: 1 })
  const { text } = await peekText(source)
  for await (const one of text) {
    t.equal(one, 'abc')
    break
  }
  t.ok(source.destroyed)
})
