import { test } from 'tap'
import { readWords } from '../../src/demo/words.js'
import { isBic } from '../../src/iban.js'

const words = readWords()

test('every named category is in the tree', async (t) => {
  const tree = words.categories.flatMap(({ name, details }) => [name, ...details])
  t.equal(new Set(tree).size, tree.length, 'names are unique')
  t.equal(words.categories.length, 8)
  t.equal(tree.length, 48)
  const { companies, merchants } = words
  const named = [companies.creditors, companies.supplierTrades, merchants.euro, merchants.foreign]
  for (const { category } of named.flat()) t.ok(tree.includes(category), category)
  for (const name of tree) t.ok(name.length <= 13, `${name} is short`)
})

test('amounts have a range and currencies a rate', async (t) => {
  const { companies, merchants } = words
  for (const { name, low, high } of [
    ...companies.creditors,
    ...merchants.euro,
    ...merchants.foreign,
  ]) {
    t.ok(low > 0 && low < high, name)
  }
  for (const { currency } of merchants.foreign) t.ok(merchants.perTenThousandEuro[currency])
})

test('banks are invented: no German bank code begins with 9', async (t) => {
  for (const { country, code, bic } of words.banks) {
    t.ok(isBic(bic), bic)
    t.equal(bic.slice(4, 6), country)
    if (country === 'DE') t.match(code, /^9\d{7}$/)
  }
})

test('a counterpart name is unique', async (t) => {
  const { companies, merchants } = words
  const parties = [companies.creditors, companies.authorities, merchants.euro, merchants.foreign]
  const names = parties.flat().map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  t.equal(names.length, 127)
})
