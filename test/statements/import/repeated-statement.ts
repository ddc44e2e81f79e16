// A statement that a file holds twice: `statementKey`.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { uniqueReference } from '../../../src/statements/bank-reference.js'
import { DigestCounts } from '../../../src/statements/import/digest-counts.js'
import { repeatedSentence } from '../../../src/statements/import/repeated-statement.js'
import type {
  StatementEntry,
  StatementEvent,
  StatementTransaction,
} from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { withWorkspace } from '../../fixtures/files.js'
import {
  amount,
  balance,
  booking,
  giro,
  IBAN,
  importEvents,
} from '../../fixtures/statement-events.js'

function begin(statementKey: string): StatementEvent {
  return { kind: 'account', account: { iban: IBAN, currency: 'EUR' }, statementKey }
}

test('a repeated statement adds nothing, and is named; its balances are not chained', async (t) => {
  await withWorkspace(async (file) => {
    const statement = [
      begin('27/01'),
      balance('opening', '100', 0),
      booking('-2', 1, { purpose: 'coffee' }),
      booking('-2', 1, { purpose: 'coffee' }),
      booking('9', 1, { bankReference: 'R1 2026-01-02 9 EUR' }),
      balance('closing', '105', 1),
    ]
    const again = statement.map((event) =>
      event.kind === 'transaction' && event.transaction.bankReference !== undefined
        ? booking('9', 1, { bankReference: `${event.transaction.bankReference} #2` })
        : event,
    )
    const report = await importEvents(file, [...statement, ...again])
    t.match(report, { added: 3, unchanged: 3, balances: { result: 'proved' } })
    t.same(report.warnings, [
      `account ${IBAN}, statement of 2026-01-02: repeats a statement of this file; its entries ` +
        'are not added again',
    ])
    t.equal(file.transactionCount(), 3)
    t.match(file.accounts(), [{ balanceUnscaled: 105 }])
  })
})

test('an entry that only the repetition has is added, and the warning says so', async (t) => {
  await withWorkspace(async (file) => {
    const first = [begin('1'), booking('-2', 1)]
    const second = [begin('1'), booking('-2', 1), booking('-2', 1)]
    const third = [begin('2'), booking('-2', 1)]
    const report = await importEvents(file, [...first, ...second, ...third])
    t.match(report, { added: 3, unchanged: 1, balances: { result: 'unproved' } })
    t.same(report.warnings, [
      `account ${IBAN}, statement of 2026-01-02: repeats a statement of this file, but 1 of its ` +
        '2 entries is not in that one and is added; check the file',
    ])
  })
})

test('a file with repeated statements gives the rows of one without: a twin', async () => {
  const entry = fc.record({
    text: fc.constantFrom('-1', '-2'),
    reference: fc.option(fc.constantFrom('A1', 'A2'), { nil: undefined }),
  })
  const statements = fc.array(fc.array(entry, { maxLength: 5 }), { minLength: 1, maxLength: 4 })
  const repetitions = fc.array(fc.nat({ max: 3 }), { maxLength: 4 })
  type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never
  /** The events as a reader gives them: references are counted over the whole file. */
  const eventsOf = (file: readonly { key: string; entries: readonly Entry[] }[]) => {
    const counts = new DigestCounts()
    return file.flatMap(({ key, entries }) => [
      begin(key),
      ...entries.map(({ text, reference }) => {
        const more: Partial<StatementTransaction> = {}
        if (reference !== undefined) {
          const row = { amount: amount(text), currency: 'EUR', counterpart: {}, position: '' }
          more.bankReference = uniqueReference(counts, IBAN, reference, row)
        }
        return booking(text, 1, more)
      }),
    ])
  }
  await assertProperty(
    fc.asyncProperty(statements, repetitions, (lists, repeated) =>
      withWorkspace(async (file) => {
        const once = lists.map((entries, i) => ({ key: `${i}`, entries }))
        const twice = repeated.flatMap((i) => once[i] ?? [])
        const { added } = await importEvents(file, eventsOf([...once, ...twice]))
        const total = lists.flat().length
        assert.equal(added, total)
        assert.equal(file.transactionCount(), total)
        const again = await importEvents(file, eventsOf(once))
        assert.equal(again.added, 0)
      }),
    ),
    { numRuns: 60 },
  )
})

test('an entry in parts is known again, whichever message split it', async (t) => {
  const parts = (source: StatementEntry['source'], number: string, texts: readonly string[]) => {
    const entry = { key: `K${number}`, amount: amount('10'), source, partCount: texts.length }
    return texts.map((text) =>
      booking(text, 1, { entry, bankReference: `${source} ${text}${number}` }),
    )
  }
  const [first, again] = ['', ' #2'].map((number) => parts('statement', number, ['4', '6']))
  const twice = [begin('1'), ...(first ?? []), begin('1'), ...(again ?? [])]
  await withWorkspace(async (file) => {
    t.match(await importEvents(file, twice), { added: 2, unchanged: 2 })
  })
  await withWorkspace(async (file) => {
    const reported = [begin('0'), ...parts('report', '', ['3', '7'])]
    t.match(await importEvents(file, reported), { added: 2 })
    t.match(await importEvents(file, twice), { added: 0 })
    t.equal(file.transactionCount(), 2)
  })
})

test('statements without a key are never taken for repetitions', async (t) => {
  await withWorkspace(async (file) => {
    const report = await importEvents(file, [giro, booking('1', 0), giro, booking('1', 0)])
    t.match(report, { added: 2, warnings: [] })
  })
})

test('the sentence counts the entries that are added', async (t) => {
  t.match(repeatedSentence('account 7', 5, 2), /but 2 of its 5 entries are not in that one/)
})
