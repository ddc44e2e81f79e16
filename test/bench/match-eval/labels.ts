import { test } from 'tap'
import { NO_TEXTS } from '../../../bench/match-eval/candidate.js'
import {
  groupOf,
  type Label,
  labelledQueries,
  PRESENT,
  readLabels,
} from '../../../bench/match-eval/labels.js'
import { statementCandidates } from '../../../bench/match-eval/statement-candidates.js'

test('at least eighty labels are for reports, and none of them is for tuning', async (t) => {
  const report = readLabels('report', 'own')
  const present = report.filter(({ found }) => found.length > 0)
  t.ok(present.length >= 80, `${present.length} labels`)
  const tune = readLabels('tune', 'own')
  t.ok(tune.length >= 250, `${tune.length} labels`)
  const queries = [...report, ...tune].map(({ query }) => query)
  t.equal(new Set(queries).size, queries.length)
  t.same(readLabels('tune', 'independent'), [], 'the independent half is never tuned on')
})

test('transactions with the texts of a labelled one are also true', async (t) => {
  const texts = { ...NO_TEXTS, purpose: 'Factuur 4711' }
  const candidates = [
    { file: 'b', entry: 4, amount: '2', texts: NO_TEXTS },
    { file: 'a', entry: 0, amount: '1', texts },
    { file: 'b', entry: 3, amount: '2', texts },
  ]
  const place = { file: 'a', entry: 0, amount: '1' }
  const label: Label = { query: '4711', language: 'nl', found: [place] }
  const decoys = [
    { file: 'b', entry: 4, amount: '2' },
    { file: 'b', entry: 3, amount: '2' },
  ]
  const [question] = labelledQueries([{ ...label, decoys }], candidates)
  t.match(question, { group: PRESENT, expectation: 'found', trueAt: [1, 2], language: 'nl' })
  t.same(question?.decoysAt, [0], 'one with the same texts is no decoy')
  const moved = [{ ...label, found: [{ ...place, amount: '9' }] }]
  t.throws(() => labelledQueries(moved, candidates), /names a entry 0, which is another one/)
})

test('kinds of absence are told by the words of a label', async (t) => {
  const group = (kind: string): string => groupOf({ query: '1', kind, found: [] })
  t.equal(group('absent: two digits swapped'), 'absent: digits or letters swapped')
  t.equal(group('absent: next payment id'), 'absent: a sibling')
  t.equal(group('absent: digits of an exchange rate'), group('absent: the number is a time'))
  t.equal(group('absent: the number lies inside a longer one'), 'absent: inside a longer number')
  t.equal(group('absent: last digit off'), 'absent: a digit or letter off')
  t.equal(group('absent'), 'absent: other')
})

test('every label names a transaction of the real files', async (t) => {
  const isSet = ['KONTOR_STATEMENTS', 'KONTOR_MORE_STATEMENTS'].every(
    (variable) => (process.env[variable] ?? '') !== '',
  )
  if (!isSet) {
    t.comment('the folders of real statements are not set: the labels are not looked up')
    return
  }
  const candidates = await statementCandidates(process.env)
  for (const purpose of ['tune', 'report'] as const) {
    for (const labeller of ['own', 'independent'] as const) {
      const questions = labelledQueries(readLabels(purpose, labeller), candidates)
      t.ok(
        questions.every(({ trueAt, expectation }) => {
          return expectation === 'absent' || trueAt.length > 0
        }),
      )
    }
  }
})
