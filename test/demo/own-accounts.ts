import { join } from 'node:path'
import { test } from 'tap'
import { insertOwnAccounts, updateBalances } from '../../src/demo/own-accounts.js'
import { readWords } from '../../src/demo/words.js'
import { accountNumberOfIban, blzOfIban, isIban } from '../../src/iban.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'

test('there are four accounts, three of them with an IBAN of their number and bank', async (t) => {
  const file = WorkspaceFile.open(join(t.testdir(), 'demo.db'))
  t.teardown(() => file.close())
  const { own, banks } = readWords()
  const accounts = insertOwnAccounts(file, own, banks, 1_000)
  t.equal(file.accounts()[0]?.balanceUnscaled, null, 'no balance before the last booking')
  accounts.giro.balanceCents = -1_234_50
  updateBalances(file, accounts, 2_000)
  const rows = file.accounts()
  t.same(
    rows.map(({ name, currency }) => [name, currency]),
    [
      ['Girokonto', 'EUR'],
      ['Tagesgeld', 'EUR'],
      ['PayPal', 'EUR'],
      ['USD-Karte', 'USD'],
    ],
  )
  for (const { iban, blz, accountNumber, name } of rows) {
    if (name === 'PayPal') {
      t.equal(iban, null)
      continue
    }
    t.ok(iban !== null && isIban(iban), name ?? '')
    t.equal(blzOfIban(iban ?? ''), blz)
    t.equal(accountNumberOfIban(iban ?? ''), accountNumber)
  }
  const [giro] = rows
  t.same([giro?.balanceUnscaled, giro?.balanceScale], [-12_345, 1])
  t.same([giro?.availableFundsUnscaled, giro?.availableFundsScale], [487_655, 1])
  t.same([giro?.overdraftUnscaled, giro?.overdraftScale], [50_000, 0])
  t.same([giro?.createdAt, giro?.updatedAt], [1_000, 2_000])
})
