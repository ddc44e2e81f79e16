import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { maskItem, pseudonymsOf } from '../../../src/mcp/tools/masks.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { accountRow, SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../../fixtures/snapshots.js'
import { ToolFixture } from '../../fixtures/tool-fixture.js'

const IBAN = 'DE89370400440532013000'
const SPACED = 'de89 3704 0044 0532 0130 00'
const NAME = 'Erika (Muster) Mustermann'

const ROWS = {
  ...SAMPLE,
  accounts: [
    accountRow(1, { iban: IBAN, accountNumber: '532013000', name: 'Giro', holderName: 'Ich' }),
    accountRow(2, { accountNumber: '4711' }),
  ],
  transactions: [
    transactionRow(1, 1, {
      counterpartName: NAME,
      counterpartIban: 'AT611904300234573201',
      counterpartAccountNumber: '00234573201',
      purpose: `RE-2026-1000 von ERIKA  (muster) Mustermann, IBAN ${SPACED}.`,
      endToEndReference: `X${IBAN}RE-2026-1000`,
      primanota: 'Konto 0234573201 AT',
    }),
    transactionRow(2, 1, { counterpartName: NAME, purpose: 'RE-2026-2000' }),
    transactionRow(3, 2, { counterpartName: 'Max', purpose: 'Maximum' }),
  ],
}

async function everything(fixture: ToolFixture): Promise<string> {
  const calls = [
    await fixture.call('get_accounts', { fields: 'full' }),
    await fixture.call('get_accounts', {}),
    await fixture.call('get_transactions', {}),
    await fixture.call('get_transactions', { fields: 'full' }),
    await fixture.call('get_transactions', { id: 1, fields: 'full' }),
    await fixture.call('get_transactions', { search: 'RE-2026', fields: 'full' }),
    await fixture.call('get_transactions', {
      match: 'RE-2026-1000',
      explain: true,
      fields: 'full',
    }),
  ]
  return calls.map(({ text }) => text).join('\n')
}

test('no IBAN and no account number is revealed, in any field', async (t) => {
  const reply = await everything(new ToolFixture(indexedSnapshotOf(ROWS), { masksIbans: true }))
  t.notMatch(reply.replace(/\s/g, ''), /37040044|0532013|532013000|19043002|34573201/i)
  t.match(reply, /"iban":"…3000"/)
  t.match(reply, /"accountNumber":"…"/, 'a short number is masked completely')
  t.match(reply, /IBAN …3000\./)
  t.match(reply, /"endToEndReference":"X…3000RE-2026-1000"/)
  t.match(reply, /"primanota":"Konto 0?…3201 AT"/)
  t.match(reply, /Mustermann/, 'names are not affected')
})

test('no counterpart name is revealed, but equal names stay recognizable', async (t) => {
  const reply = await everything(new ToolFixture(indexedSnapshotOf(ROWS), { masksNames: true }))
  t.notMatch(reply, /mustermann/i)
  t.match(reply, new RegExp(IBAN), 'IBANs are not affected')
  t.match(reply, /"holderName":"Ich"/, 'the own name is shown')
  t.match(reply, /"Maximum"/, 'a short name is not searched inside words')
  const fixture = new ToolFixture(indexedSnapshotOf(ROWS), { masksNames: true, masksIbans: true })
  const { items } = await fixture.reply('get_transactions', { order: 'asc' })
  const [first, second, third] = items.map(({ counterpartName }) => counterpartName)
  t.match(first, /^Counterpart [0-9a-f]{10}$/)
  t.equal(first, second)
  t.not(first, third)
  t.equal(items[0]?.['purpose'], `RE-2026-1000 von ${first}, IBAN …3000.`)
})

test('filters, sums and counts are those of the unmasked rows', async (t) => {
  const plain = new ToolFixture(indexedSnapshotOf(ROWS))
  const masked = new ToolFixture(indexedSnapshotOf(ROWS), { masksIbans: true, masksNames: true })
  for (const input of [{}, { counterpartIban: 'AT611904300234573201' }, { search: NAME }]) {
    const [open, hidden] = await Promise.all([
      plain.reply('get_transactions', input),
      masked.reply('get_transactions', input),
    ])
    t.equal(hidden.totalCount, open.totalCount)
    t.same(hidden.sums, open.sums)
  }
})

