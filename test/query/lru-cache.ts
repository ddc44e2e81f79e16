import { test } from 'tap'
import { LruCache } from '../../src/query/lru-cache.js'

interface Listed {
  readonly ordinals: Uint32Array
}

function listed(length: number): Listed {
  return { ordinals: new Uint32Array(length) }
}

/** Results of owners with 1,000 rows each, which allows 16,000 bytes. */
class CacheFixture {
  readonly kept = new LruCache<Listed>(({ ordinals }) => ordinals.byteLength)

  /** Whether the result was computed and not cached. */
  isMade(owner: object, key: string, selection: Listed = listed(10)): boolean {
    let made = false
    const found = this.kept.findOrKeep(owner, 1_000, key, () => {
      made = true
      return selection
    })
    if (made && found !== selection) throw new Error('a computed result is returned')
    return made
  }
}

test('a result is computed once for its key and owner', async (t) => {
  const fixture = new CacheFixture()
  const [owner, other] = [{}, {}]
  t.ok(fixture.isMade(owner, 'a'))
  t.notOk(fixture.isMade(owner, 'a'))
  t.ok(fixture.isMade(owner, 'b'))
  t.ok(fixture.isMade(other, 'a'))
  t.notOk(fixture.isMade(owner, 'a'))
})

test('the least recently used result is evicted first', async (t) => {
  const fixture = new CacheFixture()
  const owner = {}
  // Each takes more than a third of the share.
  t.ok(fixture.isMade(owner, 'a', listed(1_300)))
  t.ok(fixture.isMade(owner, 'b', listed(1_300)))
  t.notOk(fixture.isMade(owner, 'a'))
  t.ok(fixture.isMade(owner, 'c', listed(1_300)), 'which evicts b')
  t.notOk(fixture.isMade(owner, 'a'))
  t.notOk(fixture.isMade(owner, 'c'))
  t.ok(fixture.isMade(owner, 'b'))
})

test('a result found elsewhere is stored like a computed one', async (t) => {
  const kept = new LruCache<Listed>(({ ordinals }) => ordinals.byteLength)
  const owner = {}
  t.equal(kept.find(owner, 'a'), undefined)
  const first = listed(1_300)
  kept.keep(owner, 1_000, 'a', first)
  kept.keep(owner, 1_000, 'a', listed(10))
  t.equal(kept.find(owner, 'a'), first, 'the first of two')
  kept.keep(owner, 1_000, 'b', listed(1_300))
  t.equal(kept.find(owner, 'a'), first, 'which makes it the newest')
  kept.keep(owner, 1_000, 'c', listed(1_300))
  t.equal(kept.find(owner, 'b'), undefined)
  t.equal(kept.find(owner, 'a'), first)
})

test('a result larger than the whole share is not stored, and evicts nothing', async (t) => {
  const fixture = new CacheFixture()
  const owner = {}
  t.ok(fixture.isMade(owner, 'a', listed(100)))
  t.ok(fixture.isMade(owner, 'b', listed(5_000)))
  t.ok(fixture.isMade(owner, 'b', listed(5_000)))
  t.notOk(fixture.isMade(owner, 'a'))
})

test('a replacement takes the place and the room of the old result', async (t) => {
  const kept = new LruCache<Listed>(({ ordinals }) => ordinals.byteLength)
  const owner = {}
  kept.replace(owner, 1_000, 'a', listed(1_300))
  kept.keep(owner, 1_000, 'b', listed(1_300))
  for (let i = 0; i < 5; i++) {
    const next = listed(1_300)
    kept.replace(owner, 1_000, 'a', next)
    t.equal(kept.find(owner, 'a'), next)
  }
  t.ok(kept.has(owner, 'b'), 'which would have been evicted if the old ones counted')
  kept.replace(owner, 1_000, 'a', listed(5_000))
  t.notOk(kept.has(owner, 'a'), 'a too large one is not stored, nor is the one that it replaces')
})
