// A short run of `npm run fuzz -- imports` over every format.
import { test } from 'tap'
import { importInput } from '../../fuzz/imports/import-input.js'
import { isContradicted } from '../../fuzz/imports/naive-proof.js'
import { faultText, importFuzzReport } from '../../fuzz/imports/report.js'
import { fuzzImports } from '../../fuzz/imports/run.js'
import { seedFiles } from '../../fuzz/imports/seed-files.js'
import { STATEMENT_FORMATS } from '../../src/statements/readers.js'
import { amount, balance, booking, giro } from '../fixtures/statement-events.js'

const OPTIONS = { seed: 7, format: undefined, environment: process.env, progress: () => undefined }

test('mutated bank files break no import, and every contradiction is reported', async (t) => {
  const figures = await fuzzImports({ ...OPTIONS, inputs: [0, 60] })
  t.same(
    figures.map(({ format }) => format),
    STATEMENT_FORMATS,
    'every format is fuzzed',
  )
  t.same(
    figures.flatMap(({ faults }) => faults.map((fault) => faultText(fault, OPTIONS.seed))),
    [],
  )
  for (const { format, seedCount, inputCount } of figures) {
    if (seedCount > 0) t.equal(inputCount, 60, format)
    else t.comment(`no file of ${format}: set KONTOR_STATEMENTS and KONTOR_MORE_STATEMENTS`)
  }
  t.match(importFuzzReport(figures), /^\| mt940 \| \d+ \| 60 \|/m)
})

test('an input is the same for the same seed and number', async (t) => {
  const files = (await seedFiles({})).get('mt940') ?? []
  const texts = [1, 1, 2].map((number) =>
    Buffer.concat([...importInput(files, 7, number).chunks]).toString('latin1'),
  )
  t.equal(texts[0], texts[1])
  t.not(texts[0], texts[2])
})

test('the naive check finds a wrong statement and a wrong row', async (t) => {
  const right = [giro, balance('opening', '1', 0), booking('2', 0), balance('closing', '3', 0)]
  t.notOk(isContradicted(right))
  t.ok(isContradicted([...right.slice(0, 3), balance('closing', '4', 0)]))
  const rows = (...balances: readonly string[]) =>
    balances.map((text) => booking('1', 0, { balanceAfter: amount(text) }))
  t.notOk(isContradicted([giro, ...rows('5', '6', '7')]))
  t.notOk(isContradicted([giro, ...rows('7', '6', '5')]))
  t.notOk(isContradicted([giro, ...rows('6', '7', '5')]))
  t.ok(isContradicted([giro, ...rows('5', '6', '8')]))
})

test('a fault is printed with the command that repeats it', async (t) => {
  const fault = { format: 'csv', input: 12, of: 'a.csv', what: 'took 1,200 ms' } as const
  t.equal(
    faultText(fault, 7),
    'csv, input 12 (of a.csv): took 1,200 ms\n' +
      '  repeat: npm run fuzz -- imports --format csv --seed 7 --input 12',
  )
})
