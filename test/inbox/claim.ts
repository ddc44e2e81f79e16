import { existsSync, linkSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { Claim } from '../../src/inbox/claim.js'
import { HeldFolder } from '../../src/inbox/held-folder.js'
import { lockByFile } from '../../src/store/sqlite/folder-lock.js'
import { entry, message } from '../fixtures/camt-text.js'
import { DONE, InboxFixture, ndjson, SETTLE_MS } from '../fixtures/inbox-fixture.js'

const CAMT = message(entry() + entry({ amount: '7.5' }))

test('the file of a killed process is imported, and that of a living one is not', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.put('a/.claimed-dead/x.xml', CAMT)
  fixture.put('a/.claimed-alive/y.xml', message(entry({ amount: '99' })))
  const lock = lockByFile(join(fixture.path, 'a/.claimed-alive/.lock'))
  t.teardown(() => lock?.release())
  mkdirSync(join(fixture.path, 'a/.claimed-empty'))
  await fixture.inbox.scan()
  await fixture.inbox.idle()
  t.equal(fixture.rows('a'), 0, 'its process may be about to lock it')
  t.ok(fixture.inbox.isUnsettled)
  await fixture.pass()
  const files = fixture.files().filter((name) => !name.includes('/.lock'))
  t.same(files, ['a/.claimed-alive/y.xml', `a/${DONE}/x.xml`])
  t.notOk(existsSync(join(fixture.path, 'a/.claimed-empty')))
  t.equal(fixture.rows('a'), 2)
})

test('the file of a killed process waits for a valid import.json', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.put('a/.claimed-dead/x.xml', CAMT)
  fixture.put('a/import.json', '{"acount": "4711"}')
  await fixture.pass()
  await fixture.pass()
  t.equal(fixture.rows('a'), 0)
  fixture.put('a/import.json', '{}')
  await fixture.pass()
  await fixture.pass()
  t.same(fixture.files(), [`a/${DONE}/x.xml`, 'a/import.json'])
  t.equal(fixture.rows('a'), 2)
})

test('a claim whose lock is a link is ignored', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.put('a/.claimed-trap/x.xml', CAMT)
  symlinkSync(fixture.directory.controlPath, join(fixture.path, 'a/.claimed-trap/.lock'))
  await fixture.pass()
  await fixture.pass()
  t.ok(existsSync(join(fixture.path, 'a/.claimed-trap/x.xml')))
  t.equal(fixture.rows('a'), 0)
})

test('a kill between the two steps of a move leaves one file', async (t) => {
  const fixture = InboxFixture.open(t)
  const claimed = fixture.put('a/.claimed-dead/x.xml', CAMT)
  fixture.put(`a/${DONE}/other.xml`, CAMT)
  linkSync(claimed, join(fixture.path, `a/${DONE}/x.xml`))
  await fixture.pass()
  await fixture.pass()
  t.same(fixture.files(), [`a/${DONE}/other.xml`, `a/${DONE}/x.xml`])
  t.equal(fixture.rows('a'), 2)
})

test('two inboxes on one folder import each file once', async (t) => {
  const one = InboxFixture.open(t)
  for (let i = 0; i < 20; i++) one.put(`a/${i}.ndjson`, ndjson(`${i}`, 3))
  const two = InboxFixture.sharing(t, one)
  for (const fixture of [one, two]) await fixture.inbox.scan()
  one.ticks += SETTLE_MS
  two.ticks += SETTLE_MS
  await Promise.all([one.inbox.scan(), two.inbox.scan()])
  await Promise.all([one.inbox.idle(), two.inbox.idle()])
  t.equal(one.rows('a'), 60)
  t.equal(one.audit().length, 20, 'each is recorded once')
  t.equal(one.events.length + two.events.length, 20)
  t.ok(one.events.length > 0 && two.events.length > 0, 'both took part')
  t.equal(one.files().length, 20)
})

test('a claim that cannot be taken over leaves no descriptor open', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.put('a/.claimed-bad/x.xml', CAMT)
  fixture.put('a/.claimed-bad/.lock', 'not a database')
  const folder = await HeldFolder.open(join(fixture.path, 'a'))
  const before = readdirSync('/proc/self/fd').length
  await t.rejects(Claim.takeOver(folder, '.claimed-bad'))
  t.equal(readdirSync('/proc/self/fd').length, before)
  await folder.close()
})
