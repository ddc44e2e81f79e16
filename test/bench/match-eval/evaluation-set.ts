import { test } from 'tap'
import { wholeText } from '../../../bench/match-eval/candidate.js'
import { makeEvaluationSet } from '../../../bench/match-eval/evaluation-set.js'
import { compactText } from '../../../bench/match-eval/noise.js'
import { CommandError } from '../../../src/errors.js'

const OPTIONS = { rowCount: 1_500, seed: 5, statements: [] }

test('equal options give equal sets, other seeds different ones', async (t) => {
  const [once, again, other] = [
    await makeEvaluationSet(OPTIONS),
    await makeEvaluationSet(OPTIONS),
    await makeEvaluationSet({ ...OPTIONS, seed: 6 }),
  ]
  t.same(once, again)
  t.not(other.questions[0]?.query, once.questions[0]?.query)
})

test('a window has the requested rows, and every question refers to them', async (t) => {
  const { candidates, questions } = await makeEvaluationSet(OPTIONS)
  t.equal(candidates.length, OPTIONS.rowCount)
  for (const { group, expectation, query, trueAt, decoysAt } of questions) {
    const places = [...trueAt, ...decoysAt]
    t.ok(
      places.every((at) => at >= 0 && at < candidates.length),
      `${group}: places`,
    )
    t.equal(expectation === 'absent', trueAt.length === 0, `${group}: ${query}`)
    const length = [...query].length
    t.ok(length >= 2 && length <= 256, `${group}: ${length} characters`)
    t.ok((query.match(/\p{L}+|\d+/gu) ?? []).length <= 24, `${group}: tokens`)
  }
  const longest = questions.filter(({ group }) => group === 'characters_256')
  t.ok(longest.length > 0)
  t.ok(longest.every(({ query }) => query.length === 256))
})

test('an exact reference occurs in its true transaction and in no other', async (t) => {
  const { candidates, questions } = await makeEvaluationSet(OPTIONS)
  const texts = candidates.map((candidate) => compactText(wholeText(candidate)))
  const exact = questions.filter(({ group }) => ['exact', 'in_e2e', 'in_paypal'].includes(group))
  t.ok(exact.length >= 3)
  for (const { query, trueAt, decoysAt } of exact) {
    const wanted = compactText(query)
    const holders = texts.flatMap((text, at) => (text.includes(wanted) ? [at] : []))
    const others = holders.filter((at) => !decoysAt.includes(at))
    t.same(others, trueAt, `${query}: apart from a longer number of a decoy`)
  }
})

test('too small a window is refused', async (t) => {
  await t.rejects(makeEvaluationSet({ ...OPTIONS, rowCount: 10 }), CommandError)
})
