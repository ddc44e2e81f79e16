import { test } from 'tap'
import {
  changesSince,
  type ExpectedFigures,
  listText,
} from '../../../bench/import-eval/expectations.js'
import type { FileFigures } from '../../../bench/import-eval/file-figures.js'

const FIGURES: FileFigures = {
  name: 'statements/mt940/a.sta',
  format: 'mt940',
  flags: '',
  rowCount: 3,
  sums: new Map([['EUR', '12.5']]),
  proof: 'proved',
  fields: new Map([['purpose', 3]]),
  warnings: [],
  refusal: undefined,
}

const RECORDED: ExpectedFigures = { ...FIGURES, isRefused: false }

test('a result that is worse than recorded is named with both figures', async (t) => {
  const name = FIGURES.name
  const cases: [Partial<FileFigures>, string[], string[]][] = [
    [{}, [], []],
    [
      { rowCount: 2, sums: new Map([['EUR', '2.5']]) },
      [`${name}: 3 rows before, now 2`, `${name}: sums EUR 12.5 before, now EUR 2.5`],
      [],
    ],
    [{ sums: new Map() }, [`${name}: sums EUR 12.5 before, now -`], []],
    [{ proof: 'unproved' }, [`${name}: balances proved before, now unproved`], []],
    [
      { fields: new Map([['type', 3]]) },
      [`${name}: purpose in 3 rows before, now in 0`],
      [`${name}: type in 0 rows before, now in 3`],
    ],
    [{ refusal: 'line 1: no' }, [`${name}: gave 3 rows, is now refused: line 1: no`], []],
    [{ rowCount: 4, sums: new Map([['EUR', '13']]) }, [], [`${name}: 3 rows before, now 4`]],
    [
      { rowCount: 4, sums: new Map([['EUR', '13']]), proof: 'unproved' },
      [
        `${name}: sums EUR 12.5 before, now EUR 13`,
        `${name}: balances proved before, now unproved`,
      ],
      [`${name}: 3 rows before, now 4`],
    ],
  ]
  for (const [changed, worse, better] of cases) {
    const found = changesSince(new Map([[name, RECORDED]]), [{ ...FIGURES, ...changed }])
    t.strictSame(found, { worse, better }, JSON.stringify([...Object.keys(changed)]))
  }
})

test('a refused file may only improve; a missing one is worse', async (t) => {
  const { name } = FIGURES
  const refused = new Map([[name, { ...RECORDED, isRefused: true }]])
  t.strictSame(changesSince(refused, [FIGURES]), {
    worse: [],
    better: [`${name}: was refused, now gives 3 rows`],
  })
  t.strictSame(changesSince(refused, [{ ...FIGURES, refusal: 'no' }]), { worse: [], better: [] })
  const others = new Map([['statements/b.sta', RECORDED]])
  t.strictSame(changesSince(others, [FIGURES]), {
    worse: ['statements/b.sta: the file is missing'],
    better: [`${name}: not recorded yet`],
  })
  const elsewhere = new Map([['more-statements/b.sta', RECORDED]])
  t.same(changesSince(elsewhere, [FIGURES]).worse, [], 'its folder was not read')
  t.equal(listText(new Map()), '-')
})
