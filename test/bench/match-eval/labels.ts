import { test } from 'tap'
import { NO_TEXTS } from '../../../bench/match-eval/candidate.js'
import { labelledQueries, mayHoldLabel, readLabels } from '../../../bench/match-eval/labels.js'
import { statementCandidates } from '../../../bench/match-eval/statement-candidates.js'

test('at least eighty labels are for reports, and none of them is for tuning', async (t) => {
  const labels = readLabels()
  const report = labels.filter(({ set, found }) => set === 'report' && found.length > 0)
  t.ok(report.length >= 80, `${report.length} labels`)
  const queries = labels.map(({ query }) => query)
  t.equal(new Set(queries).size, queries.length)
})

test('transactions with the texts of a labelled one are also true', async (t) => {
  const texts = { ...NO_TEXTS, purpose: 'Factuur 4711' }
  const candidates = [
    { file: 'a', entry: 0, amount: '1', texts },
    { file: 'b', entry: 3, amount: '2', texts },
    { file: 'b', entry: 4, amount: '2', texts: NO_TEXTS },
  ]
  const place = { file: 'a', entry: 0, amount: '1' }
  const label = { set: 'tune', query: '4711', found: [place] } as const
  const labels = [{ ...label, found: [place] }]
  const [question] = labelledQueries(labels, candidates, 10)
  t.same(question?.trueAt, [10, 11])
  const moved = [{ ...label, found: [{ ...place, amount: '9' }] }]
  t.throws(() => labelledQueries(moved, candidates, 10), /names a entry 0, which is another one/)
  t.ok(mayHoldLabel({ texts }, labels))
  t.notOk(mayHoldLabel({ texts: { ...NO_TEXTS, purpose: 'Factuur 4712' } }, labels))
})

test('every label names a transaction of the real files', async (t) => {
  const root = process.env['KONTOR_STATEMENTS']
  if (root === undefined || root === '') {
    t.comment('KONTOR_STATEMENTS is not set: the labels are not looked up')
    return
  }
  const candidates = await statementCandidates(root)
  const questions = labelledQueries(readLabels(), candidates, 0)
  t.ok(questions.every(({ trueAt, expectation }) => expectation === 'absent' || trueAt.length > 0))
})
