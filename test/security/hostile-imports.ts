// Regression: a file of 250 KB occupied the only importing thread for hours, could not be
// cancelled, and a valid file of another workspace waited behind it.
import { test } from 'tap'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { entry, message } from '../fixtures/camt-text.js'
import { type DashboardFixture, overOneDashboard } from '../fixtures/dashboard-fixture.js'
import { type PageVisitor, wordsOf } from '../fixtures/page-visitor.js'

/** Many seconds of work; the valid file takes about one. */
const LONG = `{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n${Array.from(
  { length: 600_000 },
  (_, i) => `{"accountId":1,"amount":${i},"currency":"EUR","purpose":"Invoice ${i}"}\n`,
).join('')}`

const pathOf = ({ url }: DashboardFixture, id: string): string =>
  `${url}/dashboard/workspaces/${id}`

async function make(
  fixture: DashboardFixture,
  visitor: PageVisitor,
  workspace: string,
): Promise<void> {
  const list = await visitor.get(`${fixture.url}/dashboard/workspaces`)
  await visitor.follow(await visitor.press(list, 'create', { workspace }))
}

test(
  'a slow file delays no other workspace, and can be cancelled',
  overOneDashboard(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const wordsAt = async (id: string): Promise<string> =>
        wordsOf(await visitor.get(pathOf(fixture, id)))
      for (const workspace of ['hostile', 'honest']) await make(fixture, visitor, workspace)
      const hostile = await visitor.get(pathOf(fixture, 'hostile'))
      await visitor.sendFiles(hostile, 'send', { 'long.ndjson': LONG, 'late.xml': message('') })
      const honest = await visitor.get(pathOf(fixture, 'honest'))
      await visitor.sendFiles(honest, 'send', { 'a.xml': message(entry()) })
      await fixture.service.until(async () => /a.xml Done/.test(await wordsAt('honest')))
      t.match(await wordsAt('hostile'), /late.xml Waiting/, 'its own files wait')

      const page = await visitor.get(pathOf(fixture, 'hostile'))
      t.match(wordsOf(page), 'long.ndjson Importing')
      const foreign = page.text.replace(/(name="import" value=")[^"]*/g, '$1x')
      const refused = await visitor.press({ ...page, text: foreign }, 'cancel')
      t.equal(refused.status, 409)
      t.match(wordsOf(refused), 'The import had already ended and was not cancelled.')
      // The newest file is first: the one that waits, then the one that runs.
      t.equal((await visitor.press(page, 'cancel', {}, 1)).status, 303)
      await fixture.service.until(async () =>
        /late.xml (?:Done|Failed)/.test(await wordsAt('hostile')),
      )
      t.match(await wordsAt('hostile'), 'long.ndjson Cancelled Cancelled by ada .')
      const events = fixture.audit(9).map(({ detail }) => detail)
      t.ok(events.includes('{"reason":"cancelled"}'), events.join())
      const file = WorkspaceFile.openForReading(fixture.service.pathOf('hostile'))
      t.teardown(() => file.close())
      t.equal(file.transactionCount(), 0)
    },
    { rows: null },
  ),
)
