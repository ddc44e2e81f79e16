import { test } from 'tap'
import { SECTIONS, sectionOf } from '../../../src/dashboard/layout/sections.js'
import { findPage } from '../../../src/dashboard/routes.js'

test('every section is a page, and the pages below it belong to it', async (t) => {
  for (const { path } of SECTIONS) {
    // The API reference is a public page, outside the dashboard.
    if (path !== '/docs') t.equal(findPage(path)?.page.path, path)
    t.equal(sectionOf(path)?.path, path)
  }
  t.equal(sectionOf('/dashboard/workspaces/w')?.path, '/dashboard/workspaces')
  t.equal(sectionOf('/dashboard/workspaces/w/keys/1')?.path, '/dashboard/keys')
  t.equal(sectionOf('/dashboard/workspaces/w/integrations')?.path, '/dashboard/integrations')
  t.equal(sectionOf('/dashboard/workspacesx'), undefined)
  t.equal(sectionOf('/dashboard/session'), undefined, 'the overview has no pages below it')
})
