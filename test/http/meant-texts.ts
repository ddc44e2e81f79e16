import { test } from 'tap'
import { meantTexts } from '../../src/http/meant-texts.js'
import type { ServerParts } from '../../src/http/service-state.js'
import { accountRow, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../fixtures/snapshots.js'
import { ToolFixture } from '../fixtures/tool-fixture.js'

const SNAPSHOT = indexedSnapshotOf({
  accounts: [accountRow(1, { name: 'Stadtkonto' }), accountRow(2, { name: 'Giro' })],
  categories: [],
  transactions: [
    transactionRow(1, 1, { counterpartName: 'Stadtwerke' }),
    transactionRow(2, 2, { counterpartName: 'Stadtpark' }),
  ],
})

async function meant(
  query: string,
  accountIds: readonly number[] | null = null,
  parts: Partial<ServerParts> = {},
): Promise<string[]> {
  const fixture = new ToolFixture(SNAPSHOT, { accountIds }, { parts })
  const access = await fixture.fixture.parts.credentials.forRest('', { remoteAddress: '127.0.0.1' })
  if (access === undefined) throw new Error('every token has an access')
  const { signal } = new AbortController()
  const found = await meantTexts({ service: fixture.fixture, access, signal }, query, 5)
  return found.map(({ text }) => text)
}

test('the texts that may be meant are those that a search within the access finds', async (t) => {
  t.same(await meant('stadt'), ['Stadtpark', 'Stadtwerke'])
  t.same(await meant('stadtwrke'), ['Stadtwerke'])
  t.same(await meant('stadt', [1]), ['Stadtwerke'])
  t.same(await meant('stadtkonto'), [], 'no account')
})

test('there are none for a text without suggestions, or while they are made', async (t) => {
  for (const query of ['4711', '', 'x'.repeat(65), 'a\nb', '\ud800']) {
    t.same(await meant(query), [], JSON.stringify(query))
  }
  const suggest: ServerParts['suggest'] = () => new Promise(() => undefined)
  t.same(await meant('stadt', null, { suggest }), [])
  const fails: ServerParts['suggest'] = () => Promise.reject(new Error('a bug'))
  await t.rejects(meant('stadt', null, { suggest: fails }), { message: 'a bug' })
})
