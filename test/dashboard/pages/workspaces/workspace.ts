import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'tap'
import { cachePath } from '../../../../src/store/data-directory.js'
import { entry, message } from '../../../fixtures/camt-text.js'
import { someIntegration } from '../../../fixtures/control.js'
import {
  type DashboardFixture,
  overDashboards,
  overOneDashboard,
} from '../../../fixtures/dashboard-fixture.js'
import { type PageVisitor, type Visit, wordsOf } from '../../../fixtures/page-visitor.js'

const CAMT = message(entry() + entry({ amount: '7.5', direction: 'DBIT' }))

/** The page of a workspace once its text matches. */
async function pageWhen(
  { service, url }: DashboardFixture,
  visitor: PageVisitor,
  words: RegExp,
): Promise<Visit> {
  const get = (): Promise<Visit> => visitor.get(`${url}/dashboard/workspaces/books`)
  await service.until(async () => words.test(wordsOf(await get())))
  return get()
}

/** A browser at the page of a new workspace, which is in memory. */
async function madeBooks(fixture: DashboardFixture, visitor: PageVisitor): Promise<Visit> {
  const list = await visitor.get(`${fixture.url}/dashboard/workspaces`)
  await visitor.follow(await visitor.press(list, 'create', { workspace: 'books' }))
  return pageWhen(fixture, visitor, /This workspace is empty/)
}

test(
  'a workspace is created, filled from bank files, shown and deleted',
  overDashboards(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const made = await madeBooks(fixture, visitor)
      t.match(fixture.lastAuditEvent(), 'workspace.create ok books')
      const sent = await visitor.sendFiles(made, 'send', { 'a.xml': CAMT, 'b.txt': 'what is this' })
      t.equal(sent.status, 303)
      const page = await pageWhen(
        fixture,
        visitor,
        /Transactions 2 Accounts 1 Last import 1 Jul 2026/,
      )
      t.match(wordsOf(page), 'a.xml Done 2 new transactions , 0 were already there')
      t.match(wordsOf(page), 'read as CAMT.053')
      t.match(wordsOf(page), 'b.txt Failed')
      t.match(wordsOf(page), 'Erika Muster DE89 3704 0044 0532 0130 00 2')
      t.same(readdirSync(fixture.service.directory.uploadsPath), [])
      t.same(
        fixture.audit(2).map(({ action, outcome, actor }) => `${action} ${outcome} ${actor}`),
        ['workspace.import refused operator:ada', 'workspace.import ok operator:ada'],
      )
      const [refused, done] = fixture.audit(2).map(({ detail }) => JSON.parse(detail ?? '{}'))
      t.strictSame(refused, { reason: 'unknown format' })
      const sha256 = createHash('sha256').update(CAMT).digest('hex')
      const file = { format: 'camt053', bytes: Buffer.byteLength(CAMT), sha256 }
      t.strictSame(done, {
        ...file,
        ...{ accounts: 1, added: 2, unchanged: 0, updated: 0, skipped: 0 },
      })
      t.equal((await visitor.sendFiles(page, 'send', {})).status, 400)
      t.match(fixture.audit(1)[0], {
        ...{ action: 'workspace.import', outcome: 'refused', actor: 'operator:ada' },
        detail: '{"reason":"No file was selected."}',
      })
      const slip = await visitor.press(page, 'delete', { workspace: 'book' })
      t.equal(slip.status, 400)
      t.match(wordsOf(slip), 'Type books to confirm. Nothing was deleted.')
      const { key } = await fixture.service.newKey('books')
      const gone = await visitor.follow(await visitor.press(page, 'delete', { workspace: 'books' }))
      t.match(wordsOf(gone), 'The workspace was deleted with its keys and integrations.')
      t.match(fixture.lastAuditEvent(), 'workspace.delete ok books {"keys":1,"integrations":0}')
      t.notOk(existsSync(fixture.service.pathOf('books')))
      t.notOk(existsSync(cachePath(fixture.service.directory, 'books')))
      const headers = { Authorization: `Bearer ${key}` }
      t.equal((await fetch(`${fixture.url}/v1/books/accounts`, { headers })).status, 401)
      const late = await visitor.get(`${fixture.url}/dashboard/workspaces/books`)
      t.equal(late.status, 404)
      t.match(wordsOf(late), 'No such workspace')
    },
    { rows: null },
  ),
)

