import { test } from 'tap'
import { OTHER_IBAN, OWN_IBAN, SAMPLE } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines } from '../../fixtures/service.js'

test(
  'a hidden resource answers like a missing one',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w', { accountIds: [2] })
    const pairs = [
      ['accounts/1', 'accounts/9'],
      ['accounts/3', 'accounts/9'],
      [`accounts/${OWN_IBAN}`, 'accounts/DE99370400440532013000'],
      ['accounts/1/transactions', 'accounts/9/transactions'],
      [`accounts/${OWN_IBAN}/transactions?limit=3`, 'accounts/DE00/transactions?limit=3'],
      ['transactions/7', 'transactions/70000'],
      ['transactions/302', 'transactions/9007199254740991'],
    ] as const
    for (const [hidden, missing] of pairs) {
      const [one, other] = [await ask(hidden), await ask(missing)]
      t.equal(outcomeOf(one), '400 not_found', hidden)
      const idOf = (path: string): string => path.split(/[/?]/)[1] ?? ''
      t.equal(one.text.replace(idOf(hidden), idOf(missing)), other.text, `${hidden}: byte for byte`)
      const { date: _, 'x-request-id': _a, 'content-length': _b, ...fields } = one.fields
      t.hasProps(other.fields, Object.keys(fields))
    }
    const shared = bodyOf(await ask(`accounts/${OTHER_IBAN}`))
    t.match(shared, { id: 2 })

    function ask(path: string) {
      return service.ask(`/v1/w/${path}`, { key })
    }
  }),
)

test(
  'a key sees its accounts only, in every list and count',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const lists = ['accounts', 'transactions', `counterpart/${OTHER_IBAN}/transactions`]
    const counts = async (
      accountIds: readonly number[] | null,
    ): Promise<(string | undefined)[]> => {
      const { key } = await service.newKey('w', { accountIds })
      const replies = lists.map((path) => service.ask(`/v1/w/${path}?limit=0`, { key }))
      return (await Promise.all(replies)).map(({ fields }) => fields['x-total-count'])
    }
    t.same(await counts(null), ['3', '302', '100'])
    t.same(await counts([1]), ['1', '300', '100'])
    t.same(await counts([2, 3]), ['2', '2', '0'])
    t.same(await counts([1, 2, 3]), ['3', '302', '100'])
    t.same(await counts([77]), ['0', '0', '0'], 'a missing account opens nothing')
    t.same(await counts([2, 77]), ['1', '1', '0'])
    t.same(await counts([]), ['0', '0', '0'], 'an empty list means none, not all')
  }),
)

test(
  'keys for all accounts see one that is created later',
  overEngines(async (t, service) => {
    await service.write('w', { ...SAMPLE, transactions: [] })
    const all = (await service.newKey('w')).key
    const some = (await service.newKey('w', { accountIds: [4] })).key
    const count = async (key: string): Promise<string | undefined> =>
      (await service.ask('/v1/w/accounts', { key })).fields['x-total-count']
    t.same([await count(all), await count(some)], ['3', '0'])
    const [first] = SAMPLE.accounts
    if (first === undefined) throw new Error('the sample has accounts')
    await service.write('w', { accounts: [{ ...first, id: 4 }], categories: [], transactions: [] })
    await service.until(async () => (await count(all)) === '4')
    t.equal(await count(some), '1', 'a key that names it as well')
  }),
)
