import { test } from 'tap'
import { parseByteSize } from '../../src/cli/byte-size.js'

test('a size is a whole number and a unit', async (t) => {
  const rows = [
    ['512MB', 512_000_000],
    ['4GB', 4_000_000_000],
    ['4gb', 4_000_000_000],
    ['0MB', undefined],
    ['512', undefined],
    ['1.5GB', undefined],
    ['-1GB', undefined],
    ['1 GB', undefined],
    ['1TB', undefined],
    ['', undefined],
  ] as const
  for (const [text, bytes] of rows) t.equal(parseByteSize(text), bytes, text)
})