test(
  'files without an account are imported into the typed one',
  overOneDashboard(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const page = await madeBooks(fixture, visitor)
      const files = { 'a.csv': 'Buchungstag;Betrag;Verwendungszweck\n01.02.2026;-1,50;Brot\n' }
      for (const [typed, why] of [
        [
          { account: 'DE02120300000000202052' },
          'The IBAN is not valid: its length or check digits are wrong. Nothing was imported.',
        ],
        [{ account: '4711', currency: 'EURO' }, 'Enter a currency of three letters'],
      ] as const) {
        const refused = await visitor.sendFiles(page, 'send', files, typed)
        t.equal(refused.status, 400)
        t.match(wordsOf(refused), why)
      }
      t.match(wordsOf(await visitor.sendFiles(page, 'send', {})), 'No file was selected')
      const columns = 'amount=Betrag,bookingDate=Buchungstag,purpose=Verwendungszweck'
      await visitor.sendFiles(page, 'send', files, { account: '4711', currency: 'eur' })
      const unknown = wordsOf(await pageWhen(fixture, visitor, /a.csv Failed/))
      t.match(unknown, 'unknown table with the columns')
      t.match(unknown, 'for example “Columns of the table”', 'and no command flag')
      await visitor.sendFiles(page, 'send', files, { account: '4711', currency: 'eur', columns })
      const encoding = { account: '4711', currency: 'eur', columns, encoding: 'Klingon' }
      await visitor.sendFiles(page, 'send', { 'b.csv': files['a.csv'] }, encoding)
      const coded = wordsOf(await pageWhen(fixture, visitor, /b.csv Failed/))
      t.match(coded, /klingon.{1,6} is not a supported encoding; name one, .* “Encoding” windows-/)
      const shown = await pageWhen(fixture, visitor, /a.csv Done/)
      t.match(wordsOf(await pageWhen(fixture, visitor, /4711 4711 1/)), '1 new transaction')
      t.match(wordsOf(shown), 'read as CSV')
    },
    { rows: null },
  ),
)

test(
  'files of a forged form never reach the disk',
  overDashboards(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(`${fixture.url}/dashboard/workspaces/w`)
    const stale = { ...page, text: page.text.replaceAll(/name="form_token" value="/g, '$&x') }
    const files = { 'a.xml': CAMT }
    const refused = await visitor.sendFiles(stale, 'send', files)
    t.equal(refused.status, 400)
    t.match(wordsOf(refused), 'The form has expired. Nothing was imported.')
    const before = fixture.audit().length
    const bare = { ...page, text: page.text.replaceAll(/<input type="hidden"[^>]*>/g, '') }
    t.equal((await visitor.sendFiles(bare, 'send', files)).status, 400)
    visitor.cookies.clear()
    t.equal((await visitor.sendFiles(page, 'send', files)).status, 403)
    t.equal(fixture.audit().length, before)
    t.same(readdirSync(fixture.service.directory.uploadsPath), [])
  }),
)

test(
  'an upload beyond the limit is refused',
  overOneDashboard(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const page = await visitor.get(`${fixture.url}/dashboard/workspaces/w`)
      const { length } = CAMT
      const refused = await visitor.sendFiles(page, 'send', { 'a.xml': CAMT + ' '.repeat(9_000) })
      t.ok(length < 9_000)
      t.equal(refused.status, 400)
      t.match(wordsOf(refused), 'Together the files are larger than 0 MB.')
    },
    { service: { uploadBytesMax: 9_000 } },
  ),
)

test(
  'an unreadable workspace shows the reason, and can be deleted with its credentials',
  overOneDashboard(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      await someIntegration(fixture.service.control, { workspaceId: 'books' })
      const page = await madeBooks(fixture, visitor)
      t.equal(page.status, 200)
      await visitor.press(page, 'delete', { workspace: 'books' })
      t.match(fixture.lastAuditEvent(), 'workspace.delete ok books {"keys":0,"integrations":1}')
    },
    { rows: null },
  ),
)
