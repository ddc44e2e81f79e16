// The contract's pages, and those of its extensions, name the program's operations, parameters,
// errors and fields.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'tap'
import { ERROR_STATUS } from '../src/errors.js'
import { OPERATIONS } from '../src/http/operations/table.js'
import { resourceSchemas } from '../src/openapi/schemas.js'

const root = resolve(import.meta.dirname, '../..')

function page(name: string): string {
  return readFileSync(resolve(root, 'docs', name), 'utf8')
}

/** Cells of the table rows of a page, without code marks. */
function rowsOf(name: string): string[][] {
  return page(name)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.replaceAll('`', '').trim()))
}

test('the table of operations has each operation, its path and its scope', async (t) => {
  const extensions = ['sums', 'suggestions', 'changes'].map((name) => `extensions/${name}.md`)
  const rows = ['contract.md', 'extensions.md', ...extensions].flatMap(rowsOf)
  const listed = rows.filter(([, path]) => path?.startsWith('/'))
  const there = OPERATIONS.map(({ id, path, scope }) => [
    id,
    path.replace('/v1/{workspaceId}', ''),
    scope ?? 'any valid credential',
  ])
  t.same(listed.sort(), there.sort())
})

test('every parameter is in a table of the contract or of the extensions', async (t) => {
  const pages = ['contract.md', 'contract/lists.md', 'contract/match.md']
  const extensions = ['filters', 'cursors', 'sums', 'suggestions', 'changes']
  const names = extensions.map((name) => `extensions/${name}.md`)
  const named = [...pages, ...names].flatMap(rowsOf).map(([cells]) => cells ?? '')
  const pathNamed = rowsOf('contract.md').map(([name]) => name)
  for (const { id, queryParameters, pathParameters } of OPERATIONS) {
    for (const { name } of pathParameters) t.ok(pathNamed.includes(name), `${id}: ${name}`)
    for (const { name } of queryParameters) {
      t.ok(
        named.some((cell) => cell.split(', ').includes(name)),
        `${id}: ${name}`,
      )
    }
  }
})

test('every error code is in a table, with its status', async (t) => {
  const rows = [...rowsOf('contract/resources.md'), ...rowsOf('extensions.md')]
  const listed = rows
    .flatMap(([a = '', b = '']) => [`${a} ${b}`, `${b} ${a}`])
    .filter((row) => /^\w+ [345]\d\d$/.test(row) && /^[a-z]/.test(row))
  const there = Object.entries(ERROR_STATUS).map(([code, status]) => `${code} ${status}`)
  t.same(listed.sort(), there.sort())
})

test('every field of a resource is documented', async (t) => {
  const contract = ['contract/resources.md', 'contract/match.md']
  const extensions = ['sums', 'batch-match', 'suggestions', 'changes']
  const names = extensions.map((name) => `extensions/${name}.md`)
  const text = [...contract, ...names].map(page).join('')
  for (const [name, schema] of Object.entries(resourceSchemas())) {
    const { properties } = schema as { readonly properties?: object }
    for (const field of Object.keys(properties ?? {})) {
      t.match(text, new RegExp(`[\`" ]${field}[\`" ,:]`), `${name}.${field}`)
    }
  }
})
