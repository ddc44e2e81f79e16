import { test } from 'tap'
import { EqualReferences } from '../../../src/statements/import/equal-references.js'
import type { StatementTransaction } from '../../../src/statements/statement.js'

function transaction(purpose: string, bankReference?: string): StatementTransaction {
  const given = { purpose, counterpart: {}, currency: 'EUR', position: 'entry 1' }
  const amount = { unscaled: 1, scale: 0 }
  return { ...given, amount, ...(bankReference === undefined ? {} : { bankReference }) }
}

test('a new entry gets the text that is not stored, if its own one is', (t) => {
  const equal = new EqualReferences()
  const stored = ['second', 'third']
  const isStored = (id: number, { purpose }: StatementTransaction): boolean =>
    stored[id] === purpose
  const first = transaction('first', 'R 2026-01-02 1 EUR')
  equal.add(1, first, 0)
  equal.add(1, transaction('third', 'R 2026-01-02 1 EUR #2'), 1)
  const other = transaction('other', 'R 2026-01-02 1 EUR #3')
  t.equal(equal.textFor(1, other, isStored), other)
  const second = transaction('second', 'R 2026-01-02 1 EUR #3')
  t.equal(equal.textFor(2, second, isStored), second, 'of another account')
  t.equal(equal.textFor(1, transaction('second'), isStored).purpose, 'second', 'no reference')
  t.equal(equal.textFor(1, second, isStored), first)
  t.equal(equal.textFor(1, second, isStored), second, 'once')
  t.end()
})

test('few entries are remembered', (t) => {
  const equal = new EqualReferences()
  const isStored = (_: number, { purpose }: StatementTransaction): boolean => purpose === 'second'
  for (let i = 0; i < 1_001; i++) equal.add(1, transaction('first', `R${i} 2026-01-02 1 EUR`), 0)
  const second = (i: number): StatementTransaction =>
    transaction('second', `R${i} 2026-01-02 1 EUR #2`)
  t.equal(equal.textFor(1, second(0), isStored).purpose, 'second')
  t.equal(equal.textFor(1, second(1_000), isStored).purpose, 'first')
  t.end()
})
