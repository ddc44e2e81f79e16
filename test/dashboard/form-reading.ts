import { test } from 'tap'
import { FormReading } from '../../src/dashboard/form-reading.js'
import { parseDay } from '../../src/instant.js'
import { Form } from '../../src/wire/form.js'

function reading(text: string): FormReading {
  return new FormReading(new Form(text))
}

test('valid values are read', async (t) => {
  const read = reading(
    'name=books&scope=accounts%3Aread&accounts=chosen&account=3&account=1&account=3&tools=chosen' +
      '&tool=get_accounts&expires=2027-01-31&ip_allow=192.0.2.7%2C+10.0.0.0%2F8&kind=b&dcr=yes',
  )
  t.equal(read.name(), 'books')
  t.same(read.scopes(), ['accounts:read'])
  t.same(read.accounts(), [1, 3])
  t.same(read.tools(), ['get_accounts'])
  t.equal(read.expiry(0), parseDay('2027-01-31'))
  t.same(read.ipAllow(), ['192.0.2.7', '10.0.0.0/8'])
  t.equal(read.choice('kind', ['a', 'b']), 'b')
  t.ok(read.isTicked('dcr'))
  t.notOk(read.isTicked('other'))
  t.ok(read.isFaultless)
})

test('an empty field means all, anywhere or never, where that is a value', async (t) => {
  const read = reading('accounts=all&tools=all&account=1&tool=get_accounts')
  t.equal(read.accounts(), null, 'all has to be chosen explicitly')
  t.equal(read.tools(), null)
  t.equal(read.expiry(0), null)
  t.equal(read.ipAllow(), undefined)
  t.ok(read.isFaultless)
})

test('ids can be typed', async (t) => {
  t.same(reading('account_ids=7%2C+2+9').accounts(), [2, 7, 9])
})

test('every error is reported at its field', async (t) => {
  const read = reading(
    'account=1x&expires=2026-02-30&ip_allow=192.0.2.300&scope=all&tool=drop_table&kind=c',
  )
  read.name()
  read.scopes()
  read.accounts()
  read.tools()
  read.expiry(0)
  read.ipAllow()
  t.equal(read.choice('kind', ['a', 'b']), 'a')
  t.same(Object.keys(read.faults).sort(), [
    ...['accounts', 'expires', 'ip_allow', 'kind', 'name', 'scope', 'tools'],
  ])
  t.notOk(read.isFaultless)
  const past = reading('expires=2026-01-01')
  past.expiry(parseDay('2026-01-01') ?? 0)
  t.match(past.faults['expires'], 'This day is not in the future')
  t.same(reading('scope=accounts%3Aread').scopes(['transactions:read']), [], 'only offered values')
})
