import { isDeepStrictEqual } from 'node:util'
import { test } from 'tap'
import {
  articleWord,
  customerName,
  fillShop,
  NAME_COUNT,
  WORD_COUNT,
} from '../../bench/shop-rows.js'
import type { TransactionRow } from '../../src/store/columns.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'

const ROWS = 3_000

async function rowsOf(path: string, seed: number): Promise<TransactionRow[]> {
  const file = WorkspaceFile.open(path)
  await fillShop(file, { transactions: ROWS, seed })
  const rows = [...file.transactionsNewestFirst()]
  file.close()
  return rows
}

test('no two customers have the same name, no two words are spelled the same', async (t) => {
  const distinct = (count: number, textOf: (rank: number) => string): number =>
    new Set(Array.from({ length: count }, (_, rank) => textOf(rank))).size
  t.equal(distinct(NAME_COUNT, customerName), NAME_COUNT)
  t.equal(distinct(WORD_COUNT, articleWord), WORD_COUNT)
})

test('each booking has a reference and an order number; names follow Zipf', async (t) => {
  const folder = t.testdir()
  const rows = await rowsOf(`${folder}/a.db`, 7)
  t.equal(new Set(rows.map(({ endToEndReference }) => endToEndReference)).size, ROWS)
  t.equal(new Set(rows.map(({ purpose }) => /\d{8}/.exec(purpose ?? '')?.[0])).size, ROWS)
  const names = new Map<string | null, number>()
  for (const { counterpartName } of rows) {
    names.set(counterpartName, (names.get(counterpartName) ?? 0) + 1)
  }
  // The first name has one in ln(300,001), which is 12.6; a half of the rows are of 550 names.
  const first = names.get(customerName(0)) ?? 0
  t.ok(first > ROWS / 12.6 / 2 && first < (ROWS / 12.6) * 2, `${first} rows`)
  t.ok(names.size > ROWS / 3, `${names.size} names`)
})

test('equal seeds give equal rows, others do not', async (t) => {
  const folder = t.testdir()
  const rows = await rowsOf(`${folder}/a.db`, 7)
  // The comparisons of tap take minutes for so many rows.
  t.ok(isDeepStrictEqual(await rowsOf(`${folder}/b.db`, 7), rows))
  t.notOk(isDeepStrictEqual(await rowsOf(`${folder}/c.db`, 8), rows))
})
