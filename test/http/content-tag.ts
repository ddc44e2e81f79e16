import { test } from 'tap'
import { contentTag } from '../../src/http/content-tag.js'

test('a tag is the same for the same answer only', async (t) => {
  const page = { offset: 0, limit: 10, total: 7 }
  const bytes = Buffer.from('[{"id":1}]')
  const tag = contentTag('k1.x', { bytes, page })
  t.match(tag, /^"[0-9a-z]+-[0-9a-z]+"$/)
  t.equal(contentTag('k1.x', { bytes: Uint8Array.from(bytes), page: { ...page } }), tag)
  const others = [
    contentTag('k2.x', { bytes, page }),
    contentTag('k1.x', { bytes: Buffer.from('[{"id":2}]'), page }),
    contentTag('k1.x', { bytes: Buffer.from(''), page }),
    contentTag('k1.x', { bytes, page: { ...page, total: 8 } }),
    contentTag('k1.x', { bytes }),
    contentTag('k1.x\n7', { bytes: Buffer.from('x'), page }),
  ]
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 1)).subarray(1)
  shared.set(bytes)
  t.equal(contentTag('k1.x', { bytes: shared, page }), tag, 'in any memory')
  t.equal(new Set([tag, ...others]).size, others.length + 1)
})
