import { join } from 'node:path'
import { test } from 'tap'
import {
  ACCOUNT_COLUMNS,
  assignmentList,
  CATEGORY_COLUMNS,
  insertByPosition,
  insertStatement,
  selectList,
  TRANSACTION_COLUMNS,
} from '../../src/store/columns.js'
import { openDatabase } from '../../src/store/sqlite/database.js'
import { WORKSPACE_MIGRATIONS } from '../../src/store/sqlite/workspace-schema.js'
import { accountRow, transactionRow } from '../fixtures/sample-workspace.js'

test('the tables have exactly the columns in the code', async (t) => {
  const connection = openDatabase(join(t.testdir(), 'a.db'), WORKSPACE_MIGRATIONS)
  const tables = {
    accounts: ACCOUNT_COLUMNS,
    categories: CATEGORY_COLUMNS,
    transactions: TRANSACTION_COLUMNS,
  }
  for (const [table, columns] of Object.entries(tables)) {
    const info = connection.pragma(`table_info(${table})`) as { name: string }[]
    const names = info.map(({ name }) => name).filter((name) => name !== 'identity')
    t.same(columns.map(([, column]) => column).toSorted(), names.toSorted(), table)
  }
  connection.close()
})

test('a row has exactly the named properties', async (t) => {
  const properties = (columns: readonly (readonly [string, string])[]): string[] =>
    columns.map(([property]) => property).toSorted()
  t.same(properties(ACCOUNT_COLUMNS), Object.keys(accountRow(1)).toSorted())
  t.same(properties(TRANSACTION_COLUMNS), Object.keys(transactionRow(1, 1)).toSorted())
})

test('columns and properties are in the same order', async (t) => {
  t.equal(selectList(CATEGORY_COLUMNS), 'id AS id, name AS name, parent_id AS parentId')
  t.equal(
    insertStatement('categories', CATEGORY_COLUMNS),
    'INSERT INTO categories (id, name, parent_id) VALUES (@id, @name, @parentId)',
  )
  t.equal(
    insertByPosition('categories', CATEGORY_COLUMNS, ['more']),
    'INSERT INTO categories (id, name, parent_id, more) VALUES (?, ?, ?, ?)',
  )
  t.equal(assignmentList(CATEGORY_COLUMNS), 'name = @name, parent_id = @parentId')
})
