import { test } from 'tap'
import { presentOnly } from '../../src/statements/present.js'

test('absent members are left out, all others are kept', async (t) => {
  const present = presentOnly<{ a: string; b: number; c: string }>({ a: '', b: 0, c: undefined })
  t.strictSame(present, { a: '', b: 0 })
  t.notOk('c' in present)
})
