// The imports of the real bank files against their record: what `npm run eval -- import` does.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { bankFiles } from '../../../bench/import-eval/bank-files.js'
import { evaluateImport } from '../../../bench/import-eval/run.js'
import { withDirectory } from '../../fixtures/files.js'
import { GOOD_FILES } from '../../fixtures/hostile-files.js'

test('no real bank file is read worse than recorded', async (t) => {
  if (bankFiles(process.env).length === 0) {
    t.comment('KONTOR_STATEMENTS and KONTOR_MORE_STATEMENTS name no real files; nothing is read')
    return
  }
  const { changes, report } = await evaluateImport(process.env, () => undefined)
  t.same(changes.worse, [])
  t.match(report, /^\| total \| \d+/m)
})

test('each file of a folder is reported; without folders the variables are named', async (t) => {
  await t.rejects(
    evaluateImport({}, () => undefined),
    { message: /set KONTOR_STATEMENTS and KONTOR_MORE_STATEMENTS to the folders/ },
  )
  await withDirectory(async (folder) => {
    for (const { name, content } of GOOD_FILES) writeFileSync(join(folder, name), content)
    writeFileSync(join(folder, 'a.pdf'), '%PDF-1.7')
    const said: string[] = []
    const { figures, changes, report } = await evaluateImport(
      { KONTOR_STATEMENTS: folder },
      (line) => said.push(line),
    )
    t.equal(figures.length, GOOD_FILES.length + 1)
    t.match(said, ['KONTOR_MORE_STATEMENTS is not set: its files are left out'])
    t.match(report, /^\| statements\/good\.sta \| mt940 \| - \| 1 \| EUR -12\.5 \| proved \|/m)
    t.match(report, /^- statements\/a\.pdf: a PDF document; export the statement as CAMT/m)
    t.ok(changes.worse.length > 0, 'the recorded files are missing')
  })
})
