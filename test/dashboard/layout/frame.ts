import { test } from 'tap'
import { overOneDashboard } from '../../fixtures/dashboard-fixture.js'
import { wordsOf } from '../../fixtures/page-visitor.js'

test(
  'a page shows its section, the signed-in operator, and a skip link',
  overOneDashboard(async (t, fixture) => {
    const page = await fixture.page('/dashboard/workspaces')
    t.match(page.text, /^<!doctype html><html lang="en"><head><meta charset="utf-8"/)
    t.match(page.text, '<title>Workspaces · kontor</title>')
    t.match(page.text, /<body[^>]*>\s*<a class="skip" href="#content">/)
    t.match(page.text, '<main id="content"')
    t.equal(page.text.match(/<h1>/g)?.length, 1)
    const current = page.text.match(/<a [^>]*aria-current="page"[^>]*>/g) ?? []
    t.equal(current.length, 2, 'in the sidebar, and in the menu of a phone')
    for (const link of current) t.match(link, 'href="/dashboard/workspaces"')
    t.match(wordsOf(page), 'ada')
    t.notMatch((await fixture.page('/dashboard/session')).text, /aria-current/)
  }),
)
