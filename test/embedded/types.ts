// The declarations of the package, as a program of a user is compiled with them: strictly, and with
// the declarations checked as well.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'

const ROOT = resolve(import.meta.dirname, '../../..')

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

function faultsOf(folder: string, program: string): string[] {
  const path = join(folder, 'program.mts')
  writeFileSync(path, program)
  const options: ts.CompilerOptions = {
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, strict: true },
    ...{ moduleResolution: ts.ModuleResolutionKind.NodeNext, noEmit: true, types: ['node'] },
    ...{ typeRoots: [join(ROOT, 'node_modules/@types')] },
    paths: { kontor: [join(ROOT, 'dist/src/embedded/kontor.d.ts')] },
  }
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([path], options))
  return diagnostics
    .filter(({ file }) => !file?.fileName.includes('node_modules'))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

test('a program is compiled with the declarations of the package', async (t) => {
  const folder = t.testdir()
  mkdirSync(folder, { recursive: true })
  t.same(faultsOf(folder, PROGRAM), [])
  t.match(faultsOf(folder, PROGRAM.replace("'frey'", '3')), [/not assignable/])
})
