import { test } from 'tap'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../../fixtures/snapshots.js'
import { ToolFixture } from '../../fixtures/tool-fixture.js'

const fixture = new ToolFixture(indexedSnapshotOf(SAMPLE))

async function hintOf(input: Readonly<Record<string, unknown>>): Promise<string> {
  return (await fixture.reply('get_transactions', { limit: 0, ...input })).hint ?? ''
}

test('an unknown category is answered with the names that resemble it', async (t) => {
  for (const argument of ['category', 'parentCategory']) {
    const hint = await hintOf({ [argument]: 'telefone' })
    t.equal(
      hint,
      `No category has the ${argument} name or id "telefone"; names that resemble it: "Telefon".`,
    )
  }
  const all = 'broad categories (parentCategory): "Büro"; finer ones: "Telefon", "4711".'
  t.equal(
    await hintOf({ category: 'office' }),
    `No category has the category name or id "office"; ${all}`,
    'a word of another language resembles no name',
  )
  t.equal(await hintOf({ category: 'Telefon' }), '')
  t.equal(await hintOf({ category: '4711' }), '', 'an id or a name of digits is known')
  t.equal(await hintOf({ category: 2 }), '')
})

test('of many categories the broad ones are listed first', async (t) => {
  const broad = Array.from({ length: 90 }, (_, i) => ({
    id: i + 1,
    name: `Broad${i}`,
    parentId: null,
  }))
  const finer = broad.map(({ id }) => ({ id: id + 90, name: `Finer${id + 100}`, parentId: id }))
  const hint = async (categories: typeof SAMPLE.categories): Promise<string> => {
    const rows = { ...SAMPLE, categories, transactions: [] }
    const many = new ToolFixture(indexedSnapshotOf(rows))
    return (await many.reply('get_transactions', { category: 'travel' })).hint ?? ''
  }
  const listed = await hint([...broad, ...finer])
  t.match(listed, /: "Broad0", .*, "Broad89"; finer ones: "Finer101", .*; \d+ more/)
  const shown = listed.match(/"(Broad|Finer)\d+"/g) ?? []
  t.match(listed, `; ${180 - shown.length} more, which groupBy: "category" shows.`)
  t.match(await hint([]), /; the workspace has no categories\.$/)
  t.notMatch(await hint(broad), /finer|more/)
})

test('a broad category names its children, with their sums', async (t) => {
  const whole = await fixture.reply('get_transactions', { parentCategory: 'Büro', limit: 0 })
  const net = String(whole.sums[0]?.['net'])
  const expected =
    '"Büro" is a broad category; as category it selects only transactions without a finer one. ' +
    `Send it as parentCategory to include "Telefon", "4711": ${whole.totalCount} transactions, ` +
    `net EUR ${net}.`
  t.equal(await hintOf({ category: 'Büro' }), expected)
  t.equal(await hintOf({ category: 'Büro', offset: 50 }), expected)
  t.equal(await hintOf({ parentCategory: 'Büro' }), '')
  t.equal(await hintOf({ category: 'Büro', parentCategory: 'Büro' }), '')
  const none = await hintOf({ category: 'Büro', bookedAfter: '2090-01-01' })
  t.match(none, /: 0 transactions, net 0\.$/)
})

test('the sums of children are those that the credential may see', async (t) => {
  const restricted = new ToolFixture(indexedSnapshotOf(SAMPLE), { accountIds: [2] })
  const { hint } = await restricted.reply('get_transactions', { category: 'Büro' })
  t.match(hint, /: 0 transactions, net 0\.$/)
})
