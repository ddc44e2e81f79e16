// An import folder with an import.json, and faults of one folder.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { entry, message } from '../fixtures/camt-text.js'
import { DONE, EARLY_MS, InboxFixture } from '../fixtures/inbox-fixture.js'

const CAMT = message(entry() + entry({ amount: '7.5' }))

test('the file of an import.json is read with its options', async (t) => {
  const fixture = InboxFixture.open(t)
  const columns = 'bookingDate=Day,amount=Sum,purpose=Text'
  const settings = { account: '4711', currency: 'EUR', columns, lenient: true }
  fixture.put('a/import.json', JSON.stringify(settings))
  fixture.put('a/table.csv', 'Day;Sum;Text\n2026-07-01;-3,20;Coffee\n2026-07-02;x;Tea\n')
  await fixture.pass()
  t.same(fixture.files(), [`a/${DONE}/table.csv`, 'a/import.json'])
  t.match(fixture.events, [{ result: { kind: 'done', added: 1, skipped: 1 } }])
  t.match(fixture.audit(), [{ detail: /"skipped":1/ }])
})

test('files wait for a valid import.json, and its fault is reported once', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.put('a/import.json', '{"acount": "4711"}')
  fixture.put('a/statement.xml', CAMT)
  await fixture.pass()
  await fixture.pass()
  t.same(fixture.files(), ['a/import.json', 'a/statement.xml'])
  t.match(fixture.notices(), [
    /a: import\.json: there is no option "acount"; did you mean "account"/,
  ])
  t.equal(fixture.notices().length, 1)
  t.match(fixture.inbox.stateOf('a').folder?.faults, [/acount/])
  fixture.put('a/import.json', '{}')
  await fixture.pass()
  t.equal(fixture.rows('a'), 2)
  t.same(fixture.inbox.stateOf('a').folder?.faults, [])
})

test('an import.json that is not a file is also a fault', async (t) => {
  const fixture = InboxFixture.open(t)
  const link = join(fixture.path, 'a/import.json')
  symlinkSync(fixture.put('a/.options', '{"account": "4711"}'), link)
  mkdirSync(join(fixture.path, 'b/import.json'))
  fixture.put('a/statement.xml', CAMT)
  fixture.put('b/statement.xml', CAMT)
  await fixture.pass()
  t.match(fixture.notices(), [
    /a: import\.json .*symbolic link; replace/,
    /b: .* not a regular file/,
  ])
  t.equal(fixture.rows('a') + fixture.rows('b'), 0)
  rmSync(link)
  await fixture.pass()
  t.equal(fixture.rows('a'), 2)
})

test('an import.json that is nested deeply stops no other folder', async (t) => {
  const fixture = InboxFixture.open(t)
  const deep = `{"account":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
  fixture.put('a/import.json', deep)
  fixture.put('a/statement.xml', CAMT)
  fixture.put('b/statement.xml', CAMT)
  await fixture.pass()
  t.match(fixture.notices(), [/a: import\.json: "account" must be a string, not an array/])
  t.equal(fixture.rows('a'), 0)
  t.equal(fixture.rows('b'), 2)
})

test('an unexpected error in one folder stops no other folder', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.put('a/statement.xml', CAMT)
  fixture.put('b/statement.xml', CAMT)
  let readCount = 0
  Object.defineProperty(fixture, 'nowMs', {
    get: () => {
      readCount += 1
      if (readCount === 1) throw new RangeError('too deep')
      return EARLY_MS
    },
  })
  await fixture.inbox.scan()
  t.match(fixture.notices(), [/a cannot be used: unexpected RangeError: too deep; this is a fault/])
  t.match(fixture.events, [{ reason: 'unexpected RangeError' }])
  await fixture.pass()
  await fixture.pass()
  t.equal(fixture.rows('a'), 2)
  t.equal(fixture.rows('b'), 2)
  t.same(fixture.inbox.notices, [])
})
