import { join } from 'node:path'
import { test } from 'tap'
import { dayNumberOf, dayOf, isBankingDay, midnightOf } from '../../src/demo/calendar.js'
import { type Posting, postingOf } from '../../src/demo/draft.js'
import { fileUnderCategory, insertCategories, stampImport } from '../../src/demo/filing.js'
import { randomOf } from '../../src/demo/random.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { FRIDAY } from '../fixtures/demo-company.js'

function posting(category: string | null): Posting {
  const booking = { accountId: 1, currency: 'EUR', cents: 1, dayNumber: FRIDAY.number }
  return postingOf({ ...booking, category, purpose: null, type: 'X' })
}

test('a booking has a detailed category, a broad one or none', async (t) => {
  const file = WorkspaceFile.open(join(t.testdir(), 'demo.db'))
  t.teardown(() => file.close())
  const places = insertCategories(file, [{ name: 'Räume', details: ['Miete', 'Strom'] }])
  t.same(
    file.categories().map(({ name, parentId }) => [name, parentId]),
    [
      ['Räume', null],
      ['Miete', 1],
      ['Strom', 1],
    ],
  )
  const random = randomOf(1)
  const states = new Map<string, number>()
  for (let i = 0; i < 2_000; i++) {
    const { row, ...rest } = posting('Strom')
    fileUnderCategory({ row, ...rest }, places, random)
    const state = `${row.categoryId} ${row.parentCategoryId}`
    states.set(state, (states.get(state) ?? 0) + 1)
  }
  t.same([...states.keys()].sort(), ['1 null', '3 1', 'null null'])
  t.ok((states.get('3 1') ?? 0) > 1_500)
  const broad = posting('Räume')
  while (broad.row.categoryId === null) fileUnderCategory(broad, places, random)
  t.same([broad.row.categoryId, broad.row.parentCategoryId], [1, null])
  const none = posting(null)
  fileUnderCategory(none, places, random)
  t.equal(none.row.categoryId, null)
  t.throws(() => {
    for (let i = 0; i < 100; i++) fileUnderCategory(posting('Unsinn'), places, random)
  }, 'a name that is not in the tree is a bug')
})

test('imports run on the next morning, once per account and day', async (t) => {
  const random = randomOf(2)
  const endsAt = midnightOf(FRIDAY.number + 10)
  const rows = Array.from({ length: 2_000 }, () => {
    const { row } = posting(null)
    stampImport(row, FRIDAY.number, { random, primanota: true, endsAt })
    return row
  })
  t.equal(new Set(rows.map(({ importedAt }) => importedAt)).size, 1)
  for (const row of rows) {
    t.equal(dayNumberOf(row.importedAt), FRIDAY.number + 1)
    t.equal(row.createdAt, row.importedAt)
    t.ok(row.updatedAt >= row.createdAt && row.updatedAt < endsAt)
    t.ok(isBankingDay(dayOf(dayNumberOf(row.valuedAt ?? 0))))
  }
  const share = (count: number): number => count / rows.length
  const valued = rows.filter(({ valuedAt, bookedAt }) => valuedAt !== bookedAt).length
  t.ok(share(valued) > 0.05 && share(valued) < 0.12)
  const noted = rows.filter(({ primanota }) => primanota !== null)
  t.ok(share(noted.length) > 0.15 && share(noted.length) < 0.25)
  for (const { primanota } of noted) t.match(primanota, /^9[23]\d\d$/)
  t.ok(rows.some(({ updatedAt, createdAt }) => updatedAt > createdAt))
})
