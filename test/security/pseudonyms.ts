// Regression: the key of pseudonyms could be computed from an unprotected ETag, so that a list of
// names resolved them all.
import { createHmac } from 'node:crypto'
import { test } from 'tap'
import { nodeTags } from '../../src/http/state-tags.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../fixtures/snapshots.js'
import { ToolFixture } from '../fixtures/tool-fixture.js'

const NAMES = ['Erika Mustermann', 'Stadtwerke Nordfeld', 'Bäckerei Ofen']
const ROWS = {
  ...SAMPLE,
  transactions: NAMES.map((counterpartName, i) => transactionRow(i + 1, 1, { counterpartName })),
}

test('no pseudonym can be computed from public answers of the service', async (t) => {
  const startTag = 'wgFHop5S'
  const fixture = (): ToolFixture =>
    new ToolFixture(
      indexedSnapshotOf(ROWS),
      { masksNames: true },
      { parts: { tags: nodeTags(() => startTag) } },
    )
  const logged = async (): Promise<string[]> => {
    const { items } = await fixture().reply('get_transactions', {})
    return items.map(({ counterpartName }) => String(counterpartName))
  }
  const [first, second] = [await logged(), await logged()]
  for (const key of [startTag, 'start', '']) {
    const guesses = NAMES.map((name) =>
      createHmac('sha256', key).update(name.toLowerCase()).digest('hex').slice(0, 10),
    )
    for (const guess of guesses) t.notOk(first.some((pseudonym) => pseudonym.includes(guess)))
  }
  const pseudonyms = first.filter((name) => name.startsWith('Counterpart '))
  t.equal(pseudonyms.length, NAMES.length)
  t.notOk(
    pseudonyms.some((pseudonym) => second.includes(pseudonym)),
    'and with the same tag another process has different ones',
  )
})
