import { strict as assert } from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'tap'
import { textIndexBytes } from '../../src/free-text/text-index.js'
import { VisibleTexts } from '../../src/query/visible-texts.js'
import type { LiveSegment } from '../../src/snapshot/snapshot.js'
import { type PartTask, type VisiblePart, visiblePart } from '../../src/snapshot/visible-rows.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../fixtures/snapshots.js'

const ACCOUNTS = 4

/** Four accounts with equally many rows, each with its own words. */
const SNAPSHOT = indexedSnapshotOf({
  ...SAMPLE,
  accounts: Array.from({ length: ACCOUNTS }, (_, i) => {
    const [account] = SAMPLE.accounts
    assert(account !== undefined)
    return { ...account, id: i + 1, iban: null }
  }),
  transactions: Array.from({ length: 800 }, (_, i) =>
    transactionRow(i + 1, (i % ACCOUNTS) + 1, { purpose: `Wort${i} von Konto${i % ACCOUNTS}` }),
  ),
})

function onlyLive(): LiveSegment & { readonly text: object } {
  const [live] = SNAPSHOT.segments
  assert(live?.text !== undefined && SNAPSHOT.segments.length === 1)
  return { ...live, text: live.text }
}

const { text } = onlyLive()

/** Builds parts on this thread, and records their accounts. */
class PartMaker {
  readonly asked: string[] = []

  readonly make = async (task: PartTask): Promise<VisiblePart> => {
    this.asked.push(task.accountCodes.join())
    return visiblePart(structuredClone(task))
  }
}

test('a part is built once, for the requested accounts', async (t) => {
  const texts = new VisibleTexts(1)
  const { asked, make } = new PartMaker()
  t.equal(texts.find(text, [0]), undefined)
  texts.prepare(SNAPSHOT, [0], make)
  texts.prepare(SNAPSHOT, [1], make)
  t.same(asked, ['0'], 'one at a time')
  t.equal(texts.find(text, [0]), undefined, 'not yet')
  await nextTurn()
  texts.prepare(SNAPSHOT, [0], make)
  texts.prepare(SNAPSHOT, [1], make)
  await nextTurn()
  t.same(asked, ['0', '1'])
  t.equal(texts.find(text, [0])?.rows.length, 200)
  t.notSame(texts.find(text, [0])?.rows, texts.find(text, [1])?.rows)
  t.equal(texts.find(text, [0, 1]), undefined, 'both accounts together have another part')
})

test('few rows, no rows and all rows have no part', async (t) => {
  const { asked, make } = new PartMaker()
  new VisibleTexts(201).prepare(SNAPSHOT, [0], make)
  new VisibleTexts().prepare(SNAPSHOT, [0, 1], make)
  const texts = new VisibleTexts(1)
  texts.prepare(SNAPSHOT, [0, 1, 2, 3], make)
  texts.prepare(SNAPSHOT, [], make)
  const [live] = SNAPSHOT.segments
  assert(live !== undefined)
  texts.prepare({ segments: [{ ...live, text: undefined }] }, [0], make)
  t.same(asked, [])
})

test('parts take no more memory than the index, and used ones stay', async (t) => {
  const texts = new VisibleTexts(1)
  const { asked, make } = new PartMaker()
  const sets = [[0, 1, 2], [1, 2, 3], [0, 2, 3], [0, 1, 3], [0], [1]]
  const bytesMax = textIndexBytes(SNAPSHOT.segments[0]!.text!)
  for (let round = 0; round < 50; round++) {
    for (const codes of sets) {
      texts.prepare(SNAPSHOT, codes, make)
      await nextTurn()
      texts.find(text, codes)
    }
  }
  const kept = sets.flatMap((codes) => texts.find(text, codes) ?? [])
  t.ok(kept.length > 0 && kept.length < sets.length, `${kept.length} of ${sets.length}`)
  const rowBytes = kept.reduce((sum, part) => sum + textIndexBytes(part.text), 0)
  t.ok(rowBytes <= bytesMax, `${rowBytes} of ${bytesMax} bytes`)
  // Parts that do not fit are retried every two hundred searches, not each time.
  t.ok(asked.length <= sets.length + sets.length * 2, `${asked.length} parts were made`)
  for (let i = 0; i < 300; i++) texts.find(text, [0])
  const late = [1, 3]
  for (let i = 0; i < 3; i++) {
    texts.prepare(SNAPSHOT, late, make)
    await nextTurn()
    texts.find(text, late)
  }
  t.ok(texts.find(text, late), 'unused parts are evicted')
})

test('a part that cannot be built is skipped', async (t) => {
  const texts = new VisibleTexts(1)
  let count = 0
  const failing = (): Promise<never> => {
    count += 1
    return Promise.reject(new Error('no memory'))
  }
  for (let i = 0; i < 50; i++) {
    texts.prepare(SNAPSHOT, [0], failing)
    await nextTurn()
    t.equal(texts.find(text, [0]), undefined)
  }
  t.equal(count, 1, 'and not retried at once')
})
