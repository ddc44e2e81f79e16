import { test } from 'tap'
import {
  accountNamed,
  nameOfAccount,
  OwnAccounts,
} from '../../../src/statements/import/own-accounts.js'
import type { StatementAccount } from '../../../src/statements/statement.js'
import { withWorkspace } from '../../fixtures/files.js'

const NOW = 1_767_225_600_000
const IBAN = 'DE89370400440532013000'

test('an account is found by IBAN, else by number and bank code', async (t) => {
  await withWorkspace(async (file) => {
    const accounts = new OwnAccounts(file.accounts(), file, NOW)
    const giro = accounts.create({ iban: IBAN, name: 'Giro' }, 'EUR')
    t.match(giro, { accountNumber: '532013000', blz: '37040044', createdAt: NOW })
    const cases: [StatementAccount, number | undefined][] = [
      [{ iban: IBAN }, giro.id],
      [{ accountNumber: '532013000' }, giro.id],
      [{ accountNumber: '0532013000', blz: '37040044' }, giro.id],
      [{ accountNumber: '532013000', blz: '10020030' }, undefined],
      [{ iban: 'DE02120300000000202051', accountNumber: '532013000' }, undefined],
      [{ accountNumber: '53201300' }, undefined],
      [{ accountNumber: '532013000', currency: 'EUR' }, giro.id],
      [{ accountNumber: '532013000', currency: 'CHF' }, undefined],
      [{ iban: IBAN, currency: 'CHF' }, giro.id],
    ]
    for (const [named, id] of cases) {
      t.equal(accounts.find('here', named, 'EUR')?.id, id, JSON.stringify(named))
    }
    t.same(file.accounts(), [giro])
  })
})

test('an account known by number only gets its IBAN and keeps its fields', async (t) => {
  await withWorkspace(async (file) => {
    const accounts = new OwnAccounts(file.accounts(), file, NOW)
    const old = accounts.create({ accountNumber: '0532013000', name: 'Old' }, 'EUR')
    const found = accounts.find('here', { iban: IBAN }, 'EUR')
    t.equal(found?.id, old.id)
    const filled = accounts.fillIn(old, { iban: IBAN, name: 'New', bic: 'COBADEFFXXX' })
    t.match(filled, { iban: IBAN, name: 'Old', bic: 'COBADEFFXXX', accountNumber: '0532013000' })
    t.same(file.accounts(), [filled])
    t.equal(accounts.find('here', { iban: IBAN }, undefined)?.id, old.id, 'by its new IBAN')
    t.equal(accounts.fillIn(filled, { iban: IBAN }), filled, 'nothing new, nothing written')
  })
})

test('a number that an earlier version read as an IBAN finds its account', async (t) => {
  await withWorkspace(async (file) => {
    const accounts = new OwnAccounts(file.accounts(), file, NOW)
    const short = accounts.create({ iban: 'DE12345678' }, 'EUR')
    const spaced = accounts.create({ iban: 'CH1234567890' }, 'CHF')
    const joined = accounts.create({ iban: 'XX99ABCDEFGH12345EUR' }, 'EUR')
    const number = accounts.create({ accountNumber: '0532013000 EUR' }, 'EUR')
    const cases: [StatementAccount, string, number | undefined][] = [
      [{ accountNumber: 'DE12345678' }, 'EUR', short.id],
      [{ accountNumber: 'CH12 3456 7890', currency: 'CHF' }, 'CHF', spaced.id],
      [{ accountNumber: 'CH12 3456 7890', currency: 'EUR' }, 'EUR', undefined],
      [{ accountNumber: 'XX99ABCDEFGH12345' }, 'EUR', joined.id],
      [{ accountNumber: '0532013000' }, 'EUR', number.id],
      [{ accountNumber: '12345678' }, 'EUR', undefined],
    ]
    for (const [named, currency, id] of cases) {
      t.equal(accounts.find('here', named, currency)?.id, id, JSON.stringify(named))
    }
  })
})

test('the account in the currency is used if two accounts have one IBAN', async (t) => {
  await withWorkspace(async (file) => {
    const accounts = new OwnAccounts(file.accounts(), file, NOW)
    const euro = accounts.create({ iban: IBAN }, 'EUR')
    const dollar = accounts.create({ iban: IBAN }, 'USD')
    t.equal(accounts.find('here', { iban: IBAN }, 'USD')?.id, dollar.id)
    t.equal(accounts.find('here', { iban: IBAN }, 'CHF')?.id, euro.id)
    accounts.replace({ ...euro, iban: null, accountNumber: null })
    t.equal(accounts.find('here', { iban: IBAN }, 'EUR')?.id, dollar.id)
    t.equal(
      new OwnAccounts(file.accounts(), file, NOW).find('here', { iban: IBAN }, 'EUR')?.id,
      dollar.id,
    )
  })
})

test('a number that occurs at two banks is refused rather than guessed', async (t) => {
  await withWorkspace(async (file) => {
    const accounts = new OwnAccounts(file.accounts(), file, NOW)
    accounts.create({ accountNumber: '7', blz: '10020030' }, 'EUR')
    accounts.create({ accountNumber: '7', blz: '37040044' }, 'EUR')
    t.throws(() => accounts.find('line 3', { accountNumber: '7' }, 'EUR'), {
      message: 'line 3, accountNumber: 7 matches several accounts (1, 2) of different banks',
    })
  })
})

test('a text names an account by IBAN when it looks like one', async (t) => {
  t.same(accountNamed('de89 3704 0044 0532 0130 00'), { iban: IBAN })
  t.same(accountNamed(' 0532013000 '), { accountNumber: '0532013000' })
  t.equal(nameOfAccount({ iban: IBAN, accountNumber: '7' }), `account ${IBAN}`)
  const long = nameOfAccount({ accountNumber: '7'.repeat(500) })
  t.equal(long, `account ${'7'.repeat(63)}…`, 'leaves room for the rest of a message')
})
