import { test } from 'tap'
import type { Ordinal } from '../../src/ordinals/ordinal.js'
import { BodyBuffer } from '../../src/wire/body-buffer.js'
import { changesJson } from '../../src/wire/changes-json.js'
import { naiveTransaction } from '../fixtures/naive.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { inRowMemory, segmentOf } from '../fixtures/snapshots.js'

test('changes are rendered in order, with cursor and hasMore', async (t) => {
  const buffer = new BodyBuffer()
  const plain = segmentOf(SAMPLE)
  for (const segment of [plain, inRowMemory(plain)]) {
    const first = { segment, ordinal: 0 as Ordinal }
    const last = { segment, ordinal: 301 as Ordinal }
    const sent = [first, { deletedId: 4711 }, last]
    const end = { cursor: 'c', hasMore: true }
    const page = JSON.parse(Buffer.from(changesJson(buffer, sent, new Map(), end)).toString())
    const transactions = [SAMPLE.transactions[301], SAMPLE.transactions[0]].map((row) => {
      if (row === undefined) throw new Error('the sample has 302 rows')
      return naiveTransaction(row, SAMPLE)
    })
    t.same(page, {
      changes: [
        { kind: 'upsert', transaction: transactions[0] },
        { kind: 'delete', id: 4711 },
        { kind: 'upsert', transaction: transactions[1] },
      ],
      ...end,
    })
  }
  const none = changesJson(buffer, [], new Map(), { cursor: 'd', hasMore: false })
  t.equal(Buffer.from(none).toString(), '{"changes":[],"cursor":"d","hasMore":false}')
})

test('a renamed account is shown with its new name', async (t) => {
  const segment = segmentOf(SAMPLE)
  const accounts = segment.fragments.accounts.map(() => '{"name":"neu"}')
  const stale = new Map([[segment, { accounts, categories: [] }]])
  const sent = [{ segment, ordinal: 5 as Ordinal }]
  const body = changesJson(new BodyBuffer(), sent, stale, { cursor: 'c', hasMore: false })
  const page = JSON.parse(Buffer.from(body).toString())
  t.same(page.changes[0].transaction.account, { name: 'neu' })
})
