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

test('an entry that only the repetition has is added, with a warning', async (t) => {
  await withWorkspace(async (file) => {
    const first = [begin('1'), booking('-2', 1), booking('-3', 1)]
    const second = [begin('1'), booking('-1', 1), booking('-3', 1), booking('-1', 1)]
    const third = [begin('1'), booking('-3', 1), booking('-2', 1)]
    const other = [begin('1'), booking('-3', 1), booking('-2', 1)]
    const sums = [...first, balance('closing', '5', 1), ...third, balance('closing', '5', 1)]
    t.match(await importEvents(file, sums), { added: 2, unchanged: 2 })
    const differing = [begin('1'), booking('-4', 1), booking('-1', 1)]
    const report = await importEvents(file, [...other, ...differing, ...second])
    t.match(report, { added: 5, unchanged: 2, balances: { result: 'unproved' } })
    const place = `account ${IBAN}, statement of 2026-01-02`
    t.same(report.warnings, [
      `${place}: repeats a statement of this file, but 2 of its 2 entries are not in that one ` +
        'and are added; check the file',
      `${place}: has the number and the opening balance of an earlier statement of this file, ` +
        'but other entries or another closing balance; its entries are added; check the file',
    ])
  })
})

test('a statement with the key of another one, but other content, loses no entry', async (t) => {
  const coffee = booking('-10', 1, { purpose: 'coffee' })
  const opening = balance('opening', '100', 0)
  const first = [
    ...[begin('0'), opening, coffee, booking('10', 1, { purpose: 'refund' })],
    balance('closing', '100', 1),
  ]
  const second = [begin('0'), opening, coffee, balance('closing', '90', 1)]
  await withWorkspace(async (file) => {
    const report = await importEvents(file, [...first, ...second, ...second])
    t.match(report, { added: 3, unchanged: 1, balances: { result: 'proved' } })
    t.match(file.accounts(), [{ balanceUnscaled: 90 }])
    t.match(await importEvents(file, [...first, ...second]), { added: 0, unchanged: 3 })
  })
})

test('entries are held to a limit, beyond which another content is refused', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, i) => booking(`-${i + 1}`, 1))
  await withWorkspace(async (file) => {
    const again = [begin('1'), ...many]
    t.match(await importEvents(file, [...again, ...again]), { added: 10_000, unchanged: 10_000 })
  })
  await withWorkspace(async (file) => {
    const twice = [begin('1'), ...many.slice(1), begin('1'), ...many]
    await t.rejects(importEvents(file, twice), {
      message:
        /, statement of 2026-01-02: has the number .* import the two statements as two files/,
    })
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

test('an entry in parts is recognized, whichever message split it', async (t) => {
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
