// What the balances of the real bank files prove, against a naive check of their sums.
import { createReadStream, readFileSync } from 'node:fs'
import { type Test, test } from 'tap'
import { type BankFilePath, bankFiles } from '../../../bench/import-eval/bank-files.js'
import { isContradicted } from '../../../fuzz/imports/naive-proof.js'
import { FORMATS } from '../../../src/statements/formats.js'
import type { ImportReport } from '../../../src/statements/import/import-report.js'
import { readMt940 } from '../../../src/statements/mt940/mt940.js'
import { peekText } from '../../../src/statements/peek-text.js'
import { StatementError, type StatementEvent } from '../../../src/statements/statement.js'
import { withWorkspace } from '../../fixtures/files.js'
import { importEvents } from '../../fixtures/statement-events.js'
import { piecesOf } from '../../fixtures/statement-reading.js'

const CONTRADICTION = /add up to the closing balance|does not follow/

const GIVEN = { account: '4711', currency: 'EUR' }

/** Events and report of a file; undefined when it is refused. */
async function readAndImported({
  name,
  path,
}: BankFilePath): Promise<
  { readonly events: readonly StatementEvent[]; readonly report: ImportReport } | undefined
> {
  const events: StatementEvent[] = []
  try {
    const { head, text } = await peekText(FORMATS.decode(createReadStream(path)))
    const detected = FORMATS.detect(head, name)
    const reader = detected.kind === 'format' ? FORMATS.readers[detected.format] : undefined
    if (reader === undefined) return undefined
    for await (const batch of reader(text, GIVEN)) events.push(...batch)
    const report = await withWorkspace((file) => importEvents(file, events, GIVEN))
    return { events, report }
  } catch (error) {
    if (error instanceof StatementError) return undefined
    throw error
  }
}

function filesOf(t: Test): BankFilePath[] {
  const files = bankFiles(process.env)
  if (files.length === 0) {
    t.comment('KONTOR_STATEMENTS and KONTOR_MORE_STATEMENTS name no real files; nothing is read')
  }
  return files
}

test('the balances contradict a real file exactly when a naive check does', async (t) => {
  for (const file of filesOf(t)) {
    const read = await readAndImported(file)
    if (read === undefined) continue
    const { balances, warnings } = read.report
    t.equal(balances?.result === 'contradicted', isContradicted(read.events), file.name)
    const said = warnings.some((sentence) => CONTRADICTION.test(sentence))
    t.equal(said, balances?.result === 'contradicted', `${file.name}: the warning`)
    t.equal(balances?.at === undefined, !said && balances?.result !== 'gaps', `${file.name}: place`)
  }
})

const AFAS = 'statements/mt940/afas__test1.mt940'

test("a missing statement and a counterpart's wrong IBAN are named once a file", async (t) => {
  const file = filesOf(t).find(({ name }) => name === AFAS)
  const read = file === undefined ? undefined : await readAndImported(file)
  if (read === undefined) return
  const { balances, warnings } = read.report
  t.strictSame(balances, { result: 'gaps', at: 'statement of 2014-07-30' })
  t.match(warnings, [
    /^entry 2 \(line 16\): the counterpart's IBAN NL65INGB0123456789 has wrong check digits or /,
    /statement of 2014-07-30: its opening balance .* of 2014-05-08 .* is 2558\.98 EUR;/,
  ])
})

test('a file with each statement twice gives the rows of a file with each once', async (t) => {
  let checkedCount = 0
  for (const { name, path } of filesOf(t).filter((file) => file.name.includes('/mt940/'))) {
    const text = readFileSync(path, 'latin1')
    const [once, twice] = [await eventsOf(text), await eventsOf(`${text}\r\n${text}`)]
    const isKeyed = once.every((event) => event.kind !== 'account' || event.statementKey)
    if (!isKeyed || once.some(({ kind }) => kind === 'refused')) continue
    const counts = await Promise.all(
      [once, twice].map((events) =>
        withWorkspace(async (file) => {
          const { added } = await importEvents(file, events, GIVEN)
          return [added, file.transactionCount()]
        }),
      ),
    )
    t.same(counts[1], counts[0], name)
    checkedCount += 1
  }
  if (filesOf(t).length > 0) t.ok(checkedCount > 20, `${checkedCount} files`)
})

/** The events of a text of MT940; a file without one has none. */
async function eventsOf(text: string): Promise<StatementEvent[]> {
  const events: StatementEvent[] = []
  try {
    for await (const batch of readMt940(piecesOf([text]), GIVEN)) events.push(...batch)
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
  }
  return events
}