test('a name is masked whatever its characters, and the rest of the item stays', async (t) => {
  const names = pseudonymsOf(Buffer.from('secret'))
  const name = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 12 })
  assertProperty(
    fc.property(name, fc.string(), (drawn, purpose) => {
      const item = {
        id: 1,
        counterpart: { name: drawn, bic: 'QDEIDEH1XXX' },
        purpose,
        list: [1, null],
      }
      const masked = maskItem(item, { ibans: false, names })
      const counterpart = { name: names(drawn), bic: 'QDEIDEH1XXX' }
      assert.deepEqual({ ...masked, purpose }, { ...item, counterpart })
      fc.pre(drawn.trim().length >= 4)
      // Longer than one letter, which a drawn name may have as a word: 𝕫 is z.
      const around = `before |${drawn}| after`
      const reply = maskItem({ ...item, purpose: around }, { ibans: false, names })
      assert.equal(
        String(reply['purpose']).replace(/\s/g, ''),
        `before|${names(drawn)}|after`.replace(' ', ''),
      )
    }),
    { numRuns: 300 },
  )
  t.not(names('Erika'), pseudonymsOf(Buffer.from('other'))('Erika'))
  t.equal(names('Erika'), names('ERIKA'))
})

test('masks of earlier answers are accepted where names and IBANs are', async (t) => {
  const snapshot = indexedSnapshotOf(ROWS)
  const masked = new ToolFixture(snapshot, { masksIbans: true, masksNames: true })
  const plain = new ToolFixture(snapshot)
  const { items } = await masked.reply('get_transactions', { order: 'asc' })
  const { items: accounts } = await masked.reply('get_accounts', {})
  const counterpart = { name: items[0]?.['counterpartName'], iban: items[0]?.['counterpartIban'] }
  const pairs: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
    [{ search: counterpart.name }, { search: NAME }],
    [{ search: `${counterpart.name} RE-2026-2000` }, { search: `${NAME} RE-2026-2000` }],
    [{ search: counterpart.iban }, { search: 'AT611904300234573201' }],
    [{ counterpartIban: counterpart.iban }, { counterpartIban: 'AT611904300234573201' }],
    [{ account: accounts[0]?.['iban'] }, { account: IBAN }],
  ]
  for (const [shown, meant] of pairs) {
    const reply = await masked.reply('get_transactions', shown)
    t.ok(reply.totalCount > 0, JSON.stringify(shown))
    t.equal(reply.totalCount, (await plain.reply('get_transactions', meant)).totalCount)
  }
  const account = await masked.reply('get_accounts', { account: accounts[0]?.['iban'] })
  t.equal(account.items[0]?.['id'], 1)
})

test('a mask that an answer did not have is refused, and no value is revealed', async (t) => {
  const masked = new ToolFixture(indexedSnapshotOf(ROWS), { masksIbans: true, masksNames: true })
  const cases: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ search: 'Counterpart 0123456789' }, /^search: "Counterpart 0123456789" stands for no value/],
    [
      { account: '…3000' },
      /^account: "…3000" stands for no value .* send the id of the account\.$/,
    ],
    [{ counterpartIban: '…3201' }, /^counterpartIban: "…3201" stands for no value/],
  ]
  for (const [input, pattern] of cases) {
    t.match(await masked.refused('get_transactions', input), pattern)
  }
  const plain = new ToolFixture(indexedSnapshotOf(ROWS))
  t.equal((await plain.reply('get_transactions', { search: '…3000' })).totalCount, 0)
  const { items } = await masked.reply('get_transactions', {})
  const name = String(items[1]?.['counterpartName'])
  const long = `${name} ${'x'.repeat(300)}`
  t.notMatch(await masked.refused('get_transactions', { search: long }), /Muster/i)
})

test('an IBAN in several spellings is one value behind its mask', async (t) => {
  const row = { counterpartIban: IBAN, purpose: `IBAN ${SPACED}, from ${IBAN.toLowerCase()}` }
  const only = { purpose: `to ${SPACED}` }
  const rows = { ...ROWS, transactions: [transactionRow(1, 1, row), transactionRow(2, 1, only)] }
  const masked = new ToolFixture(indexedSnapshotOf(rows), { masksIbans: true })
  const { items } = await masked.reply('get_transactions', {})
  t.equal(items[1]?.['purpose'], 'IBAN …3000, from …3000')
  const countOf = async (input: Record<string, unknown>): Promise<number> =>
    (await masked.reply('get_transactions', input)).totalCount
  t.equal(await countOf({ counterpartIban: '…3000' }), 1)
  t.equal(await countOf({ search: '…3000' }), 2, 'with and without spaces')
})

test('a mask of several IBANs is refused, with what to send instead', async (t) => {
  const ibans = ['AT611904300234573201', 'DE02500105170137073201']
  const rows = {
    ...ROWS,
    transactions: ibans.map((counterpartIban, i) => transactionRow(i + 1, 1, { counterpartIban })),
  }
  const masked = new ToolFixture(indexedSnapshotOf(rows), { masksIbans: true })
  await masked.reply('get_transactions', {})
  const refused = await masked.refused('get_transactions', { counterpartIban: '…3201' })
  t.match(refused, /"…3201" stands for several values .*: search for a text/)
})
