// Regression: two JSON lines in a file named kontoauszug.csv changed a transaction and the own
// account, and no report gave the old values.
import { test } from 'tap'
import { type BankFixture, withBankFixture } from '../fixtures/bank-fixture.js'
import { overOneDashboard } from '../fixtures/dashboard-fixture.js'
import { wordsOf } from '../fixtures/page-visitor.js'

const IBAN = 'DE89370400440532013000'
const HISTORY = `{"kind":"account","id":1,"iban":"${IBAN}","currency":"EUR","holderName":"Us"}
{"id":1900,"accountId":1,"amount":-19.5,"currency":"EUR","purpose":"Rent"}
`
const HOSTILE = `{"kind":"account","id":1,"iban":"DE02120300000000202051","currency":"EUR"}
{"id":1900,"accountId":1,"amount":-9999,"currency":"EUR","purpose":"Paid"}
`
/** The same, of an account that has the IBAN. */
const ALTERED = HOSTILE.replace('"DE02120300000000202051"', `"${IBAN}"`)

test('a file named like a statement changes no row', async (t) => {
  await withBankFixture(async (fixture: BankFixture) => {
    await fixture.add([fixture.path('history.ndjson', HISTORY)])
    const before = await fixture.export()
    const refused = await fixture.run([fixture.path('kontoauszug.csv', HOSTILE)])
    t.equal(refused.code, 1)
    t.match(refused.stderr, /kontoauszug.csv: JSON lines \(NDJSON\), .*rename the file to end in/)
    t.match(refused.stderr, /, or use --format ndjson; nothing was imported\n$/)
    const named = fixture.path('kontoauszug.ndjson', HOSTILE)
    const other = await fixture.run([named])
    t.equal(other.code, 1)
    t.match(other.stderr, /line 1, id: the workspace has another account with id 1, /)
    t.equal(await fixture.export(), before)
    const altered = fixture.path('umsatz.ndjson', ALTERED)
    t.match(await fixture.add([altered]), { added: 0, updated: 0, kept: 2, changed: 0 })
    t.equal(await fixture.export(), before)
    const logged = await fixture.add(['--update', named])
    t.match(logged, { updated: 1, kept: 0, changed: 2 })
    t.match(logged, {
      changes: [
        { kind: 'account', id: 1, field: 'holderName', old: 'Us', new: null },
        { kind: 'account', id: 1, field: 'iban', old: IBAN, new: 'DE02120300000000202051' },
        { kind: 'transaction', id: 1900, field: 'amount', old: '-19.5', new: '-9999' },
        { kind: 'transaction', id: 1900, field: 'purpose', old: 'Rent', new: 'Paid' },
      ],
    })
  })
})

test(
  'a browser accepts NDJSON by its name, and changes rows only with the box ticked',
  overOneDashboard(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const list = await visitor.get(`${fixture.url}/dashboard/workspaces`)
      await visitor.follow(await visitor.press(list, 'create', { workspace: 'books' }))
      const path = `${fixture.url}/dashboard/workspaces/books`
      const send = async (
        files: Readonly<Record<string, string>>,
        typed: Readonly<Record<string, string>>,
        words: RegExp,
      ): Promise<string> => {
        const page = await visitor.get(path)
        await visitor.sendFiles(page, 'send', files, typed)
        const get = async (): Promise<string> => wordsOf(await visitor.get(path))
        await fixture.service.until(async () => words.test(await get()))
        return get()
      }
      await send({ 'history.ndjson': HISTORY }, {}, /history.ndjson Done/)
      const refused = await send({ 'kontoauszug.csv': HOSTILE }, {}, /kontoauszug.csv Failed/)
      t.match(refused, 'rename the file to end in .ndjson. Nothing was imported from the file.')
      const kept = await send({ 'again.jsonl': ALTERED }, {}, /again.jsonl Done/)
      t.match(kept, '2 rows differ from the file and were left unchanged')
      t.match(kept, 'transaction 1900, amount: -19.5 → -9999')
      t.match(fixture.lastAuditEvent(), '"updated":0,"skipped":0,"kept":2}')
      const done = await send({ 'asked.json': HOSTILE }, { update: 'yes' }, /asked.json Done/)
      t.match(done, '2 rows changed')
      t.match(
        fixture.lastAuditEvent(),
        '"changed":2,"changedIds":{"account":[1],"transaction":[1900]}}',
      )
    },
    { rows: null },
  ),
)
