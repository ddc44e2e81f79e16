import { test } from 'tap'
import { SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../../fixtures/snapshots.js'
import { ToolFixture } from '../../fixtures/tool-fixture.js'

const ROWS = {
  ...SAMPLE,
  transactions: [
    transactionRow(1, 1, { counterpartName: 'Tannweiler Holz', purpose: 'Versicherung' }),
    transactionRow(2, 2, { counterpartName: 'Stadtwerke', categoryId: 2 }),
  ],
}

async function meant(
  search: string,
  integration: ConstructorParameters<typeof ToolFixture>[1] = {},
): Promise<readonly string[] | undefined> {
  const fixture = new ToolFixture(indexedSnapshotOf(ROWS), integration)
  return (await fixture.reply('get_transactions', { search })).didYouMean
}

test('a search without a hit is answered with the texts that may be meant', async (t) => {
  t.same(await meant('tannwieler'), ['Tannweiler Holz'])
  t.same(await meant('versichrung'), ['Versicherung'])
  t.same(await meant('telefn'), ['Telefon'])
  t.equal(await meant('xqzjk'), undefined, 'nothing is near')
  t.equal(await meant('tannweiler'), undefined, 'a hit needs none')
  const grouped = await new ToolFixture(indexedSnapshotOf(ROWS)).reply('get_transactions', {
    ...{ search: 'tannwieler', groupBy: 'month' },
  })
  t.same(grouped.didYouMean, ['Tannweiler Holz'])
})

test('texts that may be meant are those of visible accounts, and names are masked', async (t) => {
  t.equal(await meant('tannwieler', { accountIds: [2] }), undefined)
  t.same(await meant('stadtwrke', { accountIds: [2] }), ['Stadtwerke'])
  const masked = new ToolFixture(indexedSnapshotOf(ROWS), { masksNames: true })
  const { didYouMean = [] } = await masked.reply('get_transactions', { search: 'tannwieler' })
  t.match(didYouMean[0], /^Counterpart [0-9a-f]{10}$/)
  t.equal(didYouMean.length, 1)
  const found = await masked.reply('get_transactions', { search: String(didYouMean[0]) })
  t.equal(found.totalCount, 1, 'the pseudonym finds what the name would')
  t.equal(await meant('versichrung', { masksNames: true }), undefined, 'a word may be of a name')
  t.same(await meant('telefn', { masksNames: true }), ['Telefon'])
})
