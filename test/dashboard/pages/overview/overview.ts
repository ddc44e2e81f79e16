import { writeFileSync } from 'node:fs'
import { test } from 'tap'
import type { DashboardContext } from '../../../../src/dashboard/dashboard-context.js'
import {
  OVERVIEW_LOADS_MAX,
  OVERVIEW_PAGE,
} from '../../../../src/dashboard/pages/overview/overview.js'
import { rendered } from '../../../fixtures/dashboard-context.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'
import { SAMPLE } from '../../../fixtures/sample-workspace.js'

test(
  'an empty service shows the first steps',
  overOneDashboard(
    async (t, fixture) => {
      const page = await fixture.page('/dashboard')
      t.match(wordsOf(page), 'Import your first transactions')
      t.match(page.text, 'kontor import --workspace books')
    },
    { rows: null },
  ),
)

test(
  'a service with few workspaces loads them and adds up their content',
  overOneDashboard(async (t, fixture) => {
    await fixture.service.write('w2', SAMPLE)
    const visitor = await fixture.signedIn()
    const see = async (): Promise<string> => wordsOf(await visitor.get(`${fixture.url}/dashboard`))
    await fixture.service.until(async () => /\bw Ready .*\bw2 Ready/.test(await see()))
    t.match(await see(), 'Transactions 604 in 2 workspaces')
    t.match(await see(), 'Accounts 6 in 2 workspaces')
    t.notMatch((await visitor.get(`${fixture.url}/dashboard`)).text, 'data-refresh')
    writeFileSync(fixture.service.pathOf('bad'), 'x'.repeat(5_000))
    await fixture.service.until(async () => /bad Unreadable/.test(await see()))
    t.match(await see(), 'Transactions 604 in 2 of 3 workspaces (those in memory)')
  }),
)

test(
  'a service with many workspaces does not load them',
  overOneDashboard(async (t, fixture) => {
    for (let i = 0; i < OVERVIEW_LOADS_MAX; i++) await fixture.service.write(`w${i}`, SAMPLE)
    const words = wordsOf(await fixture.page('/dashboard'))
    t.match(words, 'w Not in memory')
    t.match(words, 'Transactions – in 0 of')
    t.same(fixture.service.log, [])
  }),
)

test(
  'a workspace that might evict another is not loaded',
  overOneDashboard(
    async (t, fixture) => {
      t.match(wordsOf(await fixture.page('/dashboard')), 'w Not in memory')
      t.same(fixture.service.log, [])
    },
    { service: { memoryBudgetBytes: 0 } },
  ),
)

test('a loading workspace is not shown as empty', async (t) => {
  const catalog = { list: async () => ['w'] }
  const snapshots = { residentBytes: 0, stateOf: () => ({ kind: 'loading' }) }
  const context = { parts: { catalog, snapshots, memoryBudgetBytes: 0 } } as unknown
  const view = await OVERVIEW_PAGE.show(context as DashboardContext)
  t.ok('body' in view && view.refreshSeconds)
  if (!('body' in view)) return
  const text = rendered(view.body)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
  t.match(text, 'Transactions Loading … in 0 of 1 workspace')
  t.match(text, 'Accounts Loading … in 0 of 1 workspace')
  t.notMatch(text, 'Transactions 0')
})
