import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { FoundFile } from '../../src/inbox/found-files.js'
import { AGED_MS, StabilityCheck } from '../../src/inbox/stability.js'

function found(name: string, stamp: string, changedAtMs: number, bytes = 1): FoundFile {
  return { raw: Buffer.from(name), name, bytes, stamp, writtenAtMs: changedAtMs, changedAtMs }
}

test('a file is stable when two scans that far apart find it unchanged', async (t) => {
  let ticks = 0
  const check = new StabilityCheck({ settleMs: 10, clock: () => 0, ticks: () => ticks })
  const names = (...files: FoundFile[]): string[] =>
    check.stableFiles(files).map(({ name }) => name)
  const a = found('a', '1', 0)
  t.same(names(a), [])
  ticks = 9
  t.same(names(a), [])
  ticks = 10
  t.same(names(a), ['a'])
  t.same(names(found('a', '2', 0)), [], 'it was written')
  ticks = 20
  t.same(names(), [])
  t.same(names(found('a', '2', 0)), [], 'it was missing in between')
})

test('a file with a time in the future is not old', async (t) => {
  const check = new StabilityCheck({ settleMs: 10, clock: () => AGED_MS, ticks: () => 0 })
  const files = [found('new', '1', 1), found('old', '1', 0), found('late', '1', 1e13)]
  t.same(
    check.stableFiles(files).map(({ name }) => name),
    ['old'],
  )
})

/** The definition, applied to the whole history of scans. */
function naiveStable(
  scans: readonly { readonly ticks: number; readonly stamps: ReadonlyMap<string, string> }[],
  settleMs: number,
): string[] {
  const last = scans.at(-1)
  if (last === undefined) return []
  return [...last.stamps].flatMap(([name, stamp]) => {
    let first = last.ticks
    for (const { stamps, ticks } of scans.toReversed()) {
      if (stamps.get(name) !== stamp) break
      first = ticks
    }
    return last.ticks - first >= settleMs ? [name] : []
  })
}

test('stable files follow from the history of scans', async () => {
  const scans = fc.array(
    fc.record({
      pauseMs: fc.nat(12),
      files: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2')),
    }),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(scans, (history) => {
      let ticks = 0
      const check = new StabilityCheck({ settleMs: 10, clock: () => 0, ticks: () => ticks })
      const seen: { ticks: number; stamps: Map<string, string> }[] = []
      for (const { pauseMs, files } of history) {
        ticks += pauseMs
        const stamps = new Map(Object.entries(files))
        seen.push({ ticks, stamps })
        const all = Array.from(stamps, ([name, stamp]) => found(name, stamp, 0))
        const stable = check.stableFiles(all).map(({ name }) => name)
        assert.deepEqual(stable, naiveStable(seen, 10))
      }
    }),
  )
})
