// The declarations of the package, as a program of a user is compiled with them: strictly, and with
// the declarations checked as well.
import { test } from 'tap'
import { faultsOf, installedIn } from '../fixtures/user-program.js'

const PROGRAM = `
  import { KontorError, openKontor, type Transaction } from 'kontor'
  const kontor = await openKontor({ dataDir: 'data' })
  const acme = await kontor.workspace('acme', { accounts: [1] })
  const { items, total } = acme.transactions({ query: 'frey', bookedAfter: new Date(), limit: 5 })
  const first: Transaction | undefined = items[0]
  const amount: number | undefined = first?.amount
  const iban: string | undefined = first?.counterpart.iban
  const { items: matches } = await acme.match('RE-1', { threshold: 0.8 })
  const score: number | undefined = matches[0]?.score
  const net: number | undefined = (await acme.summary({ groupBy: ['month'] })).items[0]?.net
  for await (const change of acme.changes({ follow: false })) {
    const id: number = change.kind === 'upsert' ? change.transaction.id : change.id
    console.log(id, change.cursor)
  }
  console.log(total, amount, iban, score, net, KontorError.name)
  await kontor.close()
`

test('a program is compiled with the declarations of the package', async (t) => {
  const folder = installedIn(t.testdir())
  t.same(faultsOf(folder, PROGRAM), [])
  t.match(faultsOf(folder, PROGRAM.replace("'frey'", '3')), [/not assignable/])
})
