import { test } from 'tap'
import type { DashboardPage } from '../../src/dashboard/page.js'
import { findPage, PAGES } from '../../src/dashboard/routes.js'

function page(path: string): DashboardPage {
  return { path, show: () => ({ goTo: path }) }
}

test('a path determines one page and its parameters', async (t) => {
  const pages = [page('/dashboard'), page('/dashboard/a/new'), page('/dashboard/a/:id/:part')]
  const found = (path: string): unknown => {
    const { page, named } = findPage(path, pages) ?? {}
    return page && [page.path, named]
  }
  t.same(found('/dashboard'), ['/dashboard', {}])
  t.same(found('/dashboard/a/new'), ['/dashboard/a/new', {}])
  t.same(found('/dashboard/a/1%20b/c'), ['/dashboard/a/:id/:part', { id: '1 b', part: 'c' }])
  for (const path of ['/dashboard/', '/dashboard/a/', '/dashboard/a/%zz/c', '/dashboard/a//c']) {
    t.equal(found(path), undefined, path)
  }
})

test('no two pages share a path', async (t) => {
  const shapes = PAGES.map(({ path }) => path.replaceAll(/:\w+/g, ':'))
  t.equal(new Set(shapes).size, shapes.length)
  for (const shape of shapes) t.match(shape, /^\/(dashboard|docs)/)
})
