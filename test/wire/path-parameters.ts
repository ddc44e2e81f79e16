import { test } from 'tap'
import {
  parseCategoryId,
  parseCounterpartIban,
  parseIdentifier,
  parseTransactionId,
  workspaceIdOf,
} from '../../src/wire/path-parameters.js'

test('digits only are an account id, anything else is an IBAN', async (t) => {
  t.same(parseIdentifier('12'), { accountId: 12 })
  t.same(parseIdentifier('%312'), { accountId: 12 })
  t.same(parseIdentifier('de02120300000000202051'), { iban: 'DE02120300000000202051' })
  t.same(parseIdentifier('my_Account-1'), { iban: 'MY_ACCOUNT-1' })
  for (const segment of [
    '',
    '0',
    '9007199254740992',
    'a.b',
    '%20',
    'a%20b',
    '%2e%2e',
    'ß',
    '%',
    '%C3%9F',
  ]) {
    t.throws(() => parseIdentifier(segment), { code: 'invalid_parameter' }, segment)
  }
  t.throws(() => parseIdentifier('DE02%201203'), {
    message: /^identifier in the path must be .* without spaces, not "DE02 1203"; for example 1$/,
  })
})

test('an id is a positive safe integer', async (t) => {
  for (const parse of [parseTransactionId, parseCategoryId]) {
    t.equal(parse('4711'), 4711)
    t.equal(parse('9007199254740991'), Number.MAX_SAFE_INTEGER)
    for (const segment of ['', '0', '-1', '1.5', '1e3', 'abc', '9007199254740992', '%zz', '1%00']) {
      t.throws(() => parse(segment), { code: 'invalid_parameter' }, segment)
    }
  }
})

test('a counterpart IBAN is upper case without spaces', async (t) => {
  for (const segment of [
    'DE89370400440532013000',
    'de89370400440532013000',
    'DE89%203704%200044%200532%200130%2000',
    'DE89%C2%A0370400440532013000',
    '%64e89370400440532013000',
  ]) {
    t.equal(parseCounterpartIban(segment), 'DE89370400440532013000', segment)
  }
  t.equal(parseCounterpartIban('XX00ABC'), 'XX00ABC', 'check digits are not verified')
})

test('a text unlike an IBAN is refused', async (t) => {
  for (const segment of [
    '',
    '%20',
    'foo',
    '1234',
    'DE89+370400440532013000',
    'DE89-3704',
    'DE89%09370400440532013000',
    'DE89370400%00',
    '%C3%9F89370400440532013000',
    '%C4%B1E89370400440532013000',
    `DE89${'1'.repeat(31)}`,
    '%',
    '%C0%80',
  ]) {
    t.throws(() => parseCounterpartIban(segment), { code: 'invalid_parameter' }, segment)
  }
})

test('a workspace id is letters, digits, hyphen and underscore', async (t) => {
  t.equal(workspaceIdOf('demo-1_A'), 'demo-1_A')
  t.equal(workspaceIdOf('%64emo'), 'demo')
  for (const segment of ['', '.', '..', '%2e%2e', 'a%2Fb', 'a%00', 'ä', '%C3%A4', '%', 'a b']) {
    t.equal(workspaceIdOf(segment), undefined, segment)
  }
})
