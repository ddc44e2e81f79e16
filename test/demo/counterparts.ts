import { test } from 'tap'
import { makeCounterparts, type Party, withoutUmlauts } from '../../src/demo/counterparts.js'
import { randomOf } from '../../src/demo/random.js'
import { readWords } from '../../src/demo/words.js'
import { isBic, isIban } from '../../src/iban.js'

const words = readWords()

function partiesOf(seed: number): readonly Party[] {
  const made = makeCounterparts(randomOf(seed), words)
  const single = [made.taxOffice, made.town, made.lender, made.landlord]
  const many = [made.businesses, made.people, made.suppliers, made.employees, made.creditors]
  return [...many.flat(), ...made.healthFunds, ...single]
}

test('there are 600 counterparts, shops included', async (t) => {
  const shops = words.merchants.euro.length + words.merchants.foreign.length
  for (const seed of [1, 2, 3]) t.equal(partiesOf(seed).length + shops, 600, `seed ${seed}`)
})

test('each counterpart has its own name, a valid IBAN and perhaps a bank', async (t) => {
  const parties = partiesOf(1)
  t.equal(new Set(parties.map(({ name }) => name)).size, parties.length)
  t.equal(new Set(parties.map(({ iban }) => iban)).size, parties.length)
  for (const { iban, bic } of parties) {
    t.ok(isIban(iban), iban)
    if (bic !== null) t.ok(isBic(bic) && bic.slice(4, 6) === iban.slice(0, 2), bic)
  }
  const countries = new Set(parties.map(({ iban }) => iban.slice(0, 2)))
  t.same([...countries].sort(), ['AT', 'BE', 'DE', 'FR', 'NL'])
  const german = parties.filter(({ iban }) => iban.startsWith('DE')).length
  t.ok(german / parties.length > 0.8, 'most are German')
})

test('creditor identifiers are valid', async (t) => {
  for (const { creditorId } of makeCounterparts(randomOf(4), words).creditors) {
    t.match(creditorId, /^DE\d{2}ZZZ\d{11}$/)
    const digits = `${creditorId.slice(7)}1314${creditorId.slice(2, 4)}`
    t.equal(BigInt(digits) % 97n, 1n, creditorId)
  }
})

test('different seeds give different counterparts', async (t) => {
  t.same(partiesOf(5), partiesOf(5))
  t.notSame(partiesOf(5), partiesOf(6))
})

test('old systems write no umlauts', async (t) => {
  t.equal(withoutUmlauts('Bäckerei Groß & Söhne'), 'BAECKEREI GROSS + SOEHNE')
})
