import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { FoundFile } from '../../src/inbox/found-files.js'
import { AGED_MS, Sightings } from '../../src/inbox/rest.js'

function found(name: string, stamp: string, changedAtMs: number, bytes = 1): FoundFile {
  return { raw: Buffer.from(name), name, bytes, stamp, writtenAtMs: changedAtMs, changedAtMs }
}

test('a file rests when two looks that far apart see the same', async (t) => {
  let ticks = 0
  const sightings = new Sightings({ settleMs: 10, clock: () => 0, ticks: () => ticks })
  const names = (...files: FoundFile[]): string[] =>
    sightings.resting(files).map(({ name }) => name)
  const a = found('a', '1', 0)
  t.same(names(a), [])
  ticks = 9
  t.same(names(a), [])
  ticks = 10
  t.same(names(a), ['a'])
  t.same(names(found('a', '2', 0)), [], 'it was written')
  ticks = 20
  t.same(names(), [])
  t.same(names(found('a', '2', 0)), [], 'it was away')
})

test('a file with a time in the future is no old file', async (t) => {
  const sightings = new Sightings({ settleMs: 10, clock: () => AGED_MS, ticks: () => 0 })
  const files = [found('new', '1', 1), found('old', '1', 0), found('late', '1', 1e13)]
  t.same(
    sightings.resting(files).map(({ name }) => name),
    ['old'],
  )
})

/** The definition, over the whole history of looks: no state but the history. */
function naiveResting(
  looks: readonly { readonly ticks: number; readonly stamps: ReadonlyMap<string, string> }[],
  settleMs: number,
): string[] {
  const last = looks.at(-1)
  if (last === undefined) return []
  return [...last.stamps].flatMap(([name, stamp]) => {
    let first = last.ticks
    for (const look of looks.toReversed()) {
      if (look.stamps.get(name) !== stamp) break
      first = look.ticks
    }
    return last.ticks - first >= settleMs ? [name] : []
  })
}

test('what rests is what the history of looks says', async () => {
  const looks = fc.array(
    fc.record({
      pauseMs: fc.nat(12),
      files: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2')),
    }),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(looks, (history) => {
      let ticks = 0
      const sightings = new Sightings({ settleMs: 10, clock: () => 0, ticks: () => ticks })
      const seen: { ticks: number; stamps: Map<string, string> }[] = []
      for (const { pauseMs, files } of history) {
        ticks += pauseMs
        const stamps = new Map(Object.entries(files))
        seen.push({ ticks, stamps })
        const all = Array.from(stamps, ([name, stamp]) => found(name, stamp, 0))
        const resting = sightings.resting(all).map(({ name }) => name)
        assert.deepEqual(resting, naiveResting(seen, 10))
      }
    }),
  )
})
